package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/roster"
	"concord/cmd/concord/internal/server"
	"concord/cmd/concord/internal/workers"
	"concord/eval"
	"concord/eval/stat"
	"concord/store"
)

// NewPeopleCmd makes the command people.
func NewPeopleCmd(a *project.Project) *cobra.Command {
	return project.NewGroupCmd("people", "Say who has access from elsewhere, and in which role",
		newPeopleAddCmd(a), newPeopleKeyCmd(a),
		newRoleCmd(a, "role NAME ROLE", "Give somebody another role", 2, func(args []string) (annotate.Role, error) { return annotate.ParseRole(args[1]) }),
		newRoleCmd(a, "remove NAME", "Remove a user; what they did stays", 1, func([]string) (annotate.Role, error) { return annotate.RoleNone, nil }),
		project.NewShowCmd(a, "list", "List people: role, keys, since when, and how much they labelled", listPeople))
}

func newPeopleAddCmd(a *project.Project) *cobra.Command {
	var file, role, by string
	cmd := project.NewCmd("add NAME --key FILE", "Add a user, by their public key", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		as, err := annotate.ParseRole(role)
		if err != nil || as == annotate.RoleNone {
			return cli.NewUsageError(fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(Roles, ", ")))
		}
		given, err := readPublicKeys(a, file)
		if err != nil {
			return cli.NewUsageError(err)
		}
		who, err := roster.ParsePersonName(args[0])
		if err != nil {
			return cli.NewUsageError(err)
		}
		return changePerson(a, cmd, who, by, func(p *annotate.Person) error {
			if p.Role > annotate.RoleNone {
				return cli.NewUsageError(fmt.Errorf("%s is there already, as %s (see: concord people role, concord people key)", who, p.Role))
			}
			p.Role, p.Keys = as, nil
			roster.AddKeys(p, given)
			return nil
		})
	})
	fs := cmd.Flags()
	fs.StringVar(&file, "key", "", "`file` of their public keys, as OpenSSH writes them (required); - reads standard input")
	fs.StringVar(&role, "role", annotate.RoleAnnotator.String(), "what they may do: annotator, curator, adjudicator or owner")
	project.AddActorFlag(cmd, &by)
	a.MarkRequiredFlags(cmd, "key")
	return cmd
}

// newRoleCmd gives the person who is named first a role.
func newRoleCmd(a *project.Project, use, short string, args int, role func(args []string) (annotate.Role, error)) *cobra.Command {
	var by string
	cmd := project.NewCmd(use, short, cobra.ExactArgs(args), func(cmd *cobra.Command, args []string) error {
		as, err := role(args)
		if err != nil {
			return cli.NewUsageError(err)
		}
		return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error { return roster.GiveRole(p, as) })
	})
	project.AddActorFlag(cmd, &by)
	return cmd
}

func newPeopleKeyCmd(a *project.Project) *cobra.Command {
	var add, remove, by string
	cmd := project.NewCmd("key NAME --add FILE | --remove FINGERPRINT", "Give somebody a further key, or take one away", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		if (add == "") == (remove == "") {
			return cli.NewUsageError(errors.New("give --add FILE or --remove FINGERPRINT, one of them"))
		}
		var given []keys.Key
		if add != "" {
			var err error
			if given, err = readPublicKeys(a, add); err != nil {
				return cli.NewUsageError(err)
			}
		}
		return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error {
			switch {
			case p.Role == annotate.RoleUnset:
				return roster.NewNotAddedError(p.Name)
			case add != "":
				roster.AddKeys(p, given)
				return nil
			}
			return roster.DropKey(p, remove)
		})
	})
	fs := cmd.Flags()
	fs.StringVar(&add, "add", "", "`file` of public keys, as OpenSSH writes them; - reads standard input")
	fs.StringVar(&remove, "remove", "", "the `fingerprint` of a key, as people list has it")
	project.AddActorFlag(cmd, &by)
	return cmd
}

// Roles are what people are given, the least first.
var Roles = eval.Map(annotate.AllRoles(), annotate.Role.String)

func listPeople(a *project.Project, st *store.Store) error {
	all, err := roster.ListMembers(st)
	if err != nil {
		return err
	}
	if a.JSON {
		lines := append([]memberLine{}, eval.Map(all, func(m roster.Member) memberLine { return newMemberLine(&m) })...)
		return a.WriteJSON(map[string]any{"report": "team", "confidence": stat.Confidence, "rows": lines})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.Out, "nobody yet (add a user with: concord people add NAME --key FILE)")
		return err
	}
	table := [][]string{{"NAME", "ROLE", "SINCE", "BY", "LABELS", "VOTES", "KEYS"}}
	added := false
	for i := range all {
		added = added || all[i].Role != annotate.RoleUnset
		table = append(table, formatMemberRows(&all[i])...)
	}
	if err := cli.WriteColumns(a.Out, table); err != nil || added {
		return err
	}
	_, err = fmt.Fprintln(a.Out, "\nnobody has access from elsewhere yet (concord people add NAME --key FILE)")
	return err
}

// formatMemberRows gives a row, and further keys below it.
func formatMemberRows(m *roster.Member) [][]string {
	role, since, by, first := "-", "-", "-", "-"
	if m.Role != annotate.RoleUnset {
		role, since, by = m.Role.String(), m.Since.Local().Format(time.DateOnly), cmp.Or(string(m.GaveRole), "-")
	}
	if len(m.Fingerprints) > 0 {
		first = m.Fingerprints[0]
	}
	out := [][]string{{string(m.Name), role, since, by, fmt.Sprint(m.Labels), fmt.Sprint(m.Votes), first}}
	out = append(out, eval.Map(m.Fingerprints[min(1, len(m.Fingerprints)):], func(k string) []string { return []string{"", "", "", "", "", "", k} })...)
	return out
}

// ListMemberNames lists people who were added, for the shell.
func ListMemberNames(st *store.Store) ([]string, error) {
	all, err := st.People().List()
	return eval.Map(all, func(p annotate.Person) string { return project.FormatCompletion(string(p.Name), p.Role.String()) }), err
}

func readPublicKeys(a *project.Project, path string) ([]keys.Key, error) {
	text, err := a.ReadSourceOrSent(path, keys.Longest)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	all, err := keys.ParseKeys(text)
	return all, eval.WrapError(err, "read key %s", path)
}

// changePerson stores the next version of a person, as edit makes it of the one
// that is there; what changes nothing is told so.
func changePerson(a *project.Project, cmd *cobra.Command, who annotate.Annotator, by string, edit func(*annotate.Person) error) error {
	return a.ChangeStoreOrForward(cmd, nil, func(st *store.Store) error {
		one, changed, err := roster.StorePersonVersion(cmd.Context(), a, st, who, by, edit)
		if err != nil {
			return err
		}
		return printPerson(a, &one, changed)
	})
}

// printPerson tells what somebody may do now.
func printPerson(a *project.Project, p *annotate.Person, added bool) error {
	prints := append([]string{}, eval.Map(p.Keys, keys.Fingerprint)...)
	said := fmt.Sprintf("%s has access as %s, by %s", p.Name, p.Role, cmp.Or(strings.Join(prints, ", "), "no key yet: give them one"))
	if p.Role == annotate.RoleNone {
		said = fmt.Sprintf("%s comes in no more; what they did stays", p.Name)
	}
	said += eval.Either(!added, ", as before; nothing to add", "")
	return a.PrintResult(map[string]any{"name": p.Name, "role": p.Role.String(), "keys": prints, "version": p.Version, "by": p.By, "at": p.At, "added": added}, "%s\n", cli.EscapeControls(said))
}

type memberLine struct {
	Name   annotate.Annotator  `json:"name"`
	Role   *string             `json:"role"` // null: works here without having been added
	Since  *time.Time          `json:"since"`
	By     *annotate.Annotator `json:"by"` // who gave them the role
	Keys   []string            `json:"keys"`
	Labels int                 `json:"labels"`
	Votes  int                 `json:"votes"`
}

func newMemberLine(m *roster.Member) memberLine {
	line := memberLine{Name: m.Name, Keys: append([]string{}, m.Fingerprints...), Labels: m.Labels, Votes: m.Votes}
	if m.Role != annotate.RoleUnset {
		role := m.Role.String()
		line.Role, line.Since, line.By = &role, &m.Since, &m.GaveRole
	}
	return line
}

// serveProject serves a project, with workers for the runs that people start where they are asked for.
func serveProject(ctx context.Context, a *project.Project, st *store.Store, o server.ServeOptions, w *workers.Flags) error {
	if w.Addr == "" {
		return server.ServeOverSSH(ctx, a, st, o)
	}
	s, err := w.OpenToWorkers(ctx, a)
	if err != nil {
		return err
	}
	server.FindListener(a).Share = s.HoldRunAndPrint
	err = server.ServeOverSSH(ctx, a, st, o)
	err = errors.Join(err, a.Guests.Close()) // which ends the runs
	s.Close(err)
	return err
}

// NewServeCmd makes the command serve.
func NewServeCmd(a *project.Project) *cobra.Command {
	var o server.ServeOptions
	var w workers.Flags
	cmd := project.NewCmd("serve", "Let a team work on the project at once, through ssh", nil, func(cmd *cobra.Command, _ []string) error {
		if err := w.Check(); err != nil {
			return err
		}
		return a.WriteExistingStore(cmd.Context(), func(st *store.Store) error { return serveProject(cmd.Context(), a, st, o, &w) })
	})
	fs := cmd.Flags()
	w.AddFlags(fs)
	fs.StringVar(&o.Listen, "listen", "127.0.0.1:2222", "the `address` to listen on; 0.0.0.0:2222 is reached from elsewhere")
	fs.StringVar(&o.HostKey, "host-key", "", "the `file` of the key by which people know this host again (default: one of this machine, made on first use)")
	fs.StringVar(&o.Authorized, "authorized-keys", "", "let in whose key stands in this `file` too; read anew whenever somebody comes")
	fs.StringVar(&o.Role, "role", annotate.RoleAnnotator.String(), "the `role` of those in it who have none in the project")
	fs.IntVar(&o.Sessions, "sessions", 64, "how many at once, at most")
	fs.DurationVar(&o.Idle, "idle", 30*time.Minute, "end a session in which nothing is typed for so long; 0: never")
	return cmd
}
