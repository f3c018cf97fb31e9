package cli

import (
	"fmt"
	"strings"
	"unicode"

	"concord/eval/text"

	"github.com/spf13/cobra"
)

// UsageArgs makes cobra's complaint about arguments a usage error.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return Usage(fmt.Errorf("%w (see: %s --help)", err, cmd.CommandPath()))
		}
		return nil
	}
}

// NeedSubcommand is what a group of commands does when none is named.
func NeedSubcommand(cmd *cobra.Command, _ []string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return Usage(fmt.Errorf("%s what? One of %s (see: %s --help)", cmd.CommandPath(), strings.Join(names, ", "), cmd.CommandPath()))
}

// Need refuses a command that lacks flags.
func Need(cmd *cobra.Command, names ...string) error {
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f == nil || f.Value.String() == "" {
			return Usage(fmt.Errorf("--%s is missing (see: %s --help)", n, cmd.CommandPath()))
		}
	}
	return nil
}

// Require marks flags as required, with a usage error that names them.
func (e *Env) Require(cmd *cobra.Command, names ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		for _, n := range names {
			if f := cmd.Flags().Lookup(n); f == nil || f.Value.String() == "" {
				return Usage(fmt.Errorf("--%s is missing (see: %s --help)", n, cmd.CommandPath()))
			}
		}
		return nil
	}
}

// CheckName refuses a name for a queue or a dataset that would not stay on its
// line in lists, or be lost between words of a command.
func CheckName(what, name string) error {
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return Usage(fmt.Errorf("%q is no name for a %s: it takes one line of letters, without spaces around them", name, what))
	}
	return nil
}

// ShellWord is a name as a shell takes it, to be copied from a screen.
func ShellWord(name string) string { return text.Outside(name).Shell() }
