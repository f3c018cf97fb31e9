package engine

import (
	"math/rand/v2"
	"time"

	"concord/eval"
)

// Terms are what holds for the calls of every kind of work alike. Nothing in
// them changes a fact.
type Terms struct {
	Concurrency int     // units of work at once; 0 is 1
	Budget      float64 // the work pauses when Progress.Cost reaches it; 0: never
	Retry       Retry
	Hold        Hold
	Grace       time.Duration    // for calls in flight after a cancel; 0 is DefaultGrace
	Unresolved  time.Duration    // for how long a host's name may not resolve before the work ends; 0: for ever
	Now         func() time.Time // nil is time.Now
}

// fill fills in what was left out.
func (t *Terms) fill() {
	t.Concurrency = max(t.Concurrency, 1)
	t.Hold.fill(t.Concurrency)
	if t.Grace <= 0 {
		t.Grace = DefaultGrace
	}
	if t.Now == nil {
		t.Now = time.Now
	}
}

// DefaultGrace is how long calls in flight may take to finish once a run is
// cancelled.
const DefaultGrace = 5 * time.Second

// Retry says how often and when a call that failed transiently is tried
// again. The zero value tries each call once.
type Retry struct {
	Max      int            // further calls after the first
	Base     time.Duration  // wait before the first retry; doubles with each
	Cap      time.Duration  // longest wait; 0 is no limit
	Patience time.Duration  // longest wait that an endpoint may ask for; 0 is DefaultPatience
	Rand     func() float64 // in [0, 1), for jitter; nil is math/rand
}

// DefaultPatience is for how long an endpoint may ask not to be called again.
// A call that it wants to hear of later still counts as failed.
const DefaultPatience = 10 * time.Minute

// Hold says when an endpoint counts as silent, and how often it is tried
// again. While it is silent no other call is made to it.
type Hold struct {
	After int           // transient failures in a row; 0: see below
	Base  time.Duration // wait before it is tried again, doubling with each try; 0 is DefaultHold
	Cap   time.Duration // longest wait; 0 is DefaultHoldCap

	first int // After, of an endpoint that has not answered yet
}

// What After is when it is not set. A burst of failures takes down all calls
// that are under way, and their first retries, without being an outage; before
// its first answer an endpoint gets one call at a time, and few are enough.
const (
	holdRounds = 2 // of as many calls as there are at once
	holdLeast  = 8
	holdFirst  = 4
)

// How long the tries of a silent endpoint are apart. One that answered within
// the last minute, or has just been called for the first time, is most likely
// there and drops many calls: it is tried twice a second at first.
const (
	DefaultHold    = 30 * time.Second
	DefaultHoldCap = 10 * time.Minute
	holdLately     = time.Minute
	holdQuick      = 400 * time.Millisecond
	holdQuickTries = 24
)

// restLively is how long a call waits for which an endpoint asked a longer
// rest, while others get through.
const restLively = 10 * time.Second

// Wait is how long to wait before retry n (from 0): between half and the
// whole of Base doubled n times, at most Cap. Half is jitter, so that calls
// that failed together do not come back together.
func (y Retry) Wait(n int) time.Duration {
	d := y.Base
	for ; n > 0 && d < 1<<40 && (y.Cap == 0 || d < y.Cap); n-- {
		d *= 2
	}
	if y.Cap > 0 {
		d = min(d, y.Cap)
	}
	random := y.Rand
	if random == nil {
		random = rand.Float64
	}
	return d/2 + time.Duration(random()*float64(d/2))
}

// next is how long to wait after attempt n failed so; false when it was the
// last one. lively says that other calls get through: then the endpoint is not
// asked to be heard of an hour later.
func (y Retry) next(n int, f *eval.Failure, lively bool) (time.Duration, bool) {
	patience := y.Patience
	if patience <= 0 {
		patience = DefaultPatience
	}
	if n >= y.Max || f.After > patience && !lively {
		return 0, false
	}
	return max(y.Wait(n), min(f.After, patience)), true
}

func (h *Hold) fill(concurrency int) {
	h.first = h.After
	if h.After <= 0 {
		h.After, h.first = max(holdLeast, holdRounds*concurrency), holdFirst
	}
	if h.Base <= 0 {
		h.Base = DefaultHold
	}
	if h.Cap <= 0 {
		h.Cap = DefaultHoldCap
	}
	h.Cap = max(h.Cap, h.Base)
}
