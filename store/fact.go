package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// factEntry is a fact as it will stand in the file.
type factEntry struct {
	fact  *eval.Fact
	key   []byte
	value []byte
}

func (r *Runs) newPredictionEntry(f *eval.Fact) (factEntry, error) {
	if int(f.Reading.Status) >= eval.Statuses {
		return factEntry{}, fmt.Errorf("record %s: %w: status %d", f.Prediction.Key, ErrInvalid, f.Reading.Status)
	}
	value, err := r.s.codec.Encode(record.NewPrediction(&f.Prediction))
	if err != nil {
		return factEntry{}, fmt.Errorf("record %s: %w", f.Prediction.Key, err)
	}
	return factEntry{fact: f, key: record.PredictionKey(f.Prediction.Key), value: value}, nil
}

func (e *factEntry) size() int { return len(e.key) + len(e.value) }

// Record returns once the fact is committed, together with whatever else
// waited; the run's counts change in the same transaction. A prediction that
// is there and is no failure is left alone and gives eval.ErrRecorded. A
// failure that is there is replaced, and kept as an attempt. When ctx ends
// while the fact waits, it is not recorded; when ctx ends during the commit,
// Record returns with the commit.
func (r *Runs) Record(ctx context.Context, f eval.Fact) error {
	e, err := r.newPredictionEntry(&f)
	if err != nil {
		return err
	}
	id := f.Prediction.Run
	return r.s.file.Apply(ctx, e.size(), func(tx *file.Tx) error {
		c, err := r.readCounts(tx, id)
		if err != nil {
			return file.Reject(fmt.Errorf("record %s: %w", f.Prediction.Key, err))
		}
		added, err := r.putFact(tx, &e, &c, bytes.Equal)
		switch {
		case err != nil:
			return err
		case !added:
			return file.Reject(fmt.Errorf("record %s: %w", f.Prediction.Key, eval.ErrRecorded))
		}
		return r.putCounts(tx, id, c)
	})
}

// RecordAll commits facts in one transaction, or in several when they are
// more than 16 MiB: what one of them committed before an error stays. Facts
// that are recorded already, and failures that differ from the stored one in
// nothing but their time, are left alone and not counted.
func (r *Runs) RecordAll(ctx context.Context, facts []eval.Fact) (added int, err error) {
	entries := make([]factEntry, 0, len(facts))
	for i := range facts {
		e, err := r.newPredictionEntry(&facts[i])
		if err != nil {
			return 0, err
		}
		entries = append(entries, e)
	}
	// bbolt inserts into a sorted array: another order costs the square. Facts
	// of one key stay in their order.
	slices.SortStableFunc(entries, func(a, b factEntry) int { return bytes.Compare(a.key, b.key) })
	for len(entries) > 0 {
		n, size := 0, 0
		for n < len(entries) && (n == 0 || size+entries[n].size() <= file.MaxGroupBytes) {
			size += entries[n].size()
			n++
		}
		some, err := r.recordSome(ctx, entries[:n], size)
		if added += some; err != nil {
			return added, err
		}
		entries = entries[n:]
	}
	return added, nil
}

func (r *Runs) recordSome(ctx context.Context, entries []factEntry, size int) (added int, err error) {
	err = r.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		added = 0
		counts := make(map[eval.RunID]*eval.Counts)
		for i := range entries {
			e := &entries[i]
			id := e.fact.Prediction.Run
			if counts[id] == nil {
				c, err := r.readCounts(tx, id)
				if err != nil {
					return fmt.Errorf("record %s: %w", e.fact.Prediction.Key, err)
				}
				counts[id] = &c
			}
			ok, err := r.putFact(tx, e, counts[id], sameButTime(r.s.codec))
			if err != nil {
				return err
			}
			if ok {
				added++
			}
		}
		for id, c := range counts {
			if err := r.putCounts(tx, id, *c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// sameButTime compares two failures without when they happened.
func sameButTime(codec record.Codec) func(stored, fresh []byte) bool {
	return func(stored, fresh []byte) bool {
		var a, b record.Prediction
		if codec.Decode(record.TablePredictions, nil, stored, &a) != nil || codec.Decode(record.TablePredictions, nil, fresh, &b) != nil {
			return false
		}
		a.At, b.At = 0, 0
		x, errX := codec.EncodeBare(a)
		y, errY := codec.EncodeBare(b)
		return errX == nil && errY == nil && bytes.Equal(x, y)
	}
}

// putFact writes one fact and counts it. It reports false for one that is there,
// and for a failure that is the stored one again.
func (r *Runs) putFact(tx *file.Tx, e *factEntry, c *eval.Counts, same func(stored, fresh []byte) bool) (bool, error) {
	predictions := tx.Table(record.TablePredictions)
	predictions.FillPercent = appendFill
	stored := predictions.Get(e.key)
	if stored != nil {
		old, err := r.s.codec.ReadPrediction(e.key, stored)
		switch {
		case err != nil:
			return false, fmt.Errorf("record %s: %w", e.fact.Prediction.Key, err)
		case old.Failure == nil, e.fact.Prediction.Failure != nil && same(stored, e.value):
			return false, nil
		}
		if err := keepAttempt(tx, e.key, stored); err != nil {
			return false, err
		}
	}
	countFact(c, e.fact, stored != nil)
	if err := predictions.Put(e.key, e.value); err != nil {
		return false, fmt.Errorf("record %s: %w", e.fact.Prediction.Key, err)
	}
	if err := indexFailure(tx, e.key, e.fact.Prediction.Failure != nil, stored != nil); err != nil {
		return false, fmt.Errorf("record %s: %w", e.fact.Prediction.Key, err)
	}
	return true, nil
}

// countFact adds a fact to the counts of its run; replaced tells that it takes
// the place of a failure. Counts over facts of several readers are nobody's:
// they lose their reader, and whoever needs them counts anew.
func countFact(c *eval.Counts, f *eval.Fact, replaced bool) {
	switch {
	case c.Predictions == 0:
		c.Reader = f.Reader
	case c.Reader != f.Reader:
		c.Reader = ""
	}
	c.CountFact(f, replaced)
}

// keepAttempt puts a failure aside that a retry is about to replace.
func keepAttempt(tx *file.Tx, key, stored []byte) error {
	b := tx.Table(record.TableAttempts)
	n := uint32(0)
	for _, err := range b.ScanPrefix(key) {
		if err != nil {
			return err
		}
		n++
	}
	if err := b.Put(record.AppendU32(file.Clone(key), n), file.Clone(stored)); err != nil {
		return fmt.Errorf("keep attempt %x: %w", key, err)
	}
	return nil
}
