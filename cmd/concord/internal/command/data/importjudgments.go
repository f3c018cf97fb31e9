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
		Long:  cli.Help("importjudgments"),
		Args:  cli.UsageArgs(cobra.ExactArgs(1)),
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
