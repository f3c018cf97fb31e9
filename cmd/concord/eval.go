package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"concord/eval"
	"concord/eval/engine"
	"concord/store"
)

func newEvalCmd(a *app) *cobra.Command {
	var f orderFlags
	var id uint
	var failedOnly, estimate bool
	cmd := &cobra.Command{
		Use:   "eval --dataset NAME --model NAME",
		Short: "Ask a model, and have its answers read and judged",
		Long: `Asks a model behind an OpenAI-compatible endpoint every question of a dataset,
reads its answers by rules and, with --judge, has a judge model read what the
rules cannot. The same command goes on where it stopped, asks again what an
outage took, and completes questions that a better reading opened again; no
call that was answered is paid for twice. What an endpoint refused for its
content stays as it is, unless --retry-failed asks it again.

Models and endpoints come from concord.toml (see: concord config init), or from
OPENAI_API_KEY and OPENAI_BASE_URL. Check them with: concord doctor`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e := effort{Concurrency: f.Concurrency, FailedOnly: failedOnly}
			var err error
			if e.Budget, err = f.budget.read(); err != nil {
				return err
			}
			if id != 0 {
				if err := alone(cmd, "run", "concurrency", "budget", "retry-failed"); err != nil {
					return err
				}
				return a.writeExisting(cmd.Context(), func(st *store.Store) error {
					return evalRun(cmd.Context(), a, st, eval.RunID(id), e)
				})
			}
			if err := need(cmd, "dataset", "model"); err != nil {
				return err
			}
			o, err := f.read()
			if err != nil {
				return err
			}
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				return evalOrder(cmd.Context(), a, st, &o, e, estimate)
			})
		},
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.UintVar(&id, "run", 0, "go on with this run, by `number`, under its own settings")
	fs.BoolVar(&failedOnly, "retry-failed", false, "ask again what failed, and nothing else")
	fs.BoolVar(&estimate, "estimate", false, "only say how many calls it takes and what they cost")
	return cmd
}

// evalRun goes on with a run under the settings that it was made with.
func evalRun(ctx context.Context, a *app, st *store.Store, id eval.RunID, e effort) error {
	l, err := newLab(a, st)
	if err != nil {
		return err
	}
	run, err := st.Runs().Run(id)
	if err != nil {
		return err
	}
	return l.work(ctx, run, false, e, func(s runSummary) error { return printSummary(l.app, s) })
}

func evalOrder(ctx context.Context, a *app, st *store.Store, o *order, e effort, estimateOnly bool) error {
	l, err := newLab(a, st)
	if err != nil {
		return err
	}
	c, err := l.configure(ctx, o)
	if err != nil {
		return err
	}
	if err := l.afford(e, toAsk(c)); err != nil {
		return err
	}
	if err := l.warnOfSight(ctx, c); err != nil {
		return err
	}
	est, err := l.estimate(ctx, c)
	if err != nil {
		return err
	}
	if estimateOnly {
		return printEstimate(a, est)
	}
	run, made, err := l.open(ctx, c, o.New)
	if err != nil {
		return err
	}
	if made && !a.json {
		_, _ = fmt.Fprintf(a.err, "run %d: %s\n", run.ID, estimateLine(est))
	}
	return l.work(ctx, run, made, e, func(s runSummary) error { return printSummary(l.app, s) })
}

// work brings a run to its end and has it said what became of it.
func (l *lab) work(ctx context.Context, run eval.Run, made bool, e effort, say func(runSummary) error) error {
	p, err := l.plan(ctx, run, e)
	if err != nil {
		return err
	}
	if unknown := l.unpriced(asked(&p)); p.Budget > 0 && unknown != "" && !l.json {
		_, _ = fmt.Fprintf(l.err, "concord: the budget of %g cannot be held: no price is known of %s\n", p.Budget, visible(unknown))
	}
	g, err := newGrowth(ctx, l.st, l.heard)
	if err != nil {
		return err
	}
	p.Recorder = g
	r, err := engine.NewRunner(p)
	if err != nil {
		return errors.Join(fmt.Errorf("run %d: %w", run.ID, err), g.close())
	}
	progress, err := follow(ctx, l.app, r, fmt.Sprintf("run %d", run.ID))
	err = errors.Join(err, g.close())
	if progress.State != eval.StateUnset { // else it never began
		s, serr := l.summary(ctx, run, made, progress, e, err)
		if serr == nil {
			serr = say(s)
		}
		err = errors.Join(err, serr)
	}
	if errors.Is(err, errBudget) {
		return statusError{code: exitGate, quiet: true}
	}
	if c := progress.Counts; err == nil && c.Failures > 0 && c.Failures == c.Predictions {
		return fmt.Errorf("run %d: no call was answered; see: concord doctor", run.ID)
	}
	if left := progress.Total - progress.Counts.Questions; err == nil && left > 0 && p.Model != nil && !e.FailedOnly {
		return fmt.Errorf("run %d: %s left to an outage: the same command asks on", run.ID, count(left, "question"))
	}
	return err
}

// warnOfSight says which questions a run would ask without their pictures,
// and who is asked for a language base.
func (l *lab) warnOfSight(ctx context.Context, c eval.Config) error {
	s, err := l.survey(ctx, c.Dataset)
	if err != nil {
		return err
	}
	warning, err := s.sight(c.Modality)
	if warning != "" {
		_, _ = fmt.Fprintln(l.err, visible(warning))
	}
	if m, merr := l.conf.Model(c.Model); merr == nil && c.Modality == eval.BaseText && m.Card.LanguageBase != "" {
		_, _ = fmt.Fprintln(l.err, visible(fmt.Sprintf("%s itself is asked; its language base is asked with --model %s --modality base", c.Model, m.Card.LanguageBase)))
	}
	return err
}

// alone refuses flags beside one that settles what they say.
func alone(cmd *cobra.Command, flag string, allowed ...string) error {
	var other string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != flag && !slices.Contains(allowed, f.Name) && cmd.InheritedFlags().Lookup(f.Name) == nil {
			other = f.Name
		}
	})
	if other == "" {
		return nil
	}
	return usageError{fmt.Errorf("--%s goes on under the run's own settings: leave out --%s, or leave out --%s for a run with other ones", flag, other, flag)}
}

// need refuses a command that lacks flags.
func need(cmd *cobra.Command, names ...string) error {
	for _, n := range names {
		if f := cmd.Flags().Lookup(n); f == nil || f.Value.String() == "" {
			return usageError{fmt.Errorf("--%s is missing (see: %s --help)", n, cmd.CommandPath())}
		}
	}
	return nil
}
