package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"concord/eval"
)

// line is an endpoint as the crew sees it: whether calls get through. Until
// one has, and again when the endpoint has fallen silent, calls go one at a
// time, so that a wrong key costs one call and a weekend's outage a few.
type line struct {
	what    string // "ask gpt-4", for messages
	judge   string // whose cost its calls are, as the purse knows it; "" for the model's
	hold    Hold
	tracker *tracker
	now     func() time.Time
	turn    chan struct{} // one slot, taken by whoever tries a line that is not open

	mu     sync.Mutex
	opened chan struct{} // closed while the line is open
	open   bool
	missed int           // transient failures in a row
	wait   time.Duration // between tries of a silent line; 0 while it is not silent
	until  time.Time     // when it is tried again
}

func newLine(what, judge string, y *Terms, t *tracker) *line {
	return &line{
		what: what, judge: judge, hold: y.Hold, tracker: t, now: y.Now,
		turn: make(chan struct{}, 1), opened: make(chan struct{}),
	}
}

// enter waits until a call may be made; it reports false when ctx ends first.
// alone says that the caller has the line's turn, which it keeps until leave.
func (l *line) enter(ctx context.Context, alone *bool) bool {
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

// sleep waits for d, or until early is closed; it reports false when ctx ends
// first.
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

// leave gives the turn back.
func (l *line) leave(alone bool) {
	if alone {
		<-l.turn
	}
}

// through notes that the endpoint answered.
func (l *line) through() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.missed = 0
	if l.open {
		return
	}
	l.open = true
	close(l.opened)
	if l.wait > 0 {
		l.wait = 0
		l.tracker.release(l)
	}
}

// miss notes a call that came to nothing, though it might another time. Calls
// that were under way when the line fell silent say nothing new.
func (l *line) miss(f *eval.Failure, alone bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.missed++
	enough := l.hold.After
	if !l.open {
		enough = l.hold.first
	}
	switch {
	case l.wait == 0 && l.missed >= enough:
		l.wait = l.hold.Base
		if l.open {
			l.open, l.opened = false, make(chan struct{})
		}
	case l.wait > 0 && alone:
		l.wait = min(2*l.wait, l.hold.Cap)
	default:
		return
	}
	l.until = l.now().Add(l.wait)
	l.tracker.hold(l, fmt.Sprintf("%s: no answer to the last %d calls (%s)", l.what, l.missed, f.Message), l.until)
}
