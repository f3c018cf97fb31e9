package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/eval"
	"concord/eval/text"
)

// UsageArgs makes cobra's complaint about arguments a usage error.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			hint := ""
			if len(args) > 0 {
				hint = eval.DidYouMean(args[0], subcommands(cmd))
			}
			return Usage(fmt.Errorf("%w%s (see: %s --help)", err, hint, cmd.CommandPath()))
		}
		return nil
	}
}

func subcommands(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// FlagError makes cobra's complaint about a flag a usage error, which names the
// nearest flag where there is none of that name.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Usage(err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return Usage(fmt.Errorf("%w%s (see: %s --help)", err, eval.DidYouMean("--"+unknown.GetSpecifiedName(), names), cmd.CommandPath()))
}

// NeedSubcommand is what a group of commands does when none is named.
func NeedSubcommand(cmd *cobra.Command, _ []string) error {
	return Usage(fmt.Errorf("%s what? One of %s (see: %s --help)", cmd.CommandPath(), strings.Join(subcommands(cmd), ", "), cmd.CommandPath()))
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
