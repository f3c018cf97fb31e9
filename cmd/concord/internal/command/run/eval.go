package run

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// refuseFlagsBeside refuses flags beside one that settles what they say.
func refuseFlagsBeside(cmd *cobra.Command, flag string, allowed ...string) error {
	var other string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != flag && !slices.Contains(allowed, f.Name) && cmd.InheritedFlags().Lookup(f.Name) == nil {
			other = f.Name
		}
	})
	if other == "" {
		return nil
	}
	return cli.NewUsageError(fmt.Errorf("--%s continues under the run's own settings: leave out --%s, or leave out --%s for a run with other ones", flag, other, flag))
}

// NewEvalCmd makes the command eval.
func NewEvalCmd(a *project.Project) *cobra.Command {
	var f jobs.OrderFlags
	var id uint
	var failedOnly, estimate bool
	cmd := &cobra.Command{
		Use:   "eval --dataset NAME --model NAME",
		Short: "Ask a model, and have its answers read and judged",
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := jobs.Effort{Concurrency: f.Concurrency, FailedOnly: failedOnly}
			var err error
			if e.Budget, err = f.Budget.Read(); err != nil {
				return err
			}
			if id != 0 {
				if err := refuseFlagsBeside(cmd, "run", "concurrency", "budget", "retry-failed"); err != nil {
					return err
				}
				return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
					return resumeRun(cmd.Context(), a, st, eval.RunID(id), e)
				})
			}
			if err := cli.RequireFlags(cmd, "dataset", "model"); err != nil {
				return err
			}
			o, err := f.Read()
			if err != nil {
				return err
			}
			return a.WriteExisting(cmd.Context(), func(st *store.Store) error {
				return runOrder(cmd.Context(), a, st, &o, e, estimate)
			})
		},
	}
	fs := cmd.Flags()
	f.AddFlags(fs)
	fs.UintVar(&id, "run", 0, "continue this run, by `number`, under its own settings")
	fs.BoolVar(&failedOnly, "retry-failed", false, "ask again what failed, and nothing else")
	fs.BoolVar(&estimate, "estimate", false, "only say how many calls it takes and what they cost")
	return cmd
}

// resumeRun goes on with a run under the settings that it was made with.
func resumeRun(ctx context.Context, a *project.Project, st *store.Store, id eval.RunID, e jobs.Effort) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	run, err := st.Runs().Run(id)
	if err != nil {
		return err
	}
	return l.RunToEnd(ctx, run, false, e, func(s jobs.RunSummary) error { return jobs.PrintSummary(l.Project, s) })
}

func runOrder(ctx context.Context, a *project.Project, st *store.Store, o *jobs.Order, e jobs.Effort, estimateOnly bool) error {
	l, err := jobs.NewFactory(a, st)
	if err != nil {
		return err
	}
	c, err := l.NewConfig(ctx, o)
	if err != nil {
		return err
	}
	if err := l.Models.CheckBudget(e.Budget, jobs.ModelsToAsk(c)); err != nil {
		return err
	}
	if err := l.WarnOfMissingImages(ctx, c); err != nil {
		return err
	}
	est, err := l.EstimateRun(ctx, c)
	if err != nil {
		return err
	}
	if estimateOnly {
		return jobs.PrintEstimate(a, est)
	}
	run, made, err := l.OpenRun(ctx, c, o.New)
	if err != nil {
		return err
	}
	if made && !a.JSON {
		_, _ = fmt.Fprintf(a.Err, "run %d: %s\n", run.ID, jobs.EstimateLine(est))
	}
	return l.RunToEnd(ctx, run, made, e, func(s jobs.RunSummary) error { return jobs.PrintSummary(l.Project, s) })
}
