package project

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/store"
)

// Fixed completes words that are known beforehand.
func Fixed(of []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp)
}

// OnlyFirst completes the first argument only.
func OnlyFirst(do cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return do(cmd, args, typed)
	}
}

// FromProject completes names that the project holds. A project that cannot be
// read has none: nobody wants an error in the middle of a line.
func FromProject(a *Project, list func(*store.Store) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return Begun(ListNames(cmd.Context(), a, list), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// Begun are the names that go on from what was typed.
func Begun(all []string, typed string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, typed) })
}

// ListNames reads names from the project, or has the process that holds it read
// them.
func ListNames(ctx context.Context, a *Project, list func(*store.Store) ([]string, error)) (out []string) {
	if ctx == nil {
		ctx = context.Background()
	}
	take := func(st *store.Store) (err error) {
		out, err = list(st)
		return err
	}
	var answer bytes.Buffer
	quiet := *a
	quiet.Out, quiet.Err, quiet.IsTerm = &answer, io.Discard, false
	if err := quiet.Read(ctx, take); err != nil {
		return nil
	}
	if answer.Len() == 0 {
		return out
	}
	// The holder has completed the same line, and ended with the directive.
	for line := range strings.Lines(answer.String()) {
		if strings.HasPrefix(line, ":") {
			break
		}
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

// Captioned is a name with what the shell may say beside it. Both are of one line.
func Captioned(name, about string) string {
	return cli.Visible(name) + "\t" + cli.Visible(about)
}
