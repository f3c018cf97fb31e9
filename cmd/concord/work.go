package main

import (
	"context"
	"errors"
	"fmt"

	"concord/eval"
	"concord/eval/engine"
)

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
