package engine

import (
	"context"
	"fmt"
	"iter"

	"concord/eval"
)

var _ job = (*answering)(nil)

// answering is a run as a job: its questions are the units.
type answering struct {
	plan    *Plan
	reader  string // ReaderID of the plan's
	decider string // of the run's configuration
	tracker *tracker
	model   *line   // nil without a model
	judges  []*line // as in the plan
}

func newAnswering(p *Plan, t *tracker) *answering {
	a := &answering{plan: p, reader: eval.ReaderID(p.Reader), decider: p.Run.Config.Decider(), tracker: t}
	if p.Model != nil {
		a.model = newLine("ask "+p.Run.Config.Model, "", &p.Terms, t)
	}
	for _, j := range p.Judges {
		a.judges = append(a.judges, newLine("ask judge "+j.Name(), j.Name(), &p.Terms, t))
	}
	return a
}

func (a *answering) due(ctx context.Context) iter.Seq2[unit, error] {
	return func(yield func(unit, error) bool) {
		for q, err := range a.plan.Source.Questions(ctx, a.plan.Run) {
			if err != nil {
				yield(nil, fmt.Errorf("read questions of run %d: %w", a.plan.Run.ID, err))
				return
			}
			if t := a.task(&q); t != nil && !yield(t, nil) {
				return
			}
		}
	}
}

// left is the calls expected: those for passes, and those for judges about
// what waits for them and what is likely to.
func (a *answering) left(t *tracker, p *eval.Progress) int {
	if a.plan.FailedOnly {
		n := 0
		if p.State == eval.Done {
			return n // what is left of failures failed again, or is of no use any more
		}
		if a.plan.Model != nil {
			n = p.Counts.Failures
		}
		for _, j := range a.plan.Judges {
			n += t.judgeProgress(j.Name()).Counts.Failures
		}
		return n
	}
	passes := 0
	if a.plan.Model != nil {
		passes = t.mean.left(p.Total-p.Counts.Questions, p.Counts.Questions)
	}
	n := passes
	for _, j := range a.plan.Judges {
		n += t.judgeProgress(j.Name()).Counts.Waiting(p.Counts)
		if answered := p.Counts.Predictions - p.Counts.Failures; answered > 0 {
			n += passes * p.Counts.Unparsable() / answered
		}
	}
	return n
}
