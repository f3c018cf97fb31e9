package team

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/roster"
	"concord/eval/stat"
	"concord/store"
)

func listPeople(a *project.Project, st *store.Store) error {
	all, err := roster.Members(st)
	if err != nil {
		return err
	}
	if a.JSON {
		lines := make([]memberLine, 0, len(all))
		for i := range all {
			lines = append(lines, lineOfMember(&all[i]))
		}
		return a.WriteJSON(map[string]any{"report": "team", "confidence": stat.Confidence, "rows": lines})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.Out, "nobody yet (add a user with: concord people add NAME --key FILE)")
		return err
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tROLE\tSINCE\tBY\tLABELS\tVOTES\tKEYS")
	added := false
	for i := range all {
		added = printMember(w, &all[i]) || added
	}
	if err := w.Flush(); err != nil || added {
		return err
	}
	_, err = fmt.Fprintln(a.Out, "\nnobody has access from elsewhere yet (concord people add NAME --key FILE)")
	return err
}

// printMember writes a row, with further keys below it, and reports whether
// somebody was added at all.
func printMember(w *tabwriter.Writer, m *roster.Member) bool {
	role, since, by, first := "-", "-", "-", "-"
	if m.Role != annotate.RoleUnset {
		role, since, by = m.Role.String(), m.Since.Local().Format(time.DateOnly), cmp.Or(cli.Visible(string(m.GaveRole)), "-")
	}
	if len(m.Fingerprints) > 0 {
		first = m.Fingerprints[0]
	}
	_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", cli.Visible(string(m.Name)), role, since, by, m.Labels, m.Votes, first)
	for _, k := range m.Fingerprints[min(1, len(m.Fingerprints)):] {
		_, _ = fmt.Fprintf(w, "\t\t\t\t\t\t%s\n", k)
	}
	return m.Role != annotate.RoleUnset
}

// MemberNames are people who were added, for the shell.
func MemberNames(st *store.Store) ([]string, error) {
	all, err := st.People().List()
	var out []string
	for _, p := range all {
		out = append(out, project.Captioned(string(p.Name), p.Role.String()))
	}
	return out, err
}

// publicKeys reads a file of public keys.
func publicKeys(a *project.Project, path string) ([]keys.Key, error) {
	text, err := a.Source(path, keys.Longest)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	all, err := keys.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read key %s: %w", path, err)
	}
	return all, nil
}

// changePerson stores the next version of a person, as edit makes it of the one
// that is there; what changes nothing is told so.
func changePerson(a *project.Project, cmd *cobra.Command, who annotate.Annotator, by string, edit func(*annotate.Person) error) error {
	return a.Change(cmd, nil, func(st *store.Store) error {
		one, changed, err := roster.PutPerson(cmd.Context(), a, st, who, by, edit)
		if err != nil {
			return err
		}
		return printPerson(a, &one, changed)
	})
}

// printPerson tells what somebody may do now.
func printPerson(a *project.Project, p *annotate.Person, added bool) error {
	prints := make([]string, 0, len(p.Keys))
	for _, k := range p.Keys {
		prints = append(prints, keys.Fingerprint(k))
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{"name": p.Name, "role": p.Role.String(), "keys": prints, "version": p.Version, "by": p.By, "at": p.At, "added": added})
	}
	said := fmt.Sprintf("%s has access as %s, by %s", p.Name, p.Role, cmp.Or(strings.Join(prints, ", "), "no key yet: give them one"))
	if p.Role == annotate.RoleNone {
		said = fmt.Sprintf("%s comes in no more; what they did stays", p.Name)
	}
	if !added {
		said += ", as before; nothing to add"
	}
	_, err := fmt.Fprintln(a.Out, cli.Visible(said))
	return err
}
