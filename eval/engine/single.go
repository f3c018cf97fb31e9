package engine

import (
	"context"
	"fmt"
	"iter"

	"concord/eval"
)

var (
	_ job  = (*singles[int])(nil)
	_ unit = (*single[int])(nil)
)

// reply is what came of a single call.
type reply struct {
	usage   eval.Usage
	read    bool // it holds what was asked for
	failure *eval.Failure
	record  func(context.Context) error // makes it durable
}

// singles is a job whose units are single calls.
type singles[Q any] struct {
	questions func(context.Context) iter.Seq2[Q, error]
	ask       func(context.Context, Q) reply
	to        *line
	tracker   *tracker
}

func (s *singles[Q]) due(ctx context.Context) iter.Seq2[unit, error] {
	return func(yield func(unit, error) bool) {
		for q, err := range s.questions(ctx) {
			if err != nil {
				yield(nil, fmt.Errorf("read what to ask: %w", err))
				return
			}
			if !yield(&single[Q]{singles: s, question: q}, nil) {
				return
			}
		}
	}
}

// single is a call that gives one fact.
type single[Q any] struct {
	*singles[Q]
	question Q
	made     bool
}

func (s *single[Q]) size() (stored, total int, closed bool) { return 0, 1, s.made }

func (s *single[Q]) next() (call, bool) {
	return call{to: s.to, try: func(ctx context.Context, _ int) outcome {
		r := s.ask(ctx, s.question)
		return outcome{usage: r.usage, failure: r.failure, settle: func(ctx context.Context) error { return s.settle(ctx, r) }}
	}}, !s.made
}

// settle makes a reply durable, and then counts it. Of a failure that may pass
// nothing is kept but what it cost.
func (s *single[Q]) settle(ctx context.Context, r reply) error {
	s.made = true
	if r.failure != nil && r.failure.Kind != eval.FailureSample {
		s.tracker.spend("", r.usage)
		s.tracker.update(func(p *eval.Progress) { p.Tally.PutOff++ })
		return nil
	}
	if err := r.record(ctx); err != nil {
		return err
	}
	s.tracker.fact(r)
	return nil
}

// fact counts a committed fact of a single call.
func (t *tracker) fact(r reply) {
	t.update(func(p *eval.Progress) {
		switch {
		case r.failure != nil:
			p.Tally.Failed++
		case r.read:
			p.Tally.Stored++
		default:
			p.Tally.Unparsed++
		}
		p.Tally.Usage.Add(r.usage)
		t.rate.add(t.now())
	})
}

// leftToAsk is the calls left of a job of single calls in this session.
func leftToAsk(_ *tracker, p *eval.Progress) int { return max(p.Tally.Pending()-p.Tally.PutOff, 0) }
