package roster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// longestName bounds a person's name, in bytes: it stands in lists.
const longestName = 64

// ParsePersonName gives a name that somebody can be added under.
func ParsePersonName(name string) (annotate.Annotator, error) {
	odd := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case name == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, odd):
		return "", fmt.Errorf("%q is no name for somebody: it takes letters, without spaces around them", name)
	case len(name) > longestName:
		return "", fmt.Errorf("the name %.20q... is longer than %d bytes", name, longestName)
	}
	return annotate.Annotator(name), nil
}

// AddKeys gives somebody keys that they do not have yet.
func AddKeys(p *annotate.Person, given []keys.Key) {
	p.Keys = eval.AppendUnique(p.Keys, eval.Map(given, func(k keys.Key) string { return k.Line })...)
}

// DropKey takes a key away, by its fingerprint.
func DropKey(p *annotate.Person, fingerprint string) error {
	if !strings.HasPrefix(fingerprint, "SHA256:") {
		fingerprint = "SHA256:" + fingerprint
	}
	for i, k := range p.Keys {
		if keys.Fingerprint(k) == fingerprint {
			p.Keys = slices.Delete(p.Keys, i, i+1)
			return nil
		}
	}
	return fmt.Errorf("key %s of %s: %w (see: concord people list)", fingerprint, p.Name, eval.ErrNotFound)
}

// StorePersonVersion stores the next version of a person, unless it would be as the last.
func StorePersonVersion(ctx context.Context, a *project.Project, st *store.Store, who annotate.Annotator, by string, edit func(*annotate.Person) error) (one annotate.Person, changed bool, err error) {
	all, err := st.People().List()
	if err != nil {
		return one, false, err
	}
	was := annotate.Person{Name: who}
	if i := slices.IndexFunc(all, func(p annotate.Person) bool { return p.Name == who }); i >= 0 {
		was = all[i]
	}
	next := was
	next.Keys = slices.Clone(was.Keys)
	if err := edit(&next); err != nil {
		return one, false, err
	}
	if next.Role == was.Role && slices.Equal(next.Keys, was.Keys) {
		return was, false, nil
	}
	if err := requireUnsharedKeys(all, &next); err != nil {
		return one, false, err
	}
	if next, err = was.NextVersion(next.Role, next.Keys, annotate.Annotator(a.ActorName(by)), a.Now()); err != nil {
		return one, false, err
	}
	if err := st.People().Put(ctx, next); err != nil {
		return next, true, err
	}
	return next, true, inheritDisclosuresOfKey(ctx, st, all, &was, &next)
}

// inheritDisclosuresOfKey has who comes in by a key have been shown what somebody was who came in
// by it before and was removed: a key is one person, whatever their name.
func inheritDisclosuresOfKey(ctx context.Context, st *store.Store, all []annotate.Person, was, now *annotate.Person) error {
	for _, other := range all {
		if other.Name == now.Name || !slices.ContainsFunc(now.Keys, func(k string) bool {
			return slices.Contains(other.Keys, k) && !slices.Contains(was.Keys, k)
		}) {
			continue
		}
		var seen []annotate.Disclosure
		for one, err := range st.Disclosures().ShownTo(ctx, other.Name) {
			if err != nil {
				return fmt.Errorf("find out what %s was shown: %w", other.Name, err)
			}
			one.Person = now.Name
			seen = append(seen, one)
		}
		if err := st.Disclosures().Record(ctx, seen); err != nil {
			return err
		}
	}
	return nil
}

// requireUnsharedKeys refuses a key that is somebody else's, since a key says who comes in.
func requireUnsharedKeys(all []annotate.Person, p *annotate.Person) error {
	for _, other := range all {
		if other.Name == p.Name || other.Role == annotate.RoleNone || p.Role == annotate.RoleNone {
			continue
		}
		for _, k := range p.Keys {
			if slices.Contains(other.Keys, k) {
				return fmt.Errorf("key %s is %s's: a key is one person", keys.Fingerprint(k), other.Name)
			}
		}
	}
	return nil
}

// GiveRole changes the role of somebody who was added.
func GiveRole(p *annotate.Person, as annotate.Role) error {
	if p.Version == 0 {
		return NewNotAddedError(p.Name)
	}
	p.Role = as
	return nil
}

// NewNotAddedError says that somebody is not among the people of the project.
func NewNotAddedError(who annotate.Annotator) error {
	return fmt.Errorf("person %s: %w (see: concord people list)", who, eval.ErrNotFound)
}

// Member is somebody who may come in, who came in once, or who has worked on
// this machine without having been added (then without a role).
type Member struct {
	annotate.Person           // as they are now
	Since           time.Time // when their role was given to them; zero without one
	GaveRole        annotate.Annotator
	Fingerprints    []string // of their keys, in their order
	Labels, Votes   int      // that stand, over all queues; scores are labels
}

// ListMembers lists all of them, by name.
func ListMembers(st *store.Store) ([]Member, error) {
	versions, err := st.People().History()
	if err != nil {
		return nil, err
	}
	all := make(map[annotate.Annotator]*Member)
	for _, p := range versions { // the oldest first
		m := eval.GetOrAdd(all, p.Name, func() *Member { return &Member{} })
		if m.Role != p.Role {
			m.Since, m.GaveRole = p.At, p.By
		}
		m.Person = p
	}
	for _, m := range all {
		m.Fingerprints = append(m.Fingerprints, eval.Map(m.Keys, keys.Fingerprint)...)
	}
	if err := addWorkCounts(st, all); err != nil {
		return nil, err
	}
	out := eval.Map(slices.Collect(maps.Values(all)), func(m *Member) Member { return *m })
	slices.SortFunc(out, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// addWorkCounts adds what people did, and those who did it without being known.
func addWorkCounts(st *store.Store, all map[annotate.Annotator]*Member) error {
	queues, err := st.Queues().List()
	if err != nil {
		return err
	}
	for _, q := range queues {
		tally, err := st.Acts().Tallies(q.Name)
		if err != nil {
			return err
		}
		for who, t := range tally {
			m := eval.GetOrAdd(all, who, func() *Member { return &Member{Person: annotate.Person{Name: who}} })
			*eval.Either(q.Rule.From == annotate.FromPairs, &m.Votes, &m.Labels) += t.Labelled
		}
	}
	return nil
}
