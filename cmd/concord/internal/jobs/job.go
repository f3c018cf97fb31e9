package jobs

import (
	"context"
	"errors"
	"fmt"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/engine"
)

// job is a job of single calls to one model, made out: what stands is
// known, and what is due.
//
//	order --Factory--> job --runner--> engine.Runner --> Running or runToEnd
type job interface {
	Title() string  // what messages call it
	asked() string  // the model, as reports name it
	fact() string   // what a call gives, as in "vote"
	on() []eval.Run // whose answers it is about
	Estimate() (eval.Estimate, error)
	Runner(ctx context.Context, e Effort) (*engine.Runner, error)
	print(p eval.Progress, ended error) error // what became of it
}

// CarryOut brings a job to its end in the foreground, and says what became
// of it.
func (l *Factory) CarryOut(ctx context.Context, j job, e Effort, onlyEstimate bool) error {
	estimated, err := j.Estimate()
	if err != nil {
		return err
	}
	if onlyEstimate {
		return PrintEstimate(l.Project, estimated)
	}
	if err := l.warn(j, e); err != nil {
		return err
	}
	if !l.JSON {
		_, _ = fmt.Fprintf(l.Err, "%s: %s\n", j.Title(), EstimateLine(estimated))
	}
	r, err := j.Runner(ctx, e)
	if err != nil {
		return err
	}
	progress, err := runToEnd(ctx, l.Project, r, j.Title())
	if serr := j.print(progress, err); serr != nil {
		err = errors.Join(err, serr)
	}
	t := &progress.Tally
	switch {
	case errors.Is(err, errBudget):
		return cli.StatusError{Code: cli.ExitGate, Quiet: true}
	case err != nil:
		return err
	case t.Failed > 0 && t.Failed == t.Wanted:
		return fmt.Errorf("%s: no call was answered; see: concord doctor", j.Title())
	case t.Pending() > 0:
		return fmt.Errorf("%s left to an outage: the same command asks on", cli.Count(t.Pending(), j.fact()))
	}
	return nil
}

// warn says what weakens what a job is for before it is paid for.
func (l *Factory) warn(j job, e Effort) error {
	say := func(text string) {
		if !l.JSON {
			_, _ = fmt.Fprintf(l.Err, "concord: %s\n", cli.Visible(text))
		}
	}
	for _, r := range j.on() {
		text, err := facts.Unfinished(l.Store, r)
		if err != nil {
			return err
		}
		if text != "" {
			say(text)
		}
	}
	if terms := l.terms(e, j.asked()); terms.Budget > 0 && !l.Models.price(j.asked()).Known() {
		say(fmt.Sprintf("the budget of %g cannot be held: no price is known of %s", terms.Budget, j.asked()))
	}
	return nil
}
