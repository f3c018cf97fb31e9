package main

import (
	"context"
	"iter"

	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/eval"
	"concord/store"
)

var _ report.ScoreFacts = facts{}

func (f facts) Scores(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return f.st.Scores().Calls(ctx, id)
}

// newScoreReportCmd is the report on open answers.
func newScoreReportCmd(a *app) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "scores",
		Short: "Open answers: exact match beside the mean scores of judges and of people",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return reportRuns(cmd.Context(), a, &f, func(st *store.Store) (report.Report, error) {
				return report.Scores(cmd.Context(), facts{st}, f.options())
			})
		},
	}
	f.add(cmd)
	corrects(cmd, &f.opts.Corrected, false)
	cmd.Flags().StringVar(&f.opts.Judge, "judge", "", "only scores of this judge")
	return cmd
}
