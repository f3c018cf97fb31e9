package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"concord/eval"
)

// worker takes units, one after the other.
type worker struct {
	*workers
	state atomic.Int32
}

// The states of a worker. One that is deserted in a call touches nothing when the call returns after all.
const (
	idle int32 = iota
	calling
	deserted
)

// workUnits takes units until there are none. The first worker starts alone, so
// that the first unit of a run is its canary.
func (w *worker) workUnits(first bool) {
	defer func() {
		if w.state.Load() != deserted {
			w.removeWorker(w)
		}
	}()
	if first {
		defer w.letOthersStart()
	} else {
		<-w.cleared
	}
	for u := range w.units {
		if w.taking.Err() != nil || !w.finishUnit(u) {
			w.interrupted.Store(true)
		}
		if w.state.Load() == deserted || w.leaveIfSurplus() {
			return
		}
	}
}

// finishUnit makes the calls that a unit needs; it reports false when the session ended before.
func (w *worker) finishUnit(u unit) bool {
	w.tracker.beginUnit(u)
	for {
		c, more := u.nextCall()
		if !more {
			w.tracker.settleUnit(u)
			return true
		}
		o, ok := w.askWithRetries(c)
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

// askWithRetries makes one call and, while it fails transiently, the retries that the
// plan allows. It reports false when there is nothing to settle: the session
// ended first, or the failure is the run's and not the unit's.
func (w *worker) askWithRetries(c call) (outcome, bool) {
	alone := false
	defer func() { c.to.endSingleTurn(alone) }()
	var failing time.Time // since when the call fails
	for attempt, quick := 0, 0; ; attempt++ {
		if !c.to.waitForTurn(w.taking, &alone) || !w.gate.waitOpen(w.taking) {
			return outcome{}, false
		}
		o, ok := w.tryOnce(c, attempt)
		switch {
		case !ok:
			return outcome{}, false
		case o.failure == nil:
			return w.acceptAnswer(c.to, o)
		case w.calls.Err() != nil:
			w.countLostCost(c.to, o)
			return outcome{}, false
		}
		if o.failure.Kind == eval.FailureConfiguration && c.to.isRefusalDoubtful(o.failure) {
			o.failure.Kind = eval.FailureTransient // also of the fact that may come of it
		}
		w.tracker.change(func(p *eval.Progress) { p.LastFailure = o.failure.Error() }) // stored or not
		switch uncarried := o.failure.Sign == eval.SignUncarried; {
		case o.failure.Kind == eval.FailureConfiguration:
			return w.stopRunBecause(c.to, o, o.failure)
		case uncarried || o.failure.Kind == eval.FailureSample: // another try is of no use
			if !o.failure.Unasked {
				_ = c.to.noteAnswer(false)
				w.letOthersStart()
			}
			return o, true
		}
		soon, err := c.to.noteFailure(o.failure, alone)
		if err != nil {
			return w.stopRunBecause(c.to, o, err)
		}
		failing = cmp.Or(failing, w.terms.Now())
		if attempt+quick >= w.terms.Retry.Max && c.to.isCallToBlame(failing) {
			return o, true
		}
		soon = soon && alone
		c.to.endSingleTurn(alone)
		alone = false // another worker's call may be the next that is tried
		if soon && quick < holdQuickTries {
			// The line says when it is tried again, and it is the line that is tried.
			quick, attempt = quick+1, attempt-1
			w.countLostCost(c.to, o)
			continue
		}
		wait, again := w.terms.Retry.delayOrGiveUp(attempt, o.failure, c.to.answeredRecently())
		if !again {
			return o, true
		}
		w.countLostCost(c.to, o)
		if !w.waitForRetry(c.to, wait) {
			return outcome{}, false
		}
	}
}

// waitForRetry waits before a call is made again; false when the session ended first.
func (w *worker) waitForRetry(l *endpointMonitor, wait time.Duration) bool {
	w.tracker.addRetrying(1)
	defer w.tracker.addRetrying(-1)
	return l.waitBeforeRetry(w.taking, wait)
}

// stopRunBecause ends the work for what a call showed.
func (w *worker) stopRunBecause(l *endpointMonitor, o outcome, err error) (outcome, bool) {
	w.countLostCost(l, o)
	w.stop(fmt.Errorf("%s: %w", l.what, err))
	return outcome{}, false
}

// acceptAnswer takes an answer. Where the first ones say nothing the work ends, and the
// last of them is kept: it may be the model's own.
func (w *worker) acceptAnswer(l *endpointMonitor, o outcome) (outcome, bool) {
	if err := l.noteAnswer(o.blank); err != nil {
		w.stop(fmt.Errorf("%s: %w", l.what, err))
	} else if !o.blank {
		w.letOthersStart()
	}
	return o, true
}

// countLostCost counts what an attempt cost that leaves no fact.
func (w *worker) countLostCost(l *endpointMonitor, o outcome) {
	if o.usage != (eval.Usage{}) {
		w.tracker.countLostUsage(l.judge, o.usage)
		w.spent()
	}
}

// tryOnce makes a call once. It reports false when the call was deserted.
func (w *worker) tryOnce(c call, attempt int) (outcome, bool) {
	w.tracker.addInFlight(1)
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
	w.tracker.addInFlight(-1)
	return o, !late
}

// workers holds the workers of one session and what they share.
type workers struct {
	terms       *Terms
	job         job
	tracker     *tracker
	gate        *pauseGate
	spent       func() bool             // has the work paused when its budget is reached
	stop        context.CancelCauseFunc // ends the taking of work
	units       chan unit
	cleared     chan struct{} // closed once a call showed that calls get through
	clearing    sync.Once
	interrupted atomic.Bool // a unit was put down unfinished

	working sync.WaitGroup
	leaving atomic.Bool // calls that are still under way are left alone

	// taking ends when no further call may start, calls when those under way must return.
	taking, calls context.Context

	mu     sync.Mutex
	wanted int       // how many workers there are to be
	live   []*worker // those that there are; without any the session is over
}

func newWorkers(r *Runner, taking, calls context.Context, stop context.CancelCauseFunc) *workers {
	return &workers{
		terms: &r.terms, job: r.job, tracker: r.tracker, gate: &r.gate, spent: r.pauseIfOverBudget, stop: stop,
		units: make(chan unit), cleared: make(chan struct{}), taking: taking, calls: calls, wanted: r.terms.Concurrency,
	}
}

// setConcurrency changes how many workers there are: more start at once, and those that
// are too many leave once their unit is finished.
func (c *workers) setConcurrency(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted = n
	if len(c.live) > 0 {
		c.addWorkers()
	}
}

// addWorkers starts those that are lacking; the caller holds mu.
func (c *workers) addWorkers() {
	for len(c.live) < c.wanted {
		w := &worker{workers: c}
		c.live = append(c.live, w)
		c.working.Add(1) // never from zero while somebody waits: one that lives has not left
		go w.workUnits(len(c.live) == 1)
	}
}

// leaveIfSurplus takes the worker out when there are too many, and reports that it did.
func (w *worker) leaveIfSurplus() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.live) <= w.wanted {
		return false
	}
	w.live = slices.DeleteFunc(w.live, func(o *worker) bool { return o == w })
	return true
}

func (c *workers) removeWorker(w *worker) {
	c.mu.Lock()
	c.live = slices.DeleteFunc(c.live, func(o *worker) bool { return o == w })
	c.mu.Unlock()
	c.working.Done()
}

// feedUnits hands out the units that need a call. It ends with the job, or when taking ends.
func (c *workers) feedUnits(taking context.Context) error {
	for u, err := range c.job.dueUnits(taking) {
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

func (c *workers) letOthersStart() { c.clearing.Do(func() { close(c.cleared) }) }

// desertHangingWorkers leaves those workers alone whose calls do not return although their
// context has ended: nothing is recorded for them, and nobody waits for them.
func (c *workers) desertHangingWorkers() {
	c.leaving.Store(true)
	c.mu.Lock()
	all := slices.Clone(c.live)
	c.mu.Unlock()
	for _, w := range all {
		if w.state.CompareAndSwap(calling, deserted) {
			c.interrupted.Store(true)
			c.tracker.addInFlight(-1)
			c.removeWorker(w)
		}
	}
}

// unreadAnswer is an answer that the rules cannot read, and what judges make of it.
type unreadAnswer struct {
	prediction eval.Prediction
	shown      eval.Shown
	wanted     []bool           // of each judge of the plan: it is to be asked
	last       []*eval.Judgment // of each judge of the plan: a stored call that failed; nil without
}

// addUnreadAnswer notes an answer that judges are to read: those that have not had
// their say. Where only what failed is asked again, a stored answer is for
// those alone whose call failed. judgments are the newest that are stored.
func (t *questionTask) addUnreadAnswer(p *eval.Prediction, shown eval.Shown, reading eval.Extraction, stored bool, judgments []eval.Judgment) {
	judges := t.plan.Judges
	if len(judges) == 0 || p.Failure != nil || !reading.IsUnparsable() {
		return
	}
	a := unreadAnswer{prediction: *p, shown: shown, wanted: make([]bool, len(judges)), last: make([]*eval.Judgment, len(judges))}
	some := false
	for k, judge := range judges {
		name := judge.Name()
		a.wanted[k] = !stored || !t.plan.FailedOnly
		for i := range judgments {
			if j := &judgments[i]; j.Key == p.Key && j.Judge == name {
				a.wanted[k], a.last[k] = !j.HasReply() && (t.plan.FailedOnly || !j.IsFinal()), j
			}
		}
		some = some || a.wanted[k]
	}
	if some {
		t.answers = append(t.answers, a)
	}
}

// makeJudgeCall makes the call that has judge k read answer i.
func (t *questionTask) makeJudgeCall(i, k int) call {
	return call{to: t.judges[k], try: func(ctx context.Context, attempt int) outcome {
		out := t.askJudge(ctx, t.plan.Judges[k], &t.answers[i], attempt)
		return outcome{usage: out.Usage, failure: out.Failure, settle: func(ctx context.Context) error {
			return t.recordJudgment(ctx, i, k, out)
		}}
	}}
}

// askJudge asks a judge once. A panic of the judge is the sample's failure.
func (t *questionTask) askJudge(ctx context.Context, judge eval.Judge, a *unreadAnswer, attempt int) (j eval.Judgment) {
	start := t.plan.Now()
	name := judge.Name()
	defer func() {
		if v := recover(); v != nil {
			j = eval.Judgment{Call: eval.Call{Failure: &eval.Failure{Kind: eval.FailureSample, Message: fmt.Sprintf("judge panicked: %v", v)}}}
		}
		j.Key, j.Judge, j.At = a.prediction.Key, name, t.plan.Now()
		j.Latency = j.At.Sub(start)
	}()
	j, err := judge.Judge(ctx, eval.JudgeQuestion{Run: t.plan.Run, Sample: t.sample, Shown: a.shown, Prediction: a.prediction, Attempt: attempt})
	if err != nil {
		j.Failure = eval.FailureOfError(err)
	}
	if j.Failure != nil {
		j.Extraction = eval.Extraction{}
	}
	return j
}

// recordJudgment makes a judgment durable, and then counts it. That of the decider decides over its pass.
func (t *questionTask) recordJudgment(ctx context.Context, i, k int, j eval.Judgment) error {
	a := &t.answers[i]
	a.wanted[k] = false
	before := t.isFinallyClosed()
	decides := j.Judge == t.decider && j.HasReply() && j.Extraction.IsFound()
	if decides && int(j.Pass) < t.total {
		t.passes[j.Pass] = eval.StateOfReading(a.shown, j.Extraction)
	}
	closes := t.isFinallyClosed() && !before
	if err := t.plan.Judgments.RecordJudgment(ctx, j, closes); err != nil {
		return fmt.Errorf("record judgment of %v by %s: %w", j.Key, j.Judge, err)
	}
	t.asking = t.plan.Model != nil
	t.tracker.addJudgmentToProgress(&j, a.last[k], closes)
	return nil
}
