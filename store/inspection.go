package store

import (
	"cmp"
	"context"
	"fmt"

	"concord/annotate/curation"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Inspections keeps pools of samples as models answered them without their
// pictures, and with them.
type Inspections struct{ s *Store }

// Inspections is the handle of inspections.
func (s *Store) Inspections() *Inspections { return &Inspections{s} }

// Add keeps an inspection and gives its number, from 1. The number in i is not
// looked at, and one without a time gets the present one. A name that is taken
// gives ErrInvalid: what was inspected is never changed.
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
	if err != nil {
		return 0, fmt.Errorf("add inspection %s: %w", i.Name, err)
	}
	return curation.ID(n), nil
}

// requireFreeName refuses a name that an inspection has.
func (p *Inspections) requireFreeName(tx *file.Tx, name string) error {
	for one, err := range eachUnder(p.s, record.Inspections, tx, nil) {
		if err == nil && one.Name == name {
			err = fmt.Errorf("%w: the name is that of inspection %d", ErrInvalid, one.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// List gives all inspections, oldest first. With an error come those that can
// be read.
func (p *Inspections) List() ([]curation.Inspection, error) {
	return listUnder(p.s, record.Inspections, nil)
}

// Inspection is the one of a name; eval.ErrNotFound without one.
func (p *Inspections) Inspection(name string) (curation.Inspection, error) {
	all, err := p.List()
	i, ok := eval.First(all, func(i curation.Inspection) bool { return i.Name == name })
	if !ok {
		return i, fmt.Errorf("find inspection %q: %w", name, cmp.Or(err, eval.ErrNotFound))
	}
	return i, nil
}
