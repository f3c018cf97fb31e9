package main

import (
	"github.com/spf13/cobra"

	"concord/eval"
	"concord/store"
)

func newImportJudgmentsCmd(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "judgments FILE --dataset NAME",
		Short: "Import a judge model's readings made elsewhere",
		Long: `Imports JSON lines {"sample", "pass"?, "model"?, "judge", "choice", "raw"?,
"prompt"?}: what a judge model read out of predictions that are in the project.
choice is an option's letter as shown in that pass, or none, refused,
ambiguous, or empty for a reply that gave nothing.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				return importJudgments(a, cmd, st, eval.DatasetName(name), args[0])
			})
		},
	}
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset that was answered (required)")
	a.require(cmd, "dataset")
	return cmd
}
