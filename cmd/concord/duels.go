package main

import (
	"context"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/store"
)

var _ report.VoteFacts = facts{}

func (f facts) Contests(ctx context.Context) ([]eval.ContestProgress, error) {
	return f.st.Votes().Contests(ctx)
}

func (f facts) Votes(ctx context.Context, c eval.Contest) iter.Seq2[eval.Preference, error] {
	return f.st.Votes().Of(ctx, c)
}

type voteReporter func(context.Context, report.VoteFacts, report.VoteOptions) (report.Report, error)

// voteReport is a report over judges' votes.
func (a *app) voteReport(name, short string, build voteReporter) *cobra.Command {
	var f reportFlags
	var o report.VoteOptions
	var merge string
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(a.json); err != nil {
				return err
			}
			m, err := metric.ParseMerging(merge)
			if err != nil {
				return usageError{err}
			}
			common := f.options()
			o.Runs, o.Dataset, o.Model, o.Merge = common.Runs, common.Dataset, common.Model, m
			return a.read(cmd.Context(), func(st *store.Store) error {
				r, err := build(cmd.Context(), facts{st}, o)
				switch {
				case errors.Is(err, report.ErrNoAnchor):
					return usageError{err}
				case err != nil:
					return err
				}
				return a.render(r, f.format)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&o.Anchor, "anchor", "", "the `model` that the others are set against (default: the one that all votes share, the older of two)")
	cmd.Flags().StringVar(&o.Judge, "judge", "", "only votes of this judge")
	cmd.Flags().StringVar(&merge, "merge", metric.MergeMLLMBench.String(), "how the votes of both orders become one: mllm-bench")
	return cmd
}
