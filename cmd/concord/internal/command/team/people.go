package team

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/keys"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/roster"
	"concord/store"
)

// NewPeopleCmd makes the command people.
func NewPeopleCmd(a *project.Project) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Say who has access from elsewhere, and in which role",
		Long:  cli.Help("people"),
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE:  cli.NeedSubcommand,
	}
	cmd.AddCommand(newPeopleAddCmd(a), newPeopleRoleCmd(a), newPeopleKeyCmd(a), newPeopleRemoveCmd(a), newPeopleListCmd(a))
	return cmd
}

func newPeopleListCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List people: role, keys, since when, and how much they labelled",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.Read(cmd.Context(), func(st *store.Store) error { return listPeople(a, st) })
		},
	}
}

func newPeopleAddCmd(a *project.Project) *cobra.Command {
	var file, role, by string
	cmd := &cobra.Command{
		Use:   "add NAME --key FILE",
		Short: "Add a user, by their public key",
		Example: `  concord people add ann --key ann.pub
  concord people add bob --key bob.pub --role adjudicator
  curl -s https://example.org/cem.keys | concord people add cem --key -`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := annotate.ParseRole(role)
			if err != nil || as == annotate.RoleNone {
				return cli.Usage(fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(Roles, ", ")))
			}
			given, err := publicKeys(a, file)
			if err != nil {
				return cli.Usage(err)
			}
			who, err := roster.PersonName(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			return changePerson(a, cmd, who, by, func(p *annotate.Person) error {
				if p.Role > annotate.RoleNone {
					return cli.Usage(fmt.Errorf("%s is there already, as %s (see: concord people role, concord people key)", who, p.Role))
				}
				p.Role, p.Keys = as, nil
				roster.AddKeys(p, given)
				return nil
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&file, "key", "", "`file` of their public keys, as OpenSSH writes them (required); - reads standard input")
	fs.StringVar(&role, "role", annotate.RoleAnnotator.String(), "what they may do: annotator, curator, adjudicator or owner")
	actorFlag(cmd, &by)
	a.Require(cmd, "key")
	return cmd
}

func newPeopleRoleCmd(a *project.Project) *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "role NAME ROLE",
		Short: "Give somebody another role",
		Args:  cli.UsageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := annotate.ParseRole(args[1])
			if err != nil {
				return cli.Usage(err)
			}
			return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error { return roster.GiveRole(p, as) })
		},
	}
	actorFlag(cmd, &by)
	return cmd
}

func newPeopleRemoveCmd(a *project.Project) *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a user; what they did stays",
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error { return roster.GiveRole(p, annotate.RoleNone) })
		},
	}
	actorFlag(cmd, &by)
	return cmd
}

func actorFlag(cmd *cobra.Command, by *string) {
	cmd.Flags().StringVar(by, "as", "", "annotator (default: the current user of the project, else the system user)")
}

func newPeopleKeyCmd(a *project.Project) *cobra.Command {
	var add, remove, by string
	cmd := &cobra.Command{
		Use:   "key NAME --add FILE | --remove FINGERPRINT",
		Short: "Give somebody a further key, or take one away",
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (add == "") == (remove == "") {
				return cli.Usage(errors.New("give --add FILE or --remove FINGERPRINT, one of them"))
			}
			var given []keys.Key
			if add != "" {
				var err error
				if given, err = publicKeys(a, add); err != nil {
					return cli.Usage(err)
				}
			}
			return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error {
				switch {
				case p.Role == annotate.RoleUnset:
					return roster.NotAdded(p.Name)
				case add != "":
					roster.AddKeys(p, given)
					return nil
				}
				return roster.DropKey(p, remove)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&add, "add", "", "`file` of public keys, as OpenSSH writes them; - reads standard input")
	fs.StringVar(&remove, "remove", "", "the `fingerprint` of a key, as people list has it")
	actorFlag(cmd, &by)
	return cmd
}

// Roles are what people are given, the least first.
var Roles = func() (out []string) {
	for _, r := range annotate.Roles() {
		out = append(out, r.String())
	}
	return out
}()
