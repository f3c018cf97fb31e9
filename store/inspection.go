package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/annotate/curation"
	"concord/eval"
	"concord/eval/stat"
)

// Inspections keeps pools of samples as models answered them without their
// pictures, and with them.
type Inspections struct{ s *Store }

// Inspections is the handle of inspections.
func (s *Store) Inspections() *Inspections { return &Inspections{s} }

// The record of an inspection; its number stands in its key. A share is its two
// numbers, a mark its sample and the two counts.
type (
	inspectionRecord struct {
		Name       string            `cbor:"1,keyasint,omitempty"`
		Dataset    string            `cbor:"2,keyasint,omitempty"`
		Settings   [6][2]int         `cbor:"3,keyasint"` // keep, abnormal, easy, moderate, hard, doubtful
		Inspectors []inspectorRecord `cbor:"4,keyasint,omitempty"`
		Graders    []inspectorRecord `cbor:"5,keyasint,omitempty"`
		Marks      [][5]uint32       `cbor:"6,keyasint,omitempty"`
		By         string            `cbor:"7,keyasint,omitempty"`
		Created    int64             `cbor:"8,keyasint,omitempty"`
	}
	inspectorRecord struct {
		Run   uint64 `cbor:"1,keyasint,omitempty"`
		Model string `cbor:"2,keyasint,omitempty"`
		Rules string `cbor:"3,keyasint,omitempty"`
		Judge string `cbor:"4,keyasint,omitempty"`
	}
)

func fromInspection(i *curation.Inspection) inspectionRecord {
	r := inspectionRecord{Name: i.Name, Dataset: string(i.Dataset), By: string(i.By), Created: millis(i.Created)}
	s := &i.Settings
	for at, share := range []curation.Share{s.Keep, s.Abnormal, s.Easy, s.Moderate, s.Hard, s.Doubtful} {
		r.Settings[at] = [2]int{share.K, share.Of}
	}
	for _, one := range i.Inspectors {
		r.Inspectors = append(r.Inspectors, inspectorRecord{uint64(one.Run), one.Model, one.Rules, one.Judge})
	}
	for _, one := range i.Graders {
		r.Graders = append(r.Graders, inspectorRecord{uint64(one.Run), one.Model, one.Rules, one.Judge})
	}
	for _, m := range i.Marks {
		r.Marks = append(r.Marks, [5]uint32{uint32(m.Sample), uint32(m.Blind.K), uint32(m.Blind.N), uint32(m.Sighted.K), uint32(m.Sighted.N)})
	}
	return r
}

func (r *inspectionRecord) inspection(id curation.ID) curation.Inspection {
	share := func(at int) curation.Share { return curation.Share{K: r.Settings[at][0], Of: r.Settings[at][1]} }
	out := curation.Inspection{
		ID: id, Name: r.Name, Dataset: eval.DatasetName(r.Dataset), By: annotate.Annotator(r.By), Created: fromMillis(r.Created),
		Settings: curation.Settings{Keep: share(0), Abnormal: share(1), Easy: share(2), Moderate: share(3), Hard: share(4), Doubtful: share(5)},
	}
	for _, one := range r.Inspectors {
		out.Inspectors = append(out.Inspectors, curation.Inspector{Run: eval.RunID(one.Run), Model: one.Model, Rules: one.Rules, Judge: one.Judge})
	}
	for _, one := range r.Graders {
		out.Graders = append(out.Graders, curation.Inspector{Run: eval.RunID(one.Run), Model: one.Model, Rules: one.Rules, Judge: one.Judge})
	}
	for _, m := range r.Marks {
		out.Marks = append(out.Marks, curation.Mark{
			Sample: eval.Ordinal(m[0]), Blind: stat.Count{K: int(m[1]), N: int(m[2])}, Sighted: stat.Count{K: int(m[3]), N: int(m[4])},
		})
	}
	return out
}

// Add keeps an inspection and gives its number, from 1. The number in i is not
// looked at, and one without a time gets the present one. A name that is taken
// gives ErrInvalid: what was inspected is never changed.
func (p *Inspections) Add(ctx context.Context, i curation.Inspection) (id curation.ID, err error) {
	if err := checkName("inspection", i.Name); err != nil {
		return 0, err
	}
	if i.Created.IsZero() {
		i.Created = p.s.now()
	}
	raw, err := p.s.codec.encode(fromInspection(&i))
	if err != nil {
		return 0, err
	}
	err = p.s.do(ctx, len(raw), func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(tableInspections))
		if err := p.free(b, i.Name); err != nil {
			return err
		}
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		id = curation.ID(n)
		return b.Put(u64(n), raw)
	})
	if err != nil {
		return 0, fmt.Errorf("add inspection %s: %w", i.Name, err)
	}
	return id, nil
}

// free refuses a name that an inspection has.
func (p *Inspections) free(b *bbolt.Bucket, name string) error {
	return b.ForEach(func(k, v []byte) error {
		one, err := p.read(k, v)
		if err == nil && one.Name == name {
			err = fmt.Errorf("%w: the name is that of inspection %d", ErrInvalid, one.ID)
		}
		return err
	})
}

// List gives all inspections, oldest first. With an error come those that can
// be read.
func (p *Inspections) List() ([]curation.Inspection, error) {
	return collect(records(p.s.scan(context.Background(), tableInspections, nil, nil), p.read))
}

// Inspection is the one of a name; eval.ErrNotFound without one.
func (p *Inspections) Inspection(name string) (curation.Inspection, error) {
	all, err := p.List()
	for _, i := range all {
		if i.Name == name {
			return i, nil
		}
	}
	if err == nil {
		err = eval.ErrNotFound
	}
	return curation.Inspection{}, fmt.Errorf("find inspection %q: %w", name, err)
}

func (p *Inspections) read(key, raw []byte) (curation.Inspection, error) {
	var r inspectionRecord
	if err := p.s.codec.decode(tableInspections, key, raw, &r); err != nil {
		return curation.Inspection{}, err
	}
	n, ok := number(key)
	if !ok {
		return curation.Inspection{}, corrupt(tableInspections, key, "no number of an inspection")
	}
	return r.inspection(curation.ID(n)), nil
}
