// Package replay answers questions from recorded predictions, so that a run
// can be played without an endpoint: by the demo, and by tests of what follows
// a run. It refuses to make anything up: a pass that was not recorded is a
// failure of that sample, never an empty answer.
//
// Its one invariant: the same request gives the same reply after the same
// delay, in whatever order requests come.
package replay

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"

	"concord/eval"
)

// Answers gives the recorded reply of one model to a sample in a pass, or
// false when none was recorded. It is called from several goroutines.
type Answers func(eval.SampleID, eval.Pass) (eval.Reply, bool)

// Delay is how long a reply takes: Fixed, and up to Jitter more, drawn from
// Seed, the sample and the pass. The zero value replies at once.
type Delay struct {
	Fixed  time.Duration
	Jitter time.Duration
	Seed   uint64
}

// Of is the delay of one reply.
func (d Delay) Of(id eval.SampleID, p eval.Pass) time.Duration {
	if d.Jitter <= 0 {
		return d.Fixed
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d/%s.%d", d.Seed, id, p)
	return d.Fixed + time.Duration(h.Sum64()%uint64(d.Jitter))
}

// Model plays back recorded answers.
type Model struct {
	Answers Answers
	Delay   Delay
}

var _ eval.Model = Model{}

// Answer gives the recorded reply after its delay. A pass without a record is
// a FailureSample; when ctx ends first, its error is given.
func (m Model) Answer(ctx context.Context, r eval.Request) (eval.Reply, error) {
	if err := sleep(ctx, m.Delay.Of(r.Sample.ID, r.Pass)); err != nil {
		return eval.Reply{}, fmt.Errorf("replay sample %s pass %d: %w", r.Sample.ID, r.Pass, err)
	}
	reply, ok := m.Answers(r.Sample.ID, r.Pass)
	if !ok {
		return eval.Reply{}, &eval.Failure{
			Kind:    eval.FailureSample,
			Message: fmt.Sprintf("nothing is recorded for sample %s pass %d", r.Sample.ID, r.Pass),
		}
	}
	return reply, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
