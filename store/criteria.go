package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Criteria keeps what people did about the criteria of samples, act by act.
// The acts of a sample, and those of a dataset, are one range.
type Criteria struct{ s *Store }

// Criteria is the handle of criteria.
func (s *Store) Criteria() *Criteria { return &Criteria{s} }

// Append commits acts in their order, all or none, each on where the ones
// before it leave its sample. An act that is stored already, word for word, is
// accepted in silence, so that trying again after a lost answer is safe; any
// other that may not come next gives the reason of criteria.Check
// (criteria.ErrConflict, ErrOwn and so on). The dataset must be whole and hold
// the sample, and the one that stands in for it, else eval.ErrNotFound.
func (c *Criteria) Append(ctx context.Context, acts ...criteria.Act) error {
	sets := make(map[string]criteria.Set)
	return appendActs(ctx, c.s, record.CriteriaActs, acts, func() { clear(sets) }, func(tx *file.Tx, one *criteria.Act, value []byte) error {
		return c.appendAct(tx, sets, one, value)
	})
}

// appendAct takes one act; sets are those that the transaction has derived.
func (c *Criteria) appendAct(tx *file.Tx, sets map[string]criteria.Set, one *criteria.Act, value []byte) error {
	prefix := record.SampleKey(one.Dataset, one.Sample)
	at := record.AppendU32(file.Clone(prefix), one.N)
	if bytes.Equal(unboundBytes(c.s, record.CriteriaActs, tx, at), value) {
		return nil
	}
	set, known := sets[string(prefix)]
	if !known {
		var err error
		if err = c.s.Datasets().requireWhole(tx, one.Dataset, one.Sample); err != nil {
			return err
		}
		if set, err = c.foldActs(tx, one.Dataset, one.Sample); err != nil {
			return err
		}
	}
	next, err := set.WithAct(*one)
	if err != nil {
		return err
	}
	if one.Kind == criteria.Replaced {
		if err := checkReplacement(tx, one); err != nil {
			return err
		}
	}
	sets[string(prefix)] = next
	return bindAct(c.s, record.CriteriaActs, tx, at, one)
}

// checkReplacement refuses a replacement that is no other sample of the dataset.
func checkReplacement(tx *file.Tx, one *criteria.Act) error {
	o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(one.Dataset, one.Other)))
	switch {
	case !ok:
		return fmt.Errorf("sample %q of dataset %q: %w", one.Other, one.Dataset, eval.ErrNotFound)
	case eval.Ordinal(o) == one.Sample:
		return fmt.Errorf("sample %q stands in for itself: %w", one.Other, criteria.ErrNothing)
	}
	return nil
}

// foldActs folds a sample's acts within a transaction.
func (c *Criteria) foldActs(tx *file.Tx, d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	acts, err := file.Collect(eachUnder(c.s, record.CriteriaActs, tx, record.SampleKey(d, o)))
	return criteria.FoldActs(d, o, acts), err
}

// Set gives the criteria of a sample; an empty set when nobody has acted on
// it, also when there is no such sample.
func (c *Criteria) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	acts, err := listUnder(c.s, record.CriteriaActs, record.SampleKey(d, o))
	if err != nil {
		return criteria.NewSet(d, o), err
	}
	return criteria.FoldActs(d, o, acts), nil
}

// Acts yields all acts on the samples of a dataset, sample by sample, each in
// order. One that cannot be read yields an error that names it, and the scan
// goes on.
func (c *Criteria) Acts(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Act, error] {
	return scanUnder(ctx, c.s, record.CriteriaActs, record.AppendName(nil, string(d)))
}

// All yields the sets of a dataset's samples on which anybody has acted, in
// the order of samples. One with an act that cannot be read yields an error
// that names it instead, and the scan goes on.
func (c *Criteria) All(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return func(yield func(criteria.Set, error) bool) {
		var acts []criteria.Act
		var at eval.Ordinal
		var broken error
		flush := func() bool {
			set, err := criteria.NewSet(d, at), broken
			if err == nil && len(acts) > 0 {
				set = criteria.FoldActs(d, at, acts)
			}
			none := err == nil && len(acts) == 0
			acts, broken = nil, nil
			return none || yield(set, err)
		}
		for p, err := range c.s.file.Scan(ctx, record.TableCriteria, record.AppendName(nil, string(d)), nil) {
			if err != nil {
				_ = flush() && yield(criteria.NewSet(d, at), err)
				return
			}
			if _, rest, ok := record.CutName(p.Key); ok && len(rest) >= 4 {
				if o := eval.Ordinal(binary.BigEndian.Uint32(rest)); o != at {
					if !flush() {
						return
					}
					at = o
				}
			}
			a, err := decodeRecord(c.s, record.CriteriaActs, p.Key, p.Value)
			if err != nil && broken == nil {
				broken = err
			}
			acts = append(acts, a)
		}
		flush()
	}
}
