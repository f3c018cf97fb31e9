package eval

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// crew is the workers of one session and what they share.
type crew struct {
	plan        *Plan
	tracker     *tracker
	gate        *gate
	stop        context.CancelCauseFunc // ends the taking of work
	questions   chan *task
	cleared     chan struct{} // closed once a call showed that calls get through
	clearing    sync.Once
	interrupted atomic.Bool // a question was put down unfinished
}

// feed hands out the questions that need a pass. It ends with the source, or
// when taking ends.
func (c *crew) feed(taking context.Context) error {
	for q, err := range c.plan.Source.Questions(taking, c.plan.Run) {
		if err != nil && taking.Err() == nil {
			err = fmt.Errorf("read questions of run %d: %w", c.plan.Run.ID, err)
			c.stop(err)
			return err
		}
		if err != nil {
			break
		}
		t := c.task(q)
		if t.done() {
			continue
		}
		select {
		case c.questions <- t:
		case <-taking.Done():
			return context.Cause(taking)
		}
	}
	return context.Cause(taking)
}

// work takes questions until there are none. The first worker starts alone:
// its first call is the canary, so that a wrong key costs one call.
func (c *crew) work(taking, calls context.Context, first bool) {
	if first {
		defer c.clear()
	} else {
		<-c.cleared
	}
	for t := range c.questions {
		if taking.Err() != nil || !c.finish(taking, calls, t) {
			c.interrupted.Store(true)
		}
	}
}

func (c *crew) clear() { c.clearing.Do(func() { close(c.cleared) }) }

// finish asks a question's passes in order; it reports false when the session
// ended before the question did.
func (c *crew) finish(taking, calls context.Context, t *task) bool {
	c.tracker.begin(t.stored, t.total)
	for {
		pass, done := t.next()
		if done {
			c.tracker.leave(t.stored, t.closed())
			return true
		}
		p, ok := c.ask(taking, calls, t.request(pass))
		if !ok {
			return false
		}
		if err := c.record(calls, t, p); err != nil {
			c.stop(err)
			return false
		}
	}
}

// ask makes one call and, while it fails transiently, the retries that the
// plan allows. It reports false when there is nothing to record: the session
// ended first, or the failure is the run's and not the sample's.
func (c *crew) ask(taking, calls context.Context, q Request) (Prediction, bool) {
	for ; ; q.Attempt++ {
		if !c.gate.pass(taking) {
			return Prediction{}, false
		}
		p := c.call(calls, q)
		switch {
		case p.Failure == nil:
			c.clear()
			return p, true
		case calls.Err() != nil:
			return Prediction{}, false
		}
		c.tracker.failed(p.Failure)
		switch p.Failure.Kind {
		case FailureConfiguration:
			c.stop(fmt.Errorf("ask %s: %w", c.plan.Run.Config.Model, p.Failure))
			return Prediction{}, false
		case FailureSample:
			c.clear()
			return p, true
		case FailureTransient, FailureUnset:
			if q.Attempt >= c.plan.Retry.Max {
				return p, true
			}
		}
		if !c.wait(taking, c.plan.Retry.Wait(q.Attempt)) {
			return Prediction{}, false
		}
	}
}

// call asks the model once. A panic of the model is the sample's failure.
func (c *crew) call(ctx context.Context, q Request) (p Prediction) {
	c.tracker.flying(1)
	defer c.tracker.flying(-1)
	start := c.plan.Now()
	p.Key = q.Key()
	defer func() {
		if v := recover(); v != nil {
			p.Failure = &Failure{Kind: FailureSample, Message: fmt.Sprintf("model panicked: %v", v)}
		}
		p.At = c.plan.Now()
		p.Latency = p.At.Sub(start)
	}()
	reply, err := c.plan.Model.Answer(ctx, q)
	p.Text, p.Finish, p.Usage, p.Failure = reply.Text, reply.Finish, reply.Usage, FailureOf(err)
	if err != nil {
		p.Text = ""
	}
	return p
}

// wait sleeps before a retry; it reports false when ctx ends first.
func (c *crew) wait(ctx context.Context, d time.Duration) bool {
	c.tracker.retrying(1)
	defer c.tracker.retrying(-1)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// record makes an outcome durable, then counts it. The calls' context is cut
// off from cancelling: an answer that came is kept.
func (c *crew) record(ctx context.Context, t *task, p Prediction) error {
	fact, replaced := t.settle(p)
	err := c.plan.Recorder.Record(context.WithoutCancel(ctx), fact)
	switch {
	case errors.Is(err, ErrRecorded):
		return nil
	case err != nil:
		return fmt.Errorf("record prediction %v: %w", p.Key, err)
	}
	c.tracker.count(&fact, replaced)
	return nil
}
