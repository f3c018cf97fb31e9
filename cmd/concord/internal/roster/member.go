package roster

import (
	"cmp"
	"slices"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/keys"
	"concord/eval"
	"concord/store"
)

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
		m := all[p.Name]
		if m == nil {
			m = &Member{}
			all[p.Name] = m
		}
		if m.Role != p.Role {
			m.Since, m.GaveRole = p.At, p.By
		}
		m.Person = p
	}
	for _, m := range all {
		m.Fingerprints = append(m.Fingerprints, eval.Map(m.Keys, keys.Fingerprint)...)
	}
	if err := countWork(st, all); err != nil {
		return nil, err
	}
	out := make([]Member, 0, len(all))
	for _, m := range all {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b Member) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// countWork adds what people did, and those who did it without being known.
func countWork(st *store.Store, all map[annotate.Annotator]*Member) error {
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
			m := all[who]
			if m == nil {
				m = &Member{Person: annotate.Person{Name: who}}
				all[who] = m
			}
			if q.Rule.From == annotate.FromPairs {
				m.Votes += t.Labelled
			} else {
				m.Labels += t.Labelled
			}
		}
	}
	return nil
}
