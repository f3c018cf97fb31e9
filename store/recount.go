package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
)

// recountTotals makes the totals of runs and annotators what the records say of a project that
// was saved from a damaged one, and gives chains of acts that have lost their heads new ones.
func (s *Store) recountTotals(ctx context.Context) error {
	totals := make(map[eval.RunID]*eval.Counts)
	runs, err := s.Runs().List()
	if err != nil {
		return err
	}
	for _, r := range runs {
		totals[r.ID] = new(eval.Counts)
		for p, err := range s.Runs().Predictions(ctx, r.ID, eval.Key{}) {
			if err != nil {
				continue // it is whole, and nothing that can be read
			}
			totals[r.ID].Predictions++
			if p.Failure != nil {
				totals[r.ID].Failures++
			}
			totals[r.ID].Usage.Add(p.Usage)
		}
	}
	return s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		for id, c := range totals {
			if have, err := s.Runs().readCounts(tx, id); err == nil && have.Predictions == c.Predictions && have.Failures == c.Failures {
				continue
			}
			s.Runs().holdCounts(tx, id, c)
		}
		if err := forgetLostPictures(tx); err != nil {
			return err
		}
		if err := s.Acts().rebuildTallies(tx); err != nil {
			return err
		}
		return heads.NewKeeper(s.codec).CreateHeads(tx, record.ActTables()...)
	})
}

// forgetLostPictures has pictures whose bytes were lost be not there.
func forgetLostPictures(tx *file.Tx) error {
	index, blobs := tx.Table(record.TablePictures), tx.Table(record.TableBlobs)
	var gone [][]byte
	for p, err := range index.ScanPrefix(nil) {
		if err != nil {
			return err
		}
		if blobs.Get(p.Value) == nil {
			gone = append(gone, file.Clone(p.Key))
		}
	}
	return eval.Each(gone, index.Delete)
}

// rebuildTallies gives each annotator who acted in a queue a tally.
func (a *Acts) rebuildTallies(tx *file.Tx) error {
	var stream []byte
	var all []annotate.Act
	flush := func() error {
		if len(all) == 0 || tx.Table(record.TableTallies).Get(stream) != nil {
			return nil
		}
		state := annotate.FoldActs(all)
		return a.putTally(tx, stream, record.Tally{Acts: all[len(all)-1].N, Labelled: len(state.Labels), Skipped: len(state.Skipped), Flagged: len(state.Flagged)})
	}
	for p, err := range tx.Table(record.TableActs).ScanPrefix(nil) {
		if err != nil {
			return err
		}
		one, err := decodeRecord(a.s, record.Acts, p.Key, p.Value)
		if err != nil {
			continue
		}
		if key := record.StreamPrefix(one.Queue, one.Annotator); !bytes.Equal(key, stream) {
			if err := flush(); err != nil {
				return err
			}
			stream, all = key, nil
		}
		all = append(all, one)
	}
	return flush()
}

// migrateToSums takes a project to schema 12: values get an envelope from then on, and the records of
// each group are summed up. It refuses a project that has fewer records than it has counted:
// what is missing would be missing for good. Of one that was repaired that has been told.
func migrateToSums(tx *file.Tx, s *Store) error {
	if err := tx.SumUpGroups(); err != nil {
		return err
	}
	if tx.Table(record.TableMeta).Get([]byte(file.MetaRepaired)) != nil {
		return nil
	}
	return s.checkCounts(tx)
}

// checkCounts compares the counts that a project keeps with its records.
func (s *Store) checkCounts(tx *file.Tx) error {
	enough := func(t record.Table, group []byte, of string, want int) error {
		if have := tx.CountInGroup(t, group); have < want {
			return &record.DamageError{Table: t, Why: fmt.Sprintf("%s: %d of %d are there, %d are missing", of, have, want, want-have)}
		}
		return nil
	}
	for t, err := range eachUnderPrefix(s, record.Totals, tx, nil) {
		if err != nil {
			continue // told by whoever needs it
		}
		if err := enough(record.TablePredictions, record.RunKey(t.Run), fmt.Sprintf("predictions of run %d", t.Run), t.Counts.Predictions); err != nil {
			return err
		}
	}
	for d, err := range eachUnderPrefix(s, record.Datasets, tx, nil) {
		if err != nil {
			continue
		}
		if err := enough(record.TableSamples, record.AppendName(nil, string(d.Name)), fmt.Sprintf("samples of dataset %q", d.Name), d.Samples); err != nil {
			return err
		}
	}
	for q, err := range eachUnderPrefix(s, record.Queues, tx, nil) {
		if err != nil {
			continue
		}
		if err := enough(record.TableItems, record.AppendName(nil, string(q.Name)), fmt.Sprintf("items of queue %q", q.Name), q.Items); err != nil {
			return err
		}
	}
	for p, err := range tx.Table(record.TableTallies).ScanPrefix(nil) {
		var r record.Tally
		if err != nil || s.codec.Decode(record.TableTallies, p.Key, p.Value, &r) != nil {
			continue
		}
		if err := enough(record.TableActs, p.Key, record.DescribeRecord(record.TableTallies, p.Key)+": acts", int(r.Acts)); err != nil {
			return err
		}
	}
	return nil
}

// Check reads every record and every picture of the project and gives how many records are whole, and what
// is damaged: records, pages, pictures and texts that are not the ones that their hashes say, groups with
// other records than were written. What a record says is not looked at. It may run while others write.
func (s *Store) Check(ctx context.Context) (n int, damage []error, err error) {
	if err := s.file.FreelistError(); err != nil {
		damage = append(damage, err)
	}
	for _, t := range record.Tables() {
		for p, err := range s.file.Scan(ctx, t, nil, nil) {
			switch {
			case err != nil:
			case t == record.TablePictures:
				_, err = s.Datasets().Picture(eval.PictureHash(hex.EncodeToString(p.Key)))
			case t == record.TableTexts:
				_, err = s.Texts().Text(hex.EncodeToString(p.Key))
			}
			switch {
			case errors.Is(err, ErrCorrupt):
				damage = append(damage, err)
			case err != nil:
				return n, damage, err
			case t != record.TableMeta && t != record.TableSums:
				n++
			}
		}
	}
	return n, damage, nil
}

// WriteTo writes the project as of one commit, while it is in use.
func (s *Store) WriteTo(w io.Writer) (int64, error) { return s.file.WriteTo(w) }

// Compact writes the project anew: every record with its checksum, long texts compressed, and no page that is free.
// The store has to be open for writing, and is to be closed afterwards.
func (s *Store) Compact(ctx context.Context) error { return s.file.Compact(ctx, s.codec.PackTexts) }

// Repair writes what can be read of a damaged project into a new one, says how many records these are, and
// what could not be read. Totals are counted anew from what was saved. The damaged file stays as it is.
func Repair(ctx context.Context, path, to string, o Options) (records int, lost []error, err error) {
	saved, err := file.Repair(path, to, o, uint64(1+len(listMigrations())))
	for t, n := range saved.Records {
		if t != record.TableSums {
			records += n
		}
	}
	if err != nil {
		return records, saved.Lost, err
	}
	s, err := Open(to, Options{Now: o.Now, Logger: o.Logger, Copy: true})
	if err != nil {
		return records, saved.Lost, err
	}
	err = s.recountTotals(ctx)
	return records, saved.Lost, errors.Join(err, s.Close())
}
