package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/cmd/concord/keys"
	"concord/eval"
	"concord/store"
)

func newPeopleCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Say who may come in from elsewhere, and as what",
		Long: `Says who may work on the project from elsewhere. A key is one person, and a
person has a role: an annotator labels and votes, a curator writes guidelines and
criteria and curates pools besides, an adjudicator labels, settles what people
differ on and reads reports, an owner does everything. Whoever can write the
project's file is an owner anyway. These commands are done while people work,
too: the process that holds the project does them.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: needSubcommand,
	}
	cmd.AddCommand(newPeopleAddCmd(a), newPeopleRoleCmd(a), newPeopleKeyCmd(a), newPeopleRemoveCmd(a), newPeopleListCmd(a))
	return cmd
}

func newPeopleListCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List people: role, keys, since when, and how much they labelled",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.read(cmd.Context(), func(st *store.Store) error { return listPeople(a, st) })
		},
	}
}

func newPeopleAddCmd(a *app) *cobra.Command {
	var file, role, by string
	cmd := &cobra.Command{
		Use:   "add NAME --key FILE",
		Short: "Let somebody in, by their public key",
		Example: `  concord people add ann --key ann.pub
  concord people add bob --key bob.pub --role adjudicator
  curl -s https://example.org/cem.keys | concord people add cem --key -`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := annotate.ParseRole(role)
			if err != nil || as == annotate.RoleNone {
				return usageError{fmt.Errorf("unknown role %q: want one of %s", role, strings.Join(roles, ", "))}
			}
			given, err := publicKeys(a, file)
			if err != nil {
				return usageError{err}
			}
			who, err := personName(args[0])
			if err != nil {
				return usageError{err}
			}
			return changePerson(a, cmd, who, by, func(p *annotate.Person) error {
				if p.Role > annotate.RoleNone {
					return usageError{fmt.Errorf("%s is there already, as %s (see: concord people role, concord people key)", who, p.Role)}
				}
				p.Role, p.Keys = as, nil
				addKeys(p, given)
				return nil
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&file, "key", "", "`file` of their public keys, as OpenSSH writes them (required); - reads standard input")
	fs.StringVar(&role, "role", annotate.RoleAnnotator.String(), "what they may do: annotator, curator, adjudicator or owner")
	actorFlag(cmd, &by)
	a.require(cmd, "key")
	return cmd
}

func newPeopleRoleCmd(a *app) *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "role NAME ROLE",
		Short: "Give somebody another role",
		Args:  usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			as, err := annotate.ParseRole(args[1])
			if err != nil {
				return usageError{err}
			}
			return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error { return giveRole(p, as) })
		},
	}
	actorFlag(cmd, &by)
	return cmd
}

func newPeopleRemoveCmd(a *app) *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Let somebody in no more; what they did stays",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error { return giveRole(p, annotate.RoleNone) })
		},
	}
	actorFlag(cmd, &by)
	return cmd
}

func actorFlag(cmd *cobra.Command, by *string) {
	cmd.Flags().StringVar(by, "as", "", "who does it (default: who works on the project here, else the user)")
}

// giveRole changes the role of somebody who was added.
func giveRole(p *annotate.Person, as annotate.Role) error {
	if p.Role == annotate.RoleUnset {
		return notAdded(p.Name)
	}
	p.Role = as
	return nil
}

func notAdded(who annotate.Annotator) error {
	return fmt.Errorf("person %s: %w (see: concord people list)", who, eval.ErrNotFound)
}

func newPeopleKeyCmd(a *app) *cobra.Command {
	var add, remove, by string
	cmd := &cobra.Command{
		Use:   "key NAME --add FILE | --remove FINGERPRINT",
		Short: "Give somebody a further key, or take one away",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (add == "") == (remove == "") {
				return usageError{errors.New("give --add FILE or --remove FINGERPRINT, one of them")}
			}
			var given []keys.Key
			if add != "" {
				var err error
				if given, err = publicKeys(a, add); err != nil {
					return usageError{err}
				}
			}
			return changePerson(a, cmd, annotate.Annotator(args[0]), by, func(p *annotate.Person) error {
				switch {
				case p.Role == annotate.RoleUnset:
					return notAdded(p.Name)
				case add != "":
					addKeys(p, given)
					return nil
				}
				return dropKey(p, remove)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&add, "add", "", "`file` of public keys, as OpenSSH writes them; - reads standard input")
	fs.StringVar(&remove, "remove", "", "the `fingerprint` of a key, as people list has it")
	actorFlag(cmd, &by)
	return cmd
}
