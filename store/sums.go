package store

import (
	"fmt"

	"concord/store/file"
	"concord/store/record"
)

// sumUp takes a project to schema 12: values get an envelope from then on, and
// the records of each group are summed up. It refuses a project that has fewer
// records than it has counted: what is missing would be missing for good. Of one
// that was repaired that has been told.
func sumUp(tx *file.Tx, s *Store) error {
	if err := tx.SumUp(); err != nil {
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
	for t, err := range eachUnder(s, record.Totals, tx, nil) {
		if err != nil {
			continue // told by whoever needs it
		}
		if err := enough(record.TablePredictions, record.RunKey(t.Run), fmt.Sprintf("predictions of run %d", t.Run), t.Counts.Predictions); err != nil {
			return err
		}
	}
	for d, err := range eachUnder(s, record.Datasets, tx, nil) {
		if err != nil {
			continue
		}
		if err := enough(record.TableSamples, record.AppendName(nil, string(d.Name)), fmt.Sprintf("samples of dataset %q", d.Name), d.Samples); err != nil {
			return err
		}
	}
	for q, err := range eachUnder(s, record.Queues, tx, nil) {
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
