package data

import (
	"github.com/spf13/cobra"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

func newImportJudgmentsCmd(a *project.Project) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "judgments FILE --dataset NAME",
		Short: "Import answers that a judge model extracted elsewhere",
		Long: `Imports JSON lines {"sample", "pass"?, "model"?, "judge", "choice", "raw"?,
"prompt"?}: what a judge model read out of predictions that are in the project.
choice is an option's letter as shown in that pass, or none, refused,
ambiguous, or empty for a reply that gave nothing.`,
		Args: cli.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				return exchange.ImportJudgments(a, cmd, st, eval.DatasetName(name), args[0])
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that was answered (required)")
	a.Require(cmd, "dataset")
	return cmd
}
