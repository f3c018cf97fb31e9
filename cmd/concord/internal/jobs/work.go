package jobs

import (
	"context"
	"errors"
	"fmt"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
)

// Work brings a run to its end and has it said what became of it.
func (l *Factory) Work(ctx context.Context, run eval.Run, made bool, e Effort, say func(RunSummary) error) error {
	p, err := l.plan(ctx, run, e)
	if err != nil {
		return err
	}
	if unknown := l.Models.unpriced(asked(&p)); p.Budget > 0 && unknown != "" && !l.JSON {
		_, _ = fmt.Fprintf(l.Err, "concord: the budget of %g cannot be held: no price is known of %s\n", p.Budget, cli.Visible(unknown))
	}
	g, err := NewGrowingQueues(ctx, l.Store, l.LogGrowing)
	if err != nil {
		return err
	}
	p.Recorder = g
	r, err := engine.NewRunner(p)
	if err != nil {
		return errors.Join(fmt.Errorf("run %d: %w", run.ID, err), g.Close())
	}
	progress, err := runToEnd(ctx, l.Project, r, fmt.Sprintf("run %d", run.ID))
	err = errors.Join(err, g.Close())
	if progress.State != eval.StateUnset { // else it never began
		s, serr := l.runs.summary(ctx, run, made, progress, e, err)
		if serr == nil {
			serr = say(s)
		}
		err = errors.Join(err, serr)
	}
	if errors.Is(err, errBudget) {
		return cli.StatusError{Code: cli.ExitGate, Quiet: true}
	}
	if c := progress.Counts; err == nil && c.Failures > 0 && c.Failures == c.Predictions {
		return fmt.Errorf("run %d: no call was answered; see: concord doctor", run.ID)
	}
	if left := progress.Total - progress.Counts.Questions; err == nil && left > 0 && p.Model != nil && !e.FailedOnly {
		return fmt.Errorf("run %d: %s left to an outage: the same command asks on", run.ID, cli.Count(left, "question"))
	}
	for _, j := range progress.Judges {
		if err == nil && j.Lost > 0 {
			return fmt.Errorf("run %d: %s of %s left to an outage: the same command asks on", run.ID, cli.Count(j.Lost, "extraction"), cli.Visible(j.Judge))
		}
	}
	return err
}

// WarnOfMissingImages says which questions a run would ask without their pictures,
// and who is asked for a language base.
func (l *Factory) WarnOfMissingImages(ctx context.Context, c eval.Config) error {
	s, err := l.Datasets.Facts(ctx, c.Dataset)
	if err != nil {
		return err
	}
	warning, err := s.sight(c.Modality)
	if warning != "" {
		_, _ = fmt.Fprintln(l.Err, cli.Visible(warning))
	}
	if m, merr := l.Conf.Model(c.Model); merr == nil && c.Modality == eval.BaseText && m.Card.LanguageBase != "" {
		_, _ = fmt.Fprintln(l.Err, cli.Visible(fmt.Sprintf("%s itself is asked; its language base is asked with --model %s --modality base", c.Model, m.Card.LanguageBase)))
	}
	return err
}
