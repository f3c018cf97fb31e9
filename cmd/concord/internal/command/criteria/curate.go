package criteria

import (
	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
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
	var as string
	cmd := &cobra.Command{
		Use:   "curate",
		Short: "Review which samples of a pool need their image, one key each",
		Long: `Opens the screen on which experts review samples: image, question, options and
answer, one key for the verdict (image needed, answerable without image, answer in
the question, wrong or ambiguous, duplicate), and the capability and axis that
it tests. More than half of --experts decide; --adjudicate opens what they disagree
on. A target is given as in axis=84, of one axis as in "math / geometry=90", or as
a file with the columns capability, axis (or taxonomy) and n, which also names
axes that the dataset does not. What no flag says is as [curation] of concord.toml
has it, or [curation.DATASET], also for reports and exports of what is accepted.`,
		Args: cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := screen.NeedTerminal(a); err != nil {
				return err
			}
			if err := start.Flags.Check(cmd); err != nil {
				return err
			}
			o := server.ScreenOptions{As: as, Curate: start, Start: tui.Start{Tab: tui.TabCurate, Dataset: eval.DatasetName(start.Flags.Dataset)}}
			return server.OpenScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if start.Flags.Dataset == "" {
					return nil
				}
				_, err := start.Flags.Name(st)
				return err
			})
		},
	}
	start.Flags.Add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	fs.BoolVar(&start.Disagreements, "adjudicate", false, "adjudicate expert disagreements")
	screen.AddFlags(a, fs)
	fs.BoolVar(&start.Flags.Look.HideTruth, "hide-answer", false, "hide the answer at first (t shows it)")
	fs.BoolVar(&start.Flags.Look.HideModels, "hide-correct", false, "hide which models are correct, and the difficulty, at first (d shows them)")
	return cmd
}
