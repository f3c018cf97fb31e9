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

// scoreReportCommand is the report on open answers.
func (a *app) scoreReportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "scores",
		Short: "Open answers: exact match beside the mean scores of judges and of people",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(a.json); err != nil {
				return err
			}
			return a.read(cmd.Context(), func(st *store.Store) error {
				runs, err := matchRuns(st, f.dataset, f.model, f.runs)
				if err != nil {
					return err
				}
				r, err := report.Scores(cmd.Context(), facts{st}, f.options())
				if err != nil {
					return err
				}
				if r.Notes, err = withUnfinished(st, r.Notes, runs); err != nil {
					return err
				}
				return a.render(r, f.format)
			})
		},
	}
	f.add(cmd)
	corrects(cmd, &f.opts.Corrected, false)
	cmd.Flags().StringVar(&f.opts.Judge, "judge", "", "only scores of this judge")
	return cmd
}
