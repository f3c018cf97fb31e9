package main

import (
	"context"
	"errors"
	"fmt"

	"concord/eval"
	"concord/eval/engine"
)

// errand is a job of single calls to one model, made out: what stands is
// known, and what is due.
//
//	order --lab--> errand --runner--> engine.Runner --> live or follow
type errand interface {
	title() string  // what messages call it
	asked() string  // the model, as reports name it
	fact() string   // what a call gives, as in "vote"
	on() []eval.Run // whose answers it is about
	estimate() (eval.Estimate, error)
	runner(ctx context.Context, e effort) (*engine.Runner, error)
	print(p eval.Progress, ended error) error // what became of it
}

// carryOut brings an errand to its end in the foreground, and says what became
// of it.
func (l *lab) carryOut(ctx context.Context, j errand, e effort, onlyEstimate bool) error {
	estimated, err := j.estimate()
	if err != nil {
		return err
	}
	if onlyEstimate {
		return printEstimate(l.app, estimated)
	}
	if err := l.warn(j, e); err != nil {
		return err
	}
	if !l.json {
		_, _ = fmt.Fprintf(l.err, "%s: %s\n", j.title(), estimateLine(estimated))
	}
	r, err := j.runner(ctx, e)
	if err != nil {
		return err
	}
	progress, err := follow(ctx, l.app, r, j.title())
	if serr := j.print(progress, err); serr != nil {
		err = errors.Join(err, serr)
	}
	t := &progress.Tally
	switch {
	case errors.Is(err, errBudget):
		return statusError{code: exitGate, quiet: true}
	case err != nil:
		return err
	case t.Failed > 0 && t.Failed == t.Wanted:
		return fmt.Errorf("%s: no call was answered; see: concord doctor", j.title())
	case t.Pending() > 0:
		return fmt.Errorf("%s left to an outage: the same command asks on", count(t.Pending(), j.fact()))
	}
	return nil
}

// warn says what weakens what an errand is for before it is paid for.
func (l *lab) warn(j errand, e effort) error {
	say := func(text string) {
		if !l.json {
			_, _ = fmt.Fprintf(l.err, "concord: %s\n", visible(text))
		}
	}
	for _, r := range j.on() {
		text, err := unfinished(l.st, r)
		if err != nil {
			return err
		}
		if text != "" {
			say(text)
		}
	}
	if terms := l.terms(e, j.asked()); terms.Budget > 0 && !l.price(j.asked()).Known() {
		say(fmt.Sprintf("the budget of %g cannot be held: no price is known of %s", terms.Budget, j.asked()))
	}
	return nil
}
