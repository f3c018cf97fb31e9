package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/store"
)

func fixed(of []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(of, cobra.ShellCompDirectiveNoFileComp)
}

// onlyFirst completes the first argument only.
func onlyFirst(do cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return do(cmd, args, typed)
	}
}

// fromProject completes names that the project holds. A project that cannot be
// read has none: nobody wants an error in the middle of a line.
func fromProject(a *app, list func(*store.Store) ([]string, error)) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return begun(listNames(cmd.Context(), a, list), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// begun are the names that go on from what was typed.
func begun(all []string, typed string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, typed) })
}

// listNames reads names from the project, or has the process that holds it read
// them.
func listNames(ctx context.Context, a *app, list func(*store.Store) ([]string, error)) (out []string) {
	if ctx == nil {
		ctx = context.Background()
	}
	take := func(st *store.Store) (err error) {
		out, err = list(st)
		return err
	}
	var answer bytes.Buffer
	quiet := *a
	quiet.out, quiet.err, quiet.isTerm = &answer, io.Discard, false
	if err := quiet.read(ctx, take); err != nil {
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

// captioned is a name with what the shell may say beside it. Both are of one line.
func captioned(name, about string) string {
	return visible(name) + "\t" + visible(about)
}
