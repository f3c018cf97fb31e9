package main

import (
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"concord/annotate"
	"concord/cmd/concord/keys"
	"concord/eval/stat"
	"concord/store"
)

// member is somebody who may come in, who came in once, or who has worked on
// this machine without having been added (then without a role).
type member struct {
	annotate.Person           // as they are now
	Since           time.Time // when their role was given to them; zero without one
	GaveRole        annotate.Annotator
	Fingerprints    []string // of their keys, in their order
	Labels, Votes   int      // that stand, over all queues; scores are labels
}

// members are all of them, by name.
func members(st *store.Store) ([]member, error) {
	versions, err := st.People().History()
	if err != nil {
		return nil, err
	}
	all := make(map[annotate.Annotator]*member)
	for _, p := range versions { // the oldest first
		m := all[p.Name]
		if m == nil {
			m = &member{}
			all[p.Name] = m
		}
		if m.Role != p.Role {
			m.Since, m.GaveRole = p.At, p.By
		}
		m.Person = p
	}
	for _, m := range all {
		for _, k := range m.Keys {
			m.Fingerprints = append(m.Fingerprints, keys.Fingerprint(k))
		}
	}
	if err := countWork(st, all); err != nil {
		return nil, err
	}
	out := make([]member, 0, len(all))
	for _, m := range all {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b member) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// countWork adds what people did, and those who did it without being known.
func countWork(st *store.Store, all map[annotate.Annotator]*member) error {
	queues, err := st.Queues().List()
	if err != nil {
		return err
	}
	for _, q := range queues {
		tally, err := st.Acts().Tally(q.Name)
		if err != nil {
			return err
		}
		for who, t := range tally {
			m := all[who]
			if m == nil {
				m = &member{Person: annotate.Person{Name: who}}
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

// memberLine is a member as scripts read it.
type memberLine struct {
	Name   annotate.Annotator  `json:"name"`
	Role   *string             `json:"role"` // null: works here without having been added
	Since  *time.Time          `json:"since"`
	By     *annotate.Annotator `json:"by"` // who gave them the role
	Keys   []string            `json:"keys"`
	Labels int                 `json:"labels"`
	Votes  int                 `json:"votes"`
}

func lineOfMember(m *member) memberLine {
	line := memberLine{Name: m.Name, Keys: append([]string{}, m.Fingerprints...), Labels: m.Labels, Votes: m.Votes}
	if m.Role != annotate.RoleUnset {
		role := m.Role.String()
		line.Role, line.Since, line.By = &role, &m.Since, &m.GaveRole
	}
	return line
}

func listPeople(a *app, st *store.Store) error {
	all, err := members(st)
	if err != nil {
		return err
	}
	if a.json {
		lines := make([]memberLine, 0, len(all))
		for i := range all {
			lines = append(lines, lineOfMember(&all[i]))
		}
		return a.writeJSON(map[string]any{"report": "team", "confidence": stat.Confidence, "rows": lines})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.out, "nobody yet (let somebody in with: concord people add NAME --key FILE)")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tROLE\tSINCE\tBY\tLABELS\tVOTES\tKEYS")
	added := false
	for i := range all {
		added = printMember(w, &all[i]) || added
	}
	if err := w.Flush(); err != nil || added {
		return err
	}
	_, err = fmt.Fprintln(a.out, "\nnobody may come in from elsewhere yet (concord people add NAME --key FILE)")
	return err
}

// printMember writes a row, with further keys below it, and reports whether
// somebody was added at all.
func printMember(w *tabwriter.Writer, m *member) bool {
	role, since, by, first := "-", "-", "-", "-"
	if m.Role != annotate.RoleUnset {
		role, since, by = m.Role.String(), m.Since.Local().Format(time.DateOnly), cmp.Or(visible(string(m.GaveRole)), "-")
	}
	if len(m.Fingerprints) > 0 {
		first = m.Fingerprints[0]
	}
	_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", visible(string(m.Name)), role, since, by, m.Labels, m.Votes, first)
	for _, k := range m.Fingerprints[min(1, len(m.Fingerprints)):] {
		_, _ = fmt.Fprintf(w, "\t\t\t\t\t\t%s\n", k)
	}
	return m.Role != annotate.RoleUnset
}

// memberNames are people who were added, for the shell.
func memberNames(st *store.Store) ([]string, error) {
	all, err := st.People().List()
	var out []string
	for _, p := range all {
		out = append(out, captioned(string(p.Name), p.Role.String()))
	}
	return out, err
}
