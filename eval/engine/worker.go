package engine

import (
	"context"
	"fmt"
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
