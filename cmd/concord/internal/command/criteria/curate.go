package criteria

import (
	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/screen"
	"concord/cmd/concord/internal/server"
	"concord/eval"
	"concord/store"
	"concord/tui"
)

// NewCurateCmd makes the command curate.
func NewCurateCmd(a *project.Project) *cobra.Command {
	var start server.CurateStart
	cmd := &cobra.Command{
		Use:   "curate",
		Short: "Review which samples of a pool need their image, one key each",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := screen.RequireTerminal(a); err != nil {
				return err
			}
			if err := start.Flags.CheckFlags(cmd); err != nil {
				return err
			}
			o := server.ScreenOptions{As: a.Screen.As, Curate: start, Start: tui.Start{Tab: tui.TabCurate, Dataset: eval.DatasetName(start.Flags.Dataset)}}
			return server.OpenScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if start.Flags.Dataset == "" {
					return nil
				}
				_, err := start.Flags.DatasetName(st)
				return err
			})
		},
	}
	start.Flags.AddFlags(cmd)
	fs := cmd.Flags()
	fs.BoolVar(&start.Disagreements, "adjudicate", false, "adjudicate expert disagreements")
	screen.AddFlags(a, fs)
	fs.BoolVar(&start.Flags.Look.HideTruth, "hide-answer", false, "hide the answer at first (t shows it)")
	fs.BoolVar(&start.Flags.Look.HideModels, "hide-correct", false, "hide which models are correct, and the difficulty, at first (d shows them)")
	return cmd
}
