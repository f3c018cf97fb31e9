package store

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// factEntry is a fact as it will stand in the file.
type factEntry struct {
	fact       *eval.Fact
	key, value []byte
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

// Record returns once the fact is committed, together with whatever else waited; the run's counts
// change in the same transaction. A prediction that is there and is no failure is left alone and gives
// eval.ErrRecorded. A failure that is there is replaced, and kept as an attempt. When ctx ends while
// the fact waits, it is not recorded; when ctx ends during the commit, Record returns with the commit.
func (r *Runs) Record(ctx context.Context, f eval.Fact) error {
	e, err := r.newPredictionEntry(&f)
	if err != nil {
		return err
	}
	return r.s.file.Apply(ctx, e.size(), func(tx *file.Tx) error {
		c, err := r.countsToChange(tx, f.Prediction.Run)
		if err != nil {
			return file.NewRejection(fmt.Errorf("record %s: %w", f.Prediction.Key, err))
		}
		added, err := r.putAndCountFact(tx, &e, c, bytes.Equal)
		if err == nil && !added {
			err = file.NewRejection(fmt.Errorf("record %s: %w", f.Prediction.Key, eval.ErrRecorded))
		}
		return err
	})
}

// RecordAll commits facts in one transaction, or in several when they are more than 16 MiB: what one of
// them committed before an error stays. Facts that are recorded already, and failures that differ from
// the stored one in nothing but their time, are left alone and not counted.
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
		some, err := r.recordBatch(ctx, entries[:n], size)
		if added += some; err != nil {
			return added, err
		}
		entries = entries[n:]
	}
	return added, nil
}

func (r *Runs) recordBatch(ctx context.Context, entries []factEntry, size int) (added int, err error) {
	err = r.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		added = 0
		for i := range entries {
			e := &entries[i]
			c, err := r.countsToChange(tx, e.fact.Prediction.Run)
			if err != nil {
				return fmt.Errorf("record %s: %w", e.fact.Prediction.Key, err)
			}
			ok, err := r.putAndCountFact(tx, e, c, equalButTime(r.s.codec))
			if err != nil {
				return err
			}
			if ok {
				added++
			}
		}
		return nil
	})
	return eval.Either(err != nil, 0, added), err
}

// equalButTime compares two failures without when they happened.
func equalButTime(codec record.Codec) func(stored, fresh []byte) bool {
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

// putAndCountFact writes one fact and counts it. It reports false for one that is there,
// and for a failure that is the stored one again.
func (r *Runs) putAndCountFact(tx *file.Tx, e *factEntry, c *eval.Counts, same func(stored, fresh []byte) bool) (bool, error) {
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
		if err := keepReplacedFailure(tx, e.key, stored); err != nil {
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

// keepReplacedFailure puts a failure aside that a retry is about to replace.
func keepReplacedFailure(tx *file.Tx, key, stored []byte) error {
	b := tx.Table(record.TableAttempts)
	n := uint32(0)
	for _, err := range b.ScanPrefix(key) {
		if err != nil {
			return err
		}
		n++
	}
	return eval.WrapError(b.Put(record.AppendU32(file.Clone(key), n), file.Clone(stored)), "keep attempt %x", key)
}

var _ dataset.Filler = (*Datasets)(nil)

// FillSamples gives samples of a dataset what they lack, in one transaction.
// Samples are found by their id; one that says otherwise than the batch gives
// dataset.ErrOtherContent, and nothing of the batch is written.
func (d *Datasets) FillSamples(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	pictures, size, err := collectPictures(batch)
	if err != nil {
		return fmt.Errorf("fill dataset %q: %w", name, err)
	}
	return d.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		asked, err := d.isAskedByRuns(tx, name)
		if err != nil {
			return err
		}
		rows := make([]sampleRow, len(batch))
		for i := range batch { // all of them before any is written: others share the transaction
			r, err := d.changedSampleRow(tx, name, batch[i].Sample.ID, func(have *eval.Sample) (eval.Sample, error) {
				out, _, err := dataset.FillMissingFields(have, &batch[i].Sample)
				if err == nil && asked && (out.Hint != have.Hint || !slices.Equal(out.Pictures, have.Pictures)) {
					err = fmt.Errorf("%w: a run of concord's own has asked questions of it, and sample %s would be asked otherwise from now on", dataset.ErrOtherContent, have.ID)
				}
				return out, err
			})
			if err != nil {
				return file.NewRejection(fmt.Errorf("fill dataset %q: %w", name, err))
			}
			rows[i] = r
		}
		if err := eval.Each(rows, func(r sampleRow) error { return tx.Table(record.TableSamples).Put(r.key, r.value) }); err != nil {
			return err
		}
		return appendNewPictures(tx, pictures)
	})
}

// isAskedByRuns reports whether a run of our own has put questions of the dataset to a
// model: what is asked must not change under it.
func (d *Datasets) isAskedByRuns(tx *file.Tx, name eval.DatasetName) (bool, error) {
	for run, err := range eachUnderPrefix(d.s, record.Runs, tx, nil) {
		if err != nil || run.Config.Dataset == name && run.Config.Origin == eval.Asked {
			return err == nil, err
		}
	}
	return false, nil
}

// changedSampleRow is a stored sample as it is to be written anew.
func (d *Datasets) changedSampleRow(tx *file.Tx, name eval.DatasetName, id eval.SampleID, to func(*eval.Sample) (eval.Sample, error)) (sampleRow, error) {
	o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(name, id)))
	if !ok {
		return sampleRow{}, fmt.Errorf("sample %q: %w", id, eval.ErrNotFound)
	}
	key := record.SampleKey(name, eval.Ordinal(o))
	have, err := d.decodeSample(key, tx.Table(record.TableSamples).Get(key))
	if err != nil {
		return sampleRow{}, err
	}
	out, err := to(&have)
	if err != nil {
		return sampleRow{}, err
	}
	value, err := d.s.codec.Encode(record.NewSample(&out))
	return sampleRow{key: key, value: value}, err
}

// FillDataset notes what a dataset holds once it was filled: hash, origin, how
// many samples have no truth, and in which columns categories stood.
func (d *Datasets) FillDataset(ctx context.Context, ds eval.Dataset) error {
	return d.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		have, err := d.readDataset(tx, ds.Name)
		if err != nil {
			return file.NewRejection(err)
		}
		have.Hash, have.Origin, have.NoTruth, have.Coarse, have.Metric = ds.Hash, ds.Origin, ds.NoTruth, ds.Coarse, ds.Metric
		return putValue(d.s, record.Datasets, tx, &have)
	})
}

var _ dataset.PictureSink = (*Datasets)(nil)

// PutPictures gives samples of a dataset their pictures, in one transaction:
// the dataset was made from a file of predictions, which holds none. Samples
// are found by their id; one that has a picture already keeps it.
func (d *Datasets) PutPictures(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	pictures, size, err := collectPictures(batch)
	if err != nil {
		return fmt.Errorf("put images of dataset %q: %w", name, err)
	}
	return d.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		if err := appendNewPictures(tx, pictures); err != nil {
			return err
		}
		return eval.Each(batch, func(it dataset.Item) error {
			return file.NewRejection(eval.WrapError(d.addPicturesToSample(tx, name, &it.Sample), "put images of dataset %q", name))
		})
	})
}

func (d *Datasets) addPicturesToSample(tx *file.Tx, name eval.DatasetName, s *eval.Sample) error {
	r, err := d.changedSampleRow(tx, name, s.ID, func(have *eval.Sample) (eval.Sample, error) {
		if len(have.Pictures) == 0 || have.Pictures[0].Hash == "" {
			have.Pictures = s.Pictures
		}
		return *have, nil
	})
	if err != nil {
		return err
	}
	return tx.Table(record.TableSamples).Put(r.key, r.value)
}

// AddSample adds a sample to a whole dataset: one that stands in for a discarded one, say. It gets the
// ordinal behind the last one; all else of it, its id too, is given. The dataset counts it and keeps
// its hash, which is of the file that it was imported from. An id that the dataset has already gives
// ErrInvalid, but with the same sample under it nothing happens, so that trying again is safe.
func (d *Datasets) AddSample(ctx context.Context, name eval.DatasetName, item dataset.Item) (eval.Sample, error) {
	wrap := func(err error) error { return fmt.Errorf("add sample %q to dataset %q: %w", item.Sample.ID, name, err) }
	if err := record.CheckName("sample", string(item.Sample.ID)); err != nil {
		return eval.Sample{}, wrap(err)
	}
	pictures, size, err := collectPictures([]dataset.Item{item})
	if err != nil {
		return eval.Sample{}, wrap(err)
	}
	added := item.Sample
	err = d.s.file.Apply(ctx, 4096+size, func(tx *file.Tx) error {
		ds, err := d.readDataset(tx, name)
		if err != nil {
			return file.NewRejection(wrap(err))
		}
		if !ds.Complete {
			return file.NewRejection(wrap(fmt.Errorf("%w: its import has not finished", ErrInvalid)))
		}
		if o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(name, item.Sample.ID))); ok {
			added.Ordinal = eval.Ordinal(o)
			return file.NewRejection(d.checkSameSample(tx, name, &added))
		}
		added.Ordinal = eval.Ordinal(nextNumberUnder(tx.Table(record.TableSamples), record.AppendName(nil, string(name)), 0))
		if err := appendNewPictures(tx, pictures); err != nil {
			return err
		}
		return eval.WrapError(d.putSample(tx, &ds, added), "add sample %q to dataset %q", item.Sample.ID, name)
	})
	return added, err
}

// putSample puts a sample with its ordinal into a whole dataset, which counts a new one.
func (d *Datasets) putSample(tx *file.Tx, ds *eval.Dataset, s eval.Sample) error {
	rows, err := d.makeSampleRows(ds.Name, []dataset.Item{{Sample: s}})
	if err != nil {
		return err
	}
	added, err := putSampleRows(tx, rows)
	if err != nil {
		return err
	}
	ds.Samples += added
	ds.Added += added
	ds.NoTruth += eval.Either(s.HasTruth(), 0, added)
	return putValue(d.s, record.Datasets, tx, ds)
}

// checkSameSample is nil when the very sample stands under its id.
func (d *Datasets) checkSameSample(tx *file.Tx, name eval.DatasetName, s *eval.Sample) error {
	have, err := d.readSampleInTx(tx, name, s.Ordinal)
	if err == nil && !reflect.DeepEqual(record.NewSample(&have), record.NewSample(s)) {
		err = fmt.Errorf("add sample %q to dataset %q: %w: sample %d has this id", s.ID, name, ErrInvalid, s.Ordinal)
	}
	return err
}
