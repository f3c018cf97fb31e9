package engine

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"concord/eval"
)

// worker takes units, one after the other. Two contexts: taking ends when no
// further call may start, calls ends when those under way must return.
type worker struct {
	*workers
	taking, calls context.Context
	state         atomic.Int32
}

// The states of a worker. One that is deserted in a call touches nothing any
// more when the call returns after all.
const (
	idle int32 = iota
	calling
	deserted
)

// work takes units until there are none. The first worker starts alone, so
// that the first unit of a run is its canary.
func (w *worker) work(first bool) {
	defer func() {
		if w.state.Load() != deserted {
			w.working.Done()
		}
	}()
	if first {
		defer w.clear()
	} else {
		<-w.cleared
	}
	for u := range w.units {
		if w.taking.Err() != nil || !w.finish(u) {
			w.interrupted.Store(true)
		}
		if w.state.Load() == deserted {
			return
		}
	}
}

// finish makes the calls that a unit needs; it reports false when the session
// ended before the unit did.
func (w *worker) finish(u unit) bool {
	w.tracker.begin(u)
	for {
		c, more := u.next()
		if !more {
			w.tracker.leave(u)
			return true
		}
		o, ok := w.ask(c)
		if !ok {
			return false
		}
		// Cut off from cancelling: an answer that came is kept.
		if err := o.settle(context.WithoutCancel(w.calls)); err != nil {
			w.stop(err)
			return false
		}
		w.spent()
	}
}

// ask makes one call and, while it fails transiently, the retries that the
// plan allows. It reports false when there is nothing to settle: the session
// ended first, or the failure is the run's and not the unit's.
func (w *worker) ask(c call) (outcome, bool) {
	alone := false
	defer func() { c.to.leave(alone) }()
	for attempt, quick := 0, 0; ; attempt++ {
		if !c.to.enter(w.taking, &alone) || !w.gate.pass(w.taking) {
			return outcome{}, false
		}
		o, ok := w.try(c, attempt)
		switch {
		case !ok:
			return outcome{}, false
		case o.failure == nil:
			if err := c.to.through(o.blank); err != nil {
				return w.empty(c.to, o, err)
			}
			if !o.blank {
				w.clear()
			}
			return o, true
		case w.calls.Err() != nil:
			w.spend(c.to, o)
			return outcome{}, false
		}
		if o.failure.Kind == eval.FailureConfiguration && c.to.doubt(o.failure) {
			o.failure.Kind = eval.FailureTransient // also of the fact that may come of it
		}
		w.tracker.failed(o.failure)
		soon := false
		switch o.failure.Kind {
		case eval.FailureConfiguration:
			return w.end(c.to, o, o.failure)
		case eval.FailureSample:
			if !o.failure.Unasked {
				_ = c.to.through(false)
				w.clear()
			}
			return o, true
		case eval.FailureTransient, eval.FailureUnset:
			var err error
			if soon, err = c.to.miss(o.failure, alone); err != nil {
				return w.end(c.to, o, err)
			}
		}
		if soon && alone && quick < holdQuickTries {
			// The line says when it is tried again, and it is the line that is tried.
			quick, attempt = quick+1, attempt-1
			w.spend(c.to, o)
			continue
		}
		wait, again := w.terms.Retry.next(attempt, o.failure, c.to.lively())
		if !again {
			return o, true
		}
		w.spend(c.to, o)
		if !w.rest(c.to, wait) {
			return outcome{}, false
		}
	}
}

// rest waits before a call is made again; false when the session ended first.
func (w *worker) rest(l *line, wait time.Duration) bool {
	w.tracker.retrying(1)
	defer w.tracker.retrying(-1)
	return l.rests(w.taking, wait)
}

// end ends the work for what a call showed.
func (w *worker) end(l *line, o outcome, err error) (outcome, bool) {
	w.spend(l, o)
	w.stop(fmt.Errorf("%s: %w", l.what, err))
	return outcome{}, false
}

// empty ends the work for answers that say nothing. The last one is kept: it
// may be the model's own.
func (w *worker) empty(l *line, o outcome, err error) (outcome, bool) {
	w.stop(fmt.Errorf("%s: %w", l.what, err))
	return o, true
}

// spend counts what an attempt cost that leaves no fact.
func (w *worker) spend(l *line, o outcome) {
	if o.usage != (eval.Usage{}) {
		w.tracker.spend(l.judge, o.usage)
		w.spent()
	}
}

// try makes a call once. It reports false when the call was deserted.
func (w *worker) try(c call, attempt int) (outcome, bool) {
	w.tracker.flying(1)
	w.state.Store(calling)
	// Whoever deserts says so before looking for calls under way: either this
	// call is seen there, or that word is seen here.
	var o outcome
	late := w.leaving.Load()
	if !late {
		o = c.try(w.calls, attempt)
	}
	if !w.state.CompareAndSwap(calling, idle) {
		return outcome{}, false
	}
	w.tracker.flying(-1)
	return o, !late
}

// job is what a workers works on: where its units come from.
type job interface {
	// due yields the units that need a call in this session. An error ends the
	// session.
	due(ctx context.Context) iter.Seq2[unit, error]
}

// unit is a piece of work that one worker takes up and brings as far as it
// goes in this session: a question, and whatever else is asked of endpoints
// call by call. A new kind of work implements unit, and a job
// yields it; the canary, retries, pausing, limits, the budget, holding still
// before a silent endpoint and the grace period come with the workers.
type unit interface {
	// next is the call that the unit needs now; false when it needs none in
	// this session. It is asked again once the last call's outcome is settled.
	next() (call, bool)
	// size is for the estimate of calls left: how many outcomes are stored, how
	// many there can be, and whether none of them will be asked for again.
	size() (stored, total int, closed bool)
}

// call is one call to an endpoint.
type call struct {
	to *line
	// try makes the call once, for the attempt of that number. A panic of what
	// is called is a failure of the outcome.
	try func(ctx context.Context, attempt int) outcome
}

// outcome is what came of a call, or of its last attempt.
type outcome struct {
	usage   eval.Usage
	failure *eval.Failure
	blank   bool // the model stopped of itself and said nothing
	// settle makes the outcome durable, then counts it, and has the unit take
	// it into account. It is not called for a failure that is tried again, or
	// that is not the unit's own.
	settle func(ctx context.Context) error
}

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

// answer is an answer that the rules cannot read, and what judges make of it.
type answer struct {
	prediction eval.Prediction
	shown      eval.Shown
	wanted     []bool           // of each judge of the plan: it is to be asked
	last       []*eval.Judgment // of each judge of the plan: a stored call that failed; nil without
}

// expect notes an answer that judges are to read: those that have not had
// their say. Where only what failed is asked again, a stored answer is for
// those alone whose call failed. judgments are the newest that are stored.
func (t *task) expect(p *eval.Prediction, shown eval.Shown, reading eval.Extraction, stored bool, judgments []eval.Judgment) {
	judges := t.plan.Judges
	if len(judges) == 0 || p.Failure != nil || !reading.IsUnparsable() {
		return
	}
	a := answer{
		prediction: *p, shown: shown,
		wanted: make([]bool, len(judges)), last: make([]*eval.Judgment, len(judges)),
	}
	some := false
	for k, judge := range judges {
		name := judge.Name()
		a.wanted[k] = !stored || !t.plan.FailedOnly
		for i := range judgments {
			if j := &judgments[i]; j.Key == p.Key && j.Judge == name {
				a.wanted[k], a.last[k] = !j.Reads() && (t.plan.FailedOnly || !j.Final()), j
			}
		}
		some = some || a.wanted[k]
	}
	if some {
		t.answers = append(t.answers, a)
	}
}

// judging is the call that has judge k read answer i.
func (t *task) judging(i, k int) call {
	return call{to: t.judges[k], try: func(ctx context.Context, attempt int) outcome {
		out := t.judge(ctx, t.plan.Judges[k], &t.answers[i], attempt)
		return outcome{usage: out.Usage, failure: out.Failure, settle: func(ctx context.Context) error {
			return t.settleJudgment(ctx, i, k, out)
		}}
	}}
}

// judge asks a judge once. A panic of the judge is the sample's failure.
func (t *task) judge(ctx context.Context, judge eval.Judge, a *answer, attempt int) (j eval.Judgment) {
	start := t.plan.Now()
	name := judge.Name()
	defer func() {
		if v := recover(); v != nil {
			j = eval.Judgment{Call: eval.Call{Failure: &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("judge panicked: %v", v)}}}
		}
		j.Key, j.Judge, j.At = a.prediction.Key, name, t.plan.Now()
		j.Latency = j.At.Sub(start)
	}()
	j, err := judge.Judge(ctx, eval.Judging{
		Run: t.plan.Run, Sample: t.sample, Shown: a.shown, Prediction: a.prediction, Attempt: attempt,
	})
	if err != nil {
		j.Failure = eval.FailureOf(err)
	}
	if j.Failure != nil {
		j.Extraction = eval.Extraction{}
	}
	return j
}

// settleJudgment makes a judgment durable, and then counts it. That of the
// decider decides over its pass.
func (t *task) settleJudgment(ctx context.Context, i, k int, j eval.Judgment) error {
	a := &t.answers[i]
	a.wanted[k] = false
	before := t.closed()
	decides := j.Judge == t.decider && j.Reads() && j.Extraction.IsFound()
	if decides && int(j.Pass) < t.total {
		t.passes[j.Pass] = eval.StateOf(a.shown, j.Extraction)
	}
	closes := t.closed() && !before
	if err := t.plan.Judgments.RecordJudgment(ctx, j, closes); err != nil {
		return fmt.Errorf("record judgment of %v by %s: %w", j.Key, j.Judge, err)
	}
	t.asking = t.plan.Model != nil
	t.tracker.judged(&j, a.last[k], closes)
	return nil
}
