package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
)

var _ curation.Appender = (*Curation)(nil)

// Curation keeps what experts did to the samples of a dataset, act by act. The
// acts of an expert, and those of a dataset, are one range.
type Curation struct{ s *Store }

// Curation is the handle of experts' acts.
func (s *Store) Curation() *Curation { return &Curation{s} }

// Append commits acts in their order, all or none. An act that is stored
// already, word for word, is accepted in silence, so that trying again after
// a lost answer is safe; any other act whose number is not the next one gives
// annotate.ErrConflict. A word that an expert gives, or brings back, after they
// were shown what others say is kept as informed. The dataset must be whole and hold the sample, else
// eval.ErrNotFound.
func (c *Curation) Append(ctx context.Context, acts []curation.Act) error {
	values := make([][]byte, len(acts))
	size := 0
	for i := range acts {
		if err := record.CheckName("annotator", string(acts[i].Expert)); err != nil {
			return err
		}
		raw, err := c.s.codec.Encode(record.FromCurationAct(&acts[i]))
		if err != nil {
			return err
		}
		values[i] = raw
		size += 2*len(raw) + 256
	}
	return c.s.file.Do(ctx, size, func(tx *file.Tx) error {
		for i := range acts {
			if err := c.append(tx, &acts[i], values[i]); err != nil {
				one := &acts[i]
				return fmt.Errorf("append act %d of %s on dataset %q: %w", one.N, one.Expert, one.Dataset, err)
			}
		}
		return nil
	})
}

func (c *Curation) append(tx *file.Tx, one *curation.Act, value []byte) error {
	key := record.ExpertKey(one.Dataset, one.Expert)
	at := record.AppendU32(file.Clone(key), one.N)
	b := tx.Table(record.TableCuration)
	stored := heads.By(c.s.codec).Unbound(record.TableCuration, b.Get(at))
	if stored != nil && bytes.Equal(stored, value) {
		return nil
	}
	shown, err := c.sight(tx, one)
	if err != nil {
		return err
	}
	if shown && !one.Informed {
		marked := *one
		if marked.Informed = true; stored != nil {
			if value, err = c.s.codec.Encode(record.FromCurationAct(&marked)); err != nil || bytes.Equal(stored, value) {
				return err
			}
		}
		one = &marked
	}
	if next := lastNumber(b, key) + 1; one.N != next {
		return fmt.Errorf("act %d comes next: %w", next, annotate.ErrConflict)
	}
	ds, err := c.s.Datasets().in(tx, one.Dataset)
	switch {
	case err != nil:
		return err
	case !ds.Complete:
		return fmt.Errorf("dataset %q is not imported whole: %w", one.Dataset, eval.ErrNotFound)
	case tx.Table(record.TableSamples).Get(record.SampleKey(one.Dataset, one.Sample)) == nil:
		return fmt.Errorf("sample %d: %w", one.Sample, eval.ErrNotFound)
	}
	if one.Kind == curation.Looked {
		if err := c.s.Disclosures().put(tx, lookedAt(one)); err != nil {
			return err
		}
	}
	r := record.FromCurationAct(one)
	if value, err = heads.By(c.s.codec).Bind(tx, record.TableCuration, at, &r); err != nil {
		return err
	}
	return b.Put(at, value)
}

// sight reports whether an expert gives a word, or brings one back, after they
// were shown what others say of the sample.
func (c *Curation) sight(tx *file.Tx, one *curation.Act) (bool, error) {
	switch one.Kind {
	case curation.Judged, curation.Placed, curation.Ruled, curation.TookBack:
	case curation.KindUnset, curation.Skipped, curation.Noted, curation.Looked:
		return false, nil
	}
	all, err := c.s.Disclosures().of(tx, one.Expert, one.Dataset, one.Sample)
	return slices.ContainsFunc(all, func(d annotate.Disclosure) bool {
		return d.Key.Run == 0 && d.Content == annotate.OthersContent && (!one.Imported || !d.At.After(one.At))
	}), err
}

// lookedAt is what a look at other experts' words discloses.
func lookedAt(look *curation.Act) *annotate.Disclosure {
	out := annotate.OfSample(look.Dataset, look.Sample, annotate.OthersContent)
	out.Person, out.Screen, out.At = look.Expert, "curation of "+string(look.Dataset), look.At
	return &out
}

// lastNumber is the number that the last key under a prefix ends with; 0 when
// there is none.
func lastNumber(b *file.Table, prefix []byte) uint32 {
	last, ok := b.LastOf(prefix)
	if !ok || len(last.Key) != len(prefix)+4 {
		return 0
	}
	return binary.BigEndian.Uint32(last.Key[len(prefix):])
}

func (c *Curation) read(key, raw []byte) (curation.Act, error) {
	d, rest, ok := record.CutName(key)
	who, n, named := record.CutName(rest)
	if !ok || !named || len(n) != 4 {
		return curation.Act{}, record.Corrupt(record.TableCuration, key, "no key of an act")
	}
	var r record.Curation
	if err := c.s.codec.Decode(record.TableCuration, key, raw, &r); err != nil {
		return curation.Act{}, err
	}
	return r.Act(eval.DatasetName(d), annotate.Annotator(who), binary.BigEndian.Uint32(n)), nil
}

// Acts gives one expert's acts in a dataset, in order. With an error come
// those that can be read.
func (c *Curation) Acts(d eval.DatasetName, who annotate.Annotator) ([]curation.Act, error) {
	return file.Collect(file.Records(c.s.file.Scan(context.Background(), record.TableCuration, record.ExpertKey(d, who), nil), c.read))
}

// All yields all acts in a dataset, expert by expert, each in order. One that
// cannot be read yields an error that names it, and the scan goes on.
func (c *Curation) All(ctx context.Context, d eval.DatasetName) iter.Seq2[curation.Act, error] {
	return file.Records(c.s.file.Scan(ctx, record.TableCuration, record.AppendName(nil, string(d)), nil), c.read)
}
