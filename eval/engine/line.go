package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"concord/eval"
)

// endpointMonitor is an endpoint as the workers sees it: whether calls get through. Until
// one has, and again when the endpoint has fallen silent, calls go one at a
// time, so that a wrong key costs one call and a weekend's outage a few.
type endpointMonitor struct {
	what       string // "ask gpt-4", for messages
	judge      string // whose cost its calls are, as the purse knows it; "" for the model's
	hold       Hold
	unresolved time.Duration // for how long its host may have no address; 0: for ever
	tracker    *tracker
	now        func() time.Time
	turn       chan struct{} // one slot, taken by whoever tries a line that is not open

	mu       sync.Mutex
	opened   chan struct{} // closed while the line is open
	open     bool
	missed   int           // transient failures in a row
	unusable int           // of these, the last ones that were replies and no answers
	refused  int           // refusals in a row of a model or key that served before
	nameless time.Time     // since when its host has no address; zero while it has one
	last     time.Time     // when a call got through; zero: none has
	blamed   time.Time     // when a call was first blamed since; zero: none was
	wait     time.Duration // between tries of a silent line; 0 while it is not silent
	tries    int           // of a silent line
	until    time.Time     // when it is tried again
	blank    int           // answers that say nothing, before the first that says something; -1 behind it
	rest     time.Time     // until when the endpoint asked for a rest; zero: it did not
	asked    time.Time     // when it did
}

func newEndpointMonitor(what, judge string, y *Terms, t *tracker) *endpointMonitor {
	return &endpointMonitor{
		what: what, judge: judge, hold: y.Hold, unresolved: y.Unresolved, tracker: t, now: y.Now,
		turn: make(chan struct{}, 1), opened: make(chan struct{}),
	}
}

// waitForTurn waits until a call may be made; it reports false when ctx ends first.
// alone says that the caller has the line's turn, which it keeps until leave.
func (l *endpointMonitor) waitForTurn(ctx context.Context, alone *bool) bool {
	l.mu.Lock()
	open, opened := l.open, l.opened
	l.mu.Unlock()
	if open {
		return ctx.Err() == nil
	}
	if !*alone {
		select {
		case <-opened:
			return ctx.Err() == nil
		case l.turn <- struct{}{}:
			*alone = true
		case <-ctx.Done():
			return false
		}
	}
	l.mu.Lock()
	var rest time.Duration
	if l.wait > 0 {
		rest = l.until.Sub(l.now())
	}
	opened = l.opened
	l.mu.Unlock()
	return sleep(ctx, rest, opened)
}

// sleep waits for d, or until early is closed; it reports false when ctx ends first.
func sleep(ctx context.Context, d time.Duration, early <-chan struct{}) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-early:
	case <-ctx.Done():
	}
	return ctx.Err() == nil
}

func (l *endpointMonitor) endSingleTurn(alone bool) {
	if alone {
		<-l.turn
	}
}

// noteAnswer notes that the endpoint answered. Of answers that say nothing there
// is an error once there were some before any other.
func (l *endpointMonitor) noteAnswer(blank bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.markAnswering()
	switch {
	case l.blank < 0:
	case !blank:
		l.blank = -1
	default:
		if l.blank++; l.blank >= holdLeast {
			return &eval.Failure{
				Kind:    eval.FailureConfiguration,
				Message: fmt.Sprintf("the first %d answers say nothing, though the model says that it ended them: try it with concord doctor, and check the model, its parameters and any proxy between; the same command continues with the next ones", l.blank),
			}
		}
	}
	return nil
}

func (l *endpointMonitor) markAnswering() {
	now := l.now()
	l.missed, l.unusable, l.refused, l.nameless, l.last, l.blamed = 0, 0, 0, time.Time{}, now, time.Time{}
	told := l.wait > 0
	if !l.rest.IsZero() && (!now.Before(l.rest) || now.Sub(l.asked) >= restLively) {
		l.rest, told = time.Time{}, true
	}
	l.wait, l.tries = 0, 0
	if !l.open {
		l.open = true
		close(l.opened)
	}
	if told && l.rest.IsZero() {
		l.tracker.change(func(p *eval.Progress) { l.tracker.forgetEndpoint(l); l.tracker.updateState(p) })
	}
}

// noteFailure notes a call that came to nothing, though it might another time. Calls that were under
// way when the line fell silent say nothing new. It gives an error when there is no sense in going on:
// all that came so far were replies that are no answers, or the host's name does not resolve. soon says
// that the line is tried again in a moment, whatever the call's own backoff is.
func (l *endpointMonitor) noteFailure(f *eval.Failure, alone bool) (soon bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.missed++
	l.countFailureSign(f)
	if err := l.explainHopeless(f); err != nil {
		return false, err
	}
	enough := eval.Either(!l.open, l.hold.first, l.hold.After)
	switch {
	case l.wait == 0 && l.missed >= enough:
		l.wait, l.tries = l.hold.Base, 0
		if l.last.IsZero() || l.now().Sub(l.last) <= holdLately {
			l.wait = min(holdQuick, l.hold.Base)
		}
		if l.open {
			l.open, l.opened = false, make(chan struct{})
		}
	case l.wait > 0 && alone:
		l.lengthenWait()
	default:
		l.noteCooldown(f)
		return false, nil
	}
	l.until = l.now().Add(l.wait)
	if end := l.nameless.Add(l.unresolved); l.unresolved > 0 && !l.nameless.IsZero() && l.until.After(end) {
		l.until = end
	}
	l.tracker.markSilent(l, fmt.Sprintf("%s: no answer to the last %d calls (%s)", l.what, l.missed, f.Message), l.until)
	return l.wait < l.hold.Base, nil
}

// isRefusalDoubtful reports whether a refusal of the address, the key or the model is not
// believed yet: the same ones served before, so that a gateway may have made it.
// It counts as a failure that may pass, until there are some in a row.
func (l *endpointMonitor) isRefusalDoubtful(f *eval.Failure) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch s := f.Status; {
	case l.last.IsZero():
		return false
	case s >= 300 && s < 400, s == 401, s == 403, s == 404, s == 405, s == 407:
		l.refused++
		return l.refused < l.hold.first
	}
	return false
}

// lengthenWait gives the wait after one more try of a silent line: half a second at first,
// unless it has been silent for long, and then twice as long each time.
func (l *endpointMonitor) lengthenWait() {
	l.tries++
	switch {
	case l.wait >= l.hold.Base:
		l.wait = min(2*l.wait, l.hold.Cap)
	case l.tries >= holdQuickTries:
		l.wait = l.hold.Base
	}
}

// countFailureSign counts what the failures in a row have in common.
func (l *endpointMonitor) countFailureSign(f *eval.Failure) {
	if f.Sign == eval.SignUnusable {
		l.unusable++
	} else {
		l.unusable = 0
	}
	switch {
	case f.Sign != eval.SignUnresolved:
		l.nameless = time.Time{}
	case l.nameless.IsZero():
		l.nameless = l.now()
	}
}

// explainHopeless gives why the work should end rather than wait.
func (l *endpointMonitor) explainHopeless(f *eval.Failure) error {
	switch {
	case l.last.IsZero() && l.unusable >= l.hold.first:
		return &eval.Failure{
			Kind: eval.FailureConfiguration, Status: f.Status,
			Message: fmt.Sprintf("none of the first %d replies is an answer: check the base URL, the model and any proxy between; the same command tries again (%s)", l.unusable, f.Message),
		}
	case l.unresolved > 0 && !l.nameless.IsZero() && l.now().Sub(l.nameless) >= l.unresolved:
		return &eval.Failure{
			Kind:    eval.FailureConfiguration,
			Sign:    eval.SignUnresolved,
			Message: fmt.Sprintf("no address for %v: check the base URL and the network; the same command continues (%s)", l.unresolved, f.Message),
		}
	}
	return nil
}

// isCallToBlame reports whether other calls got through since one began to fail: then it is that call which
// fails, and not the endpoint, however many like it hold all workers. So it is with those that began to
// fail before the first of them was blamed. A silent line is tried again in a moment, with another call.
func (l *endpointMonitor) isCallToBlame(failing time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case failing.Before(l.blamed):
	case !l.last.After(failing):
		return false
	case l.blamed.IsZero():
		l.blamed = l.now()
	}
	if l.wait > 0 {
		l.wait, l.tries = min(holdQuick, l.hold.Base), 0
		l.until = l.now().Add(l.wait)
	}
	return true
}

// answeredRecently reports whether a call got through a moment ago.
func (l *endpointMonitor) answeredRecently() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.last.IsZero() && l.now().Sub(l.last) < restLively
}

// waitBeforeRetry waits for d before a call is made again, and no longer than restLively
// once others get through; it reports false when ctx ends first.
func (l *endpointMonitor) waitBeforeRetry(ctx context.Context, d time.Duration) bool {
	began := l.now()
	for ; d > restLively; d -= restLively {
		if !sleep(ctx, restLively, nil) {
			return false
		}
		l.mu.Lock()
		since := l.last.After(began)
		l.mu.Unlock()
		if since {
			return ctx.Err() == nil
		}
	}
	return sleep(ctx, d, nil)
}

// noteCooldown shows that the endpoint asked not to be called for a while: its other calls wait as well.
func (l *endpointMonitor) noteCooldown(f *eval.Failure) {
	if f.After < time.Second {
		return
	}
	if until := l.now().Add(f.After); until.After(l.rest) {
		l.rest, l.asked = until, l.now()
		l.tracker.markSilent(l, fmt.Sprintf("%s: asked to wait %v (%s)", l.what, f.After.Round(time.Second), f.Message), until)
	}
}
