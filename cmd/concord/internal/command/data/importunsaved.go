package data

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/unsaved"
	"concord/eval/bound"
	"concord/store"
)

func newImportUnsavedCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "unsaved FILE",
		Short: "Take in what could not be saved, from the file in which it was kept",
		Long:  cli.Help("importunsaved"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := bound.OpenFile(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			left, problems, err := unsaved.Read(bound.Reader(f, "the file", bound.Results))
			if err = errors.Join(err, f.Close()); err != nil {
				return fmt.Errorf("read %s: %w", args[0], err)
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				taken, more, err := left.Into(cmd.Context(), st)
				if err != nil {
					return err
				}
				return printUnsaved(a, &left, taken, append(problems, more...))
			})
		},
	}
}

func printUnsaved(a *project.Project, left *unsaved.Acts, taken int, problems []unsaved.Problem) error {
	for _, p := range problems {
		_, _ = fmt.Fprintf(a.Err, "concord: %s\n", cli.Visible(p.Error()))
	}
	var err error
	if a.JSON {
		err = a.WriteJSON(map[string]int{"acts": left.Len(), "taken": taken, "problems": len(problems)})
	} else {
		_, err = fmt.Fprintf(a.Out, "%s in the file, %d of them taken in\n", cli.Counted(left.Len(), "act", "acts"), taken)
	}
	if err == nil && len(problems) > 0 {
		err = cli.StatusError{Code: cli.ExitFailed, Quiet: true}
	}
	return err
}
