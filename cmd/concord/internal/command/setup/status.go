package setup

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/store"
)

// NewStatusCmd makes the command status.
func NewStatusCmd(a *project.Project) *cobra.Command {
	return project.NewShowCmd(a, "status", "Show how far the project is, and the next step", func(a *project.Project, st *store.Store) error {
		steps, err := view.ListSteps(st)
		if err != nil {
			return err
		}
		return printSteps(a, steps)
	})
}

func printSteps(a *project.Project, steps []view.Step) error {
	if a.JSON {
		return a.WriteJSON(map[string]any{"steps": steps, "next": view.NextStep(steps).Command})
	}
	for _, s := range steps {
		mark := " "
		if s.Done {
			mark = "✓"
		}
		if _, err := fmt.Fprintf(a.Out, "%s %-8s %s\n", mark, s.Name, cli.EscapeControls(s.Said)); err != nil {
			return err
		}
	}
	next := cmp.Or(view.NextStep(steps).Command, "nothing, a corrected figure is saved and exported")
	_, err := fmt.Fprintf(a.Out, "next: %s\n", cli.EscapeControls(next))
	return err
}

// NewVersionCmd makes the command version.
func NewVersionCmd(a *project.Project) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, Go's version and the schema of projects",
		RunE: func(*cobra.Command, []string) error {
			return a.Print(struct {
				eval.Build
				Schema int `json:"schema"`
			}{eval.ThisBuild(), store.SchemaNumber()}, "concord version %s\n", FormatVersion())
		},
	}
}

// FormatVersion gives what concord --version prints behind "concord version".
func FormatVersion() string {
	b := eval.ThisBuild()
	return fmt.Sprintf("%s, %s, schema %d", b, b.Go, store.SchemaNumber())
}
