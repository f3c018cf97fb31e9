package report

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/pairwise"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/metric"
	"concord/store"
)

type (
	voteReporter   func(context.Context, report.VoteFacts, pairwise.VoteOptions) (report.Report, error)
	peopleReporter func(context.Context, report.VoteFacts, pairwise.AgreementOptions) (report.Report, error)
)

// voteReport is a report over judges' votes.
func voteReport(a *project.Project, name, short string, build voteReporter, more ...func(*cobra.Command, *pairwise.AgreementOptions)) *cobra.Command {
	return pollReport(a, name, short, func(ctx context.Context, f report.VoteFacts, o pairwise.AgreementOptions) (report.Report, error) {
		return build(ctx, f, o.VoteOptions)
	}, append(more, merges)...)
}

// peopleReport is a report over people's votes in queues of pairs.
func peopleReport(a *project.Project, name, short string, build peopleReporter) *cobra.Command {
	return pollReport(a, name, short, build, func(cmd *cobra.Command, o *pairwise.AgreementOptions) {
		cmd.Flags().StringVar((*string)(&o.Queue), "queue", "", "only this queue of pairs")
	})
}

// newAgreementReportCmd compares judges with people, by a policy on either side.
func newAgreementReportCmd(a *project.Project) *cobra.Command {
	policy, undecided := "mllm-bench", annotate.Dropped.String()
	cmd := peopleReport(a, "agreement", "How far judges vote as people do: each person, the majority, with and without criteria",
		func(ctx context.Context, f report.VoteFacts, o pairwise.AgreementOptions) (report.Report, error) {
			var err error
			if policy != "mllm-bench" {
				if o.Policy, err = annotate.ParsePolicy(policy); err != nil {
					return report.Report{}, cli.Usage(fmt.Errorf("%w, or mllm-bench", err))
				}
			}
			if o.Policy == annotate.Adjudicated {
				return report.Report{}, cli.Usage(errors.New("--policy adjudicated: votes on pairs have no rulings; want unanimous, majority, plurality or mllm-bench"))
			}
			if undecided == "tie" {
				o.Undecided = annotate.CountedAsNone
			} else if o.Undecided, err = annotate.ParseUndecided(undecided); err != nil {
				return report.Report{}, cli.Usage(fmt.Errorf("%w, or tie", err))
			}
			return pairwise.Agreement(ctx, f, o)
		})
	fs := cmd.Flags()
	fs.StringVar(&policy, "policy", policy, "when people have agreed: mllm-bench (more prefer one answer, and no more were unable), unanimous, majority or plurality")
	fs.StringVar(&undecided, "undecided", undecided, "pairs on which people or the judge prefer neither: dropped, a tie, or people's as a class of its own (own)")
	return cmd
}

// newRanksReportCmd compares rankings of models.
func newRanksReportCmd(a *project.Project) *cobra.Command {
	var seed uint64
	return pollReport(a, "ranks", "Spearman's correlation between rankings of models: judges, people, benchmarks",
		func(ctx context.Context, f report.VoteFacts, o pairwise.AgreementOptions) (report.Report, error) {
			return catalogue.Ranks(ctx, f, pairwise.RankOptions{Votes: o.VoteOptions, Seed: seed}, report.Options{})
		}, merges, func(cmd *cobra.Command, _ *pairwise.AgreementOptions) {
			cmd.Flags().Uint64Var(&seed, "seed", 1, "of the orders that the permutation test draws of ten models or more")
		})
}

// merges is the flag of reports on what the votes of a question come to.
func merges(cmd *cobra.Command, _ *pairwise.AgreementOptions) {
	cmd.Flags().String("merge", metric.MergeMLLMBench.String(),
		"how votes become one: mllm-bench (of both orders) or asked (a question asked in one order counts by that vote)")
}

func pollReport(a *project.Project, name, short string, build peopleReporter, more ...func(*cobra.Command, *pairwise.AgreementOptions)) *cobra.Command {
	var f reportFlags
	var o pairwise.AgreementOptions
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(a.JSON); err != nil {
				return err
			}
			if flag := cmd.Flags().Lookup("merge"); flag != nil {
				var err error
				if o.Merge, err = metric.ParseMerging(flag.Value.String()); err != nil {
					return cli.Usage(err)
				}
			}
			common := f.options()
			o.Runs, o.Dataset, o.Model = common.Runs, common.Dataset, common.Model
			return a.Read(cmd.Context(), func(st *store.Store) error {
				if err := matchVotes(cmd.Context(), st, &f, &o.VoteOptions); err != nil {
					return err
				}
				r, err := build(cmd.Context(), facts.Source{Store: st}, o)
				switch {
				case errors.Is(err, pairwise.ErrNoAnchor):
					return cli.Usage(err)
				case err != nil:
					return err
				}
				return a.Render(r, f.format)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&o.Anchor, "anchor", "", "the `model` that the others are set against (default: the queue's, or the one that all votes share, the older of two)")
	cmd.Flags().StringVar(&o.Judge, "judge", "", "only votes of this judge")
	for _, add := range more {
		add(cmd, &o)
	}
	return cmd
}

// matchVotes refuses filters that nothing can pass, and says what there is: a
// misspelt name is no report without votes.
func matchVotes(ctx context.Context, st *store.Store, f *reportFlags, o *pairwise.VoteOptions) error {
	if f.dataset != "" || f.model != "" || len(f.runs) > 0 {
		if _, err := facts.MatchRuns(st, f.dataset, f.model, f.runs); err != nil {
			return err
		}
	}
	if o.Anchor != "" {
		if _, err := facts.MatchRuns(st, f.dataset, o.Anchor, nil); err != nil {
			return fmt.Errorf("find anchor %s: %w", o.Anchor, err)
		}
	}
	if o.Judge == "" {
		return nil
	}
	contests, err := st.Votes().Contests(ctx)
	if err != nil {
		return fmt.Errorf("list contests: %w", err)
	}
	var judges []string
	for _, c := range contests {
		judges = append(judges, c.Judge)
	}
	slices.Sort(judges)
	if judges = slices.Compact(judges); len(judges) > 0 && !slices.Contains(judges, o.Judge) {
		return fmt.Errorf("find votes of judge %s (judges with votes: %s): %w", o.Judge, cli.Few(judges), eval.ErrNotFound)
	}
	return nil
}
