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
	if err := record.CheckName("person", string(one.Name)); err != nil {
		return err
	}
	raw, err := p.s.codec.Encode(record.Person{Role: uint8(one.Role), Keys: one.Keys, By: string(one.By), At: record.Millis(one.At)})
	if err != nil {
		return err
	}
	return p.s.file.Do(ctx, len(raw)+256, func(tx *file.Tx) error {
		all, err := p.versions(tx)
		if err != nil {
			return file.Reject(err)
		}
		for _, other := range current(all) {
			switch {
			case other.Name == one.Name && other.Version != one.Version-1:
				return file.Reject(fmt.Errorf("person %s: version %d is the last: %w", one.Name, other.Version, annotate.ErrConflict))
			case other.Name != one.Name && other.Role != annotate.RoleNone && sharesKey(other.Keys, one.Keys):
				return file.Reject(fmt.Errorf("person %s: that key is %s's: %w", one.Name, other.Name, annotate.ErrConflict))
			}
		}
		return tx.Table(record.TablePeople).Put(record.PersonKey(one.Name, one.Version), raw)
	})
}

func sharesKey(a, b []string) bool {
	return slices.ContainsFunc(a, func(k string) bool { return slices.Contains(b, k) })
}

// List gives everybody as they are now, by name; those who come in no more too.
func (p *People) List() ([]annotate.Person, error) {
	all, err := p.History()
	return current(all), err
}

// History gives all versions of everybody, by name, the oldest first.
func (p *People) History() (all []annotate.Person, err error) {
	err = p.s.file.View(func(tx *file.Tx) error { all, err = p.versions(tx); return err })
	return all, err
}

func (p *People) versions(tx *file.Tx) ([]annotate.Person, error) {
	var all []annotate.Person
	for one, err := range file.Records(tx.Table(record.TablePeople).Prefix(nil), p.read) {
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

func (p *People) read(key, raw []byte) (annotate.Person, error) {
	who, rest, ok := record.CutName(key)
	n, numbered := record.Number(rest)
	if !ok || !numbered {
		return annotate.Person{}, record.Corrupt(record.TablePeople, key, "no key of a person")
	}
	var r record.Person
	if err := p.s.codec.Decode(record.TablePeople, key, raw, &r); err != nil {
		return annotate.Person{}, err
	}
	return annotate.Person{
		Name: annotate.Annotator(who), Role: annotate.Role(r.Role), Keys: r.Keys, Version: int(n),
		By: annotate.Annotator(r.By), At: record.FromMillis(r.At),
	}, nil
}

// current are the last versions.
func current(all []annotate.Person) []annotate.Person {
	var out []annotate.Person
	for i := range all {
		if i+1 == len(all) || all[i+1].Name != all[i].Name {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(out, func(a, b annotate.Person) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
