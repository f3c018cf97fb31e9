package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/store/file"
	"concord/store/record"
)

// People keeps who may work on the project from elsewhere, and as what.
type People struct{ s *Store }

// People is the handle of people.
func (s *Store) People() *People { return &People{s} }

// Put stores a version of a person. It gives annotate.ErrConflict for one that
// does not follow the last, and for a key that is somebody else's: a key is one
// person.
func (p *People) Put(ctx context.Context, one annotate.Person) error {
	if err := record.People.Validate(&one); err != nil {
		return err
	}
	return p.s.file.Apply(ctx, 512, func(tx *file.Tx) error {
		all, err := p.versions(tx)
		if err != nil {
			return file.Reject(err)
		}
		for _, other := range lastVersions(all) {
			switch {
			case other.Name == one.Name && other.Version != one.Version-1:
				return file.Reject(fmt.Errorf("person %s: version %d is the last: %w", one.Name, other.Version, annotate.ErrConflict))
			case other.Name != one.Name && other.Role != annotate.RoleNone && sharesKey(other.Keys, one.Keys):
				return file.Reject(fmt.Errorf("person %s: that key is %s's: %w", one.Name, other.Name, annotate.ErrConflict))
			}
		}
		return putValue(p.s, record.People, tx, &one)
	})
}

func sharesKey(a, b []string) bool {
	return slices.ContainsFunc(a, func(k string) bool { return slices.Contains(b, k) })
}

// List gives everybody as they are now, by name; those who come in no more too.
func (p *People) List() ([]annotate.Person, error) {
	all, err := p.History()
	return lastVersions(all), err
}

// History gives all versions of everybody, by name, the oldest first.
func (p *People) History() ([]annotate.Person, error) { return readInTx(p.s, p.versions) }

func (p *People) versions(tx *file.Tx) ([]annotate.Person, error) {
	var all []annotate.Person
	for one, err := range eachUnder(p.s, record.People, tx, nil) {
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

func lastVersions(all []annotate.Person) []annotate.Person {
	var out []annotate.Person
	for i := range all {
		if i+1 == len(all) || all[i+1].Name != all[i].Name {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(out, func(a, b annotate.Person) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Leases keeps what each annotator has in front of them in each queue, so that
// they find it there again, and nobody else does, when the process ended.
type Leases struct{ s *Store }

// Leases is the handle of leases.
func (s *Store) Leases() *Leases { return &Leases{s} }

// Put notes leases of a queue, each in the place of the one that the annotator
// had there; one without Until gives it up.
func (l *Leases) Put(ctx context.Context, q annotate.QueueName, all ...annotate.Lease) error {
	return l.s.file.Apply(ctx, 128*len(all), func(tx *file.Tx) error {
		b := tx.Table(record.TableLeases)
		for _, one := range all {
			key := record.StreamPrefix(q, one.Who)
			if one.Until.IsZero() {
				if err := b.Delete(key); err != nil {
					return err
				}
				continue
			}
			if err := putAt(l.s, record.Leases, tx, key, &one); err != nil {
				return err
			}
		}
		return nil
	})
}

// OfQueue gives the leases of a queue, by annotator, those that have run out too.
func (l *Leases) OfQueue(q annotate.QueueName) ([]annotate.Lease, error) {
	return listUnder(l.s, record.Leases, record.AppendName(nil, string(q)))
}
