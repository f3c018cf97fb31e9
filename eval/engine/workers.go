package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// workers holds the workers of one session and what they share.
type workers struct {
	terms       *Terms
	job         job
	tracker     *tracker
	gate        *gate
	spent       func() bool             // has the work paused when its budget is reached
	stop        context.CancelCauseFunc // ends the taking of work
	units       chan unit
	cleared     chan struct{} // closed once a call showed that calls get through
	clearing    sync.Once
	interrupted atomic.Bool // a unit was put down unfinished

	workers []*worker
	working sync.WaitGroup
	leaving atomic.Bool // calls that are still under way are left alone
}

func newWorkers(r *Runner, taking, calls context.Context, stop context.CancelCauseFunc) *workers {
	c := &workers{
		terms: &r.terms, job: r.job, tracker: r.tracker, gate: &r.gate, spent: r.checkBudget, stop: stop,
		units: make(chan unit), cleared: make(chan struct{}), workers: make([]*worker, r.terms.Concurrency),
	}
	for i := range c.workers {
		c.workers[i] = &worker{workers: c, taking: taking, calls: calls}
	}
	return c
}

// start has the workers take units until there are none.
func (c *workers) start() {
	c.working.Add(len(c.workers))
	for i, w := range c.workers {
		go w.work(i == 0)
	}
}

// feed hands out the units that need a call. It ends with the job, or when
// taking ends.
func (c *workers) feed(taking context.Context) error {
	for u, err := range c.job.due(taking) {
		if err != nil && taking.Err() == nil {
			c.stop(err)
			return err
		}
		if err != nil {
			break
		}
		select {
		case c.units <- u:
		case <-taking.Done():
			return context.Cause(taking)
		}
	}
	return context.Cause(taking)
}

func (c *workers) clear() { c.clearing.Do(func() { close(c.cleared) }) }

// desert leaves those workers alone whose calls do not return although their
// context has ended: nothing is recorded for them, and nobody waits for them.
func (c *workers) desert() {
	c.leaving.Store(true)
	for _, w := range c.workers {
		if w.state.CompareAndSwap(calling, deserted) {
			c.interrupted.Store(true)
			c.tracker.flying(-1)
			c.working.Done()
		}
	}
}
