package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Curation keeps what experts did to the samples of a dataset, act by act. The
// acts of an expert, and those of a dataset, are one range.
type Curation struct{ s *Store }

// Curation is the handle of experts' acts.
func (s *Store) Curation() *Curation { return &Curation{s} }

// Append commits acts in their order, all or none. An act that is stored already, word for
// word, is accepted in silence, so that trying again after a lost answer is safe; any other act
// whose number is not the next one gives annotate.ErrConflict. A word that an expert gives, or
// brings back, after they were shown what others say is kept as informed. The dataset must be
// whole and hold the sample, else eval.ErrNotFound.
func (c *Curation) Append(ctx context.Context, acts []curation.Act) error {
	return appendActs(ctx, c.s, record.CurationActs, acts, nil, c.appendAct)
}

func (c *Curation) appendAct(tx *file.Tx, one *curation.Act, value []byte) error {
	key := record.ExpertPrefix(one.Dataset, one.Expert)
	at := record.AppendU32(file.Clone(key), one.N)
	b := tx.Table(record.TableCuration)
	stored := unboundBytes(c.s, record.CurationActs, tx, at)
	if stored != nil && bytes.Equal(stored, value) {
		return nil
	}
	shown, err := c.isInformed(tx, one)
	if err != nil {
		return err
	}
	if shown && !one.Informed {
		marked := *one
		if marked.Informed = true; stored != nil {
			if value, err = record.CurationActs.Encode(c.s.codec, &marked); err != nil || bytes.Equal(stored, value) {
				return err
			}
		}
		one = &marked
	}
	if next := nextNumberUnder(b, key, 1); one.N != next {
		return fmt.Errorf("act %d comes next: %w", next, annotate.ErrConflict)
	}
	if err := c.s.Datasets().requireWholeDataset(tx, one.Dataset, one.Sample); err != nil {
		return err
	}
	if one.Kind == curation.Looked {
		if err := c.s.Disclosures().putDisclosure(tx, newLookDisclosure(one)); err != nil {
			return err
		}
	}
	return putChainedAct(c.s, record.CurationActs, tx, at, one)
}

// isInformed reports whether an expert gives a word, or brings one back, after they
// were shown what others say of the sample.
func (c *Curation) isInformed(tx *file.Tx, one *curation.Act) (bool, error) {
	switch one.Kind {
	case curation.Judged, curation.Placed, curation.Ruled, curation.TookBack:
	case curation.KindUnset, curation.Skipped, curation.Noted, curation.Looked:
		return false, nil
	}
	all, err := c.s.Disclosures().shownOfSample(tx, one.Expert, one.Dataset, one.Sample)
	return slices.ContainsFunc(all, func(d annotate.Disclosure) bool {
		return d.Key.Run == 0 && d.Content == annotate.OthersContent && (!one.Imported || !d.At.After(one.At))
	}), err
}

// newLookDisclosure gives what a look at other experts' words discloses.
func newLookDisclosure(look *curation.Act) *annotate.Disclosure {
	out := annotate.NewSampleDisclosure(look.Dataset, look.Sample, annotate.OthersContent)
	out.Person, out.Screen, out.At = look.Expert, "curation of "+string(look.Dataset), look.At
	return &out
}

// nextNumberUnder is the one behind the number that the last key under a prefix ends with;
// first when there is none.
func nextNumberUnder(b *file.Table, prefix []byte, first uint32) uint32 {
	last, ok := b.LastUnder(prefix)
	if !ok || len(last.Key) != len(prefix)+4 {
		return first
	}
	return binary.BigEndian.Uint32(last.Key[len(prefix):]) + 1
}

// Acts gives one expert's acts in a dataset, in order. With an error come those that can be read.
func (c *Curation) Acts(d eval.DatasetName, who annotate.Annotator) ([]curation.Act, error) {
	return listPrefix(c.s, record.CurationActs, record.ExpertPrefix(d, who))
}

// All yields all acts in a dataset, expert by expert, each in order. One that
// cannot be read yields an error that names it, and the scan goes on.
func (c *Curation) All(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return scanPrefix(ctx, c.s, record.CurationActs, record.AppendName(nil, string(d)))
}

// Inspections keeps pools of samples as models answered them without their pictures, and with them.
type Inspections struct{ s *Store }

// Inspections is the handle of inspections.
func (s *Store) Inspections() *Inspections { return &Inspections{s} }

// Add keeps an inspection and gives its number, from 1. The number in i is not looked at, and one without a
// time gets the present one. A name that is taken gives ErrInvalid: what was inspected is never changed.
func (p *Inspections) Add(ctx context.Context, i curation.Inspection) (id curation.ID, err error) {
	if err := record.CheckName("inspection", i.Name); err != nil {
		return 0, err
	}
	if i.Created.IsZero() {
		i.Created = p.s.now()
	}
	raw, err := record.Inspections.Encode(p.s.codec, &i)
	if err != nil {
		return 0, err
	}
	n, err := putNumbered(ctx, p.s, record.Inspections, raw, func(tx *file.Tx) error { return p.requireFreeName(tx, i.Name) })
	return curation.ID(n), eval.WrapError(err, "add inspection %s", i.Name)
}

func (p *Inspections) requireFreeName(tx *file.Tx, name string) error {
	for one, err := range eachUnderPrefix(p.s, record.Inspections, tx, nil) {
		if err == nil && one.Name == name {
			err = fmt.Errorf("%w: the name is that of inspection %d", ErrInvalid, one.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// List gives all inspections, oldest first. With an error come those that can be read.
func (p *Inspections) List() ([]curation.Inspection, error) {
	return listPrefix(p.s, record.Inspections, nil)
}

// Inspection is the one of a name; eval.ErrNotFound without one.
func (p *Inspections) Inspection(name string) (curation.Inspection, error) {
	all, err := p.List()
	i, ok := eval.FirstWanted(all, func(i curation.Inspection) bool { return i.Name == name })
	if !ok {
		return i, fmt.Errorf("find inspection %q: %w", name, cmp.Or(err, eval.ErrNotFound))
	}
	return i, nil
}

// Criteria keeps what people did about the criteria of samples, act by act.
// The acts of a sample, and those of a dataset, are one range.
type Criteria struct{ s *Store }

// Criteria is the handle of criteria.
func (s *Store) Criteria() *Criteria { return &Criteria{s} }

// Append commits acts in their order, all or none, each on where the ones before it leave its
// sample. An act that is stored already, word for word, is accepted in silence, so that trying
// again after a lost answer is safe; any other that may not come next gives the reason of
// criteria.Check (criteria.ErrConflict, ErrOwn and so on). The dataset must be whole and hold
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
		if err = c.s.Datasets().requireWholeDataset(tx, one.Dataset, one.Sample); err != nil {
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
		if err := requireOtherSample(tx, one); err != nil {
			return err
		}
	}
	sets[string(prefix)] = next
	return putChainedAct(c.s, record.CriteriaActs, tx, at, one)
}

// requireOtherSample refuses a replacement that is no other sample of the dataset.
func requireOtherSample(tx *file.Tx, one *criteria.Act) error {
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
	acts, err := file.Collect(eachUnderPrefix(c.s, record.CriteriaActs, tx, record.SampleKey(d, o)))
	return criteria.FoldActs(d, o, acts), err
}

// Set gives the criteria of a sample; an empty set when nobody has acted on
// it, also when there is no such sample.
func (c *Criteria) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	acts, err := listPrefix(c.s, record.CriteriaActs, record.SampleKey(d, o))
	return criteria.FoldActs(d, o, eval.Either(err == nil, acts, nil)), err
}

// Acts yields all acts on the samples of a dataset, sample by sample, each in order. One that
// cannot be read yields an error that names it, and the scan goes on.
func (c *Criteria) Acts(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Act, error] {
	return scanPrefix(ctx, c.s, record.CriteriaActs, record.AppendName(nil, string(d)))
}

// All yields the sets of a dataset's samples on which anybody has acted, in the order of samples. One
// with an act that cannot be read yields an error that names it instead, and the scan goes on.
func (c *Criteria) All(ctx context.Context, d eval.DatasetName) iter.Seq2[criteria.Set, error] {
	return foldSamples(ctx, c.s, record.CriteriaActs, record.AppendName(nil, string(d)), func(o eval.Ordinal, acts []criteria.Act) criteria.Set {
		return criteria.FoldActs(d, o, acts)
	})
}

// foldSamples yields what fold makes of the acts on each sample under a prefix, in the
// order of samples. One with an act that cannot be read yields an error that names it
// beside what fold makes of none, and the scan goes on.
func foldSamples[A, S any](ctx context.Context, s *Store, k *record.Kind[A], prefix []byte, fold func(eval.Ordinal, []A) S) iter.Seq2[S, error] {
	return func(yield func(S, error) bool) {
		var acts []A
		var sample []byte // what the keys of its acts begin with
		var broken error
		flush := func() bool {
			o, _ := record.DecodeNumber(sample[max(0, len(sample)-4):])
			of, err := acts, broken
			if acts, broken = nil, nil; err != nil {
				return yield(fold(eval.Ordinal(o), nil), err)
			}
			return len(of) == 0 || yield(fold(eval.Ordinal(o), of), nil)
		}
		for p, err := range s.file.Scan(ctx, k.Table, prefix, nil) {
			if err != nil {
				var none S
				_ = flush() && yield(none, err)
				return
			}
			if of := p.Key[:max(0, len(p.Key)-4)]; !bytes.Equal(of, sample) {
				if !flush() {
					return
				}
				sample = file.Clone(of)
			}
			a, err := decodeRecord(s, k, p.Key, p.Value)
			acts, broken = append(acts, a), cmp.Or(broken, err)
		}
		flush()
	}
}
