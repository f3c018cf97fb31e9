package remote

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"concord/eval"
)

// When an endpoint counts as away, and how often it is tried again.
const (
	missesMost = 4 // failures in a row
	backMost   = 5 // times that a call goes back, before its failure is its own
	tryFirst   = time.Second
	tryLast    = 16 * time.Second
)

// health is what a worker knows of its endpoint by what came of the calls.
type health struct {
	mu       sync.Mutex
	listed   bool // it has said which models it has
	missed   int  // failures in a row
	answered time.Time
	failing  map[string]time.Time // since when a question fails here
	back     int                  // calls that were given back since
	why      string               // it does not answer; "" while it does
	wait     time.Duration        // before it is tried again
	taking   context.Context      // ends when it does not answer
	stop     context.CancelFunc
	turn     sync.Mutex // of whoever tries it
}

// sitting is a worker's part in a session.
type sitting struct {
	*worker
	in    string       // the session
	pulls sync.RWMutex // held for reading by whoever waits for a call
}

// noteCallOutcome notes what came of a call, and reports whether it goes back since its failure may be
// the endpoint's: it does, unless others were answered since its question began to fail here, or
// it went back too often. An endpoint that refuses its first call has the worker leave:
// another one may have another key.
func (w *sitting) noteCallOutcome(r *Result, m jetstream.Msg) (back bool) {
	f, h := r.Failure, &w.health
	question, _, _ := strings.Cut(r.ID, "#")
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case f == nil || f.Kind == eval.FailureSample && !f.Unasked:
		if h.why != "" {
			w.Say("its endpoint answers again: calls are taken")
			h.why, h.failing = "", nil // what failed meanwhile is no question's
			h.taking, h.stop = context.WithCancel(context.Background())
		}
		delete(h.failing, question)
		h.missed, h.answered, h.wait = 0, time.Now(), 0
		return false
	case f.Kind == eval.FailureSample || f.Unasked || f.Kind != eval.FailureConfiguration && f.Status > 0 && f.Status < 500 && f.Sign != eval.SignUnusable:
		return false // a rate limit says nothing
	case f.Kind == eval.FailureConfiguration && h.answered.IsZero():
		w.leave(fmt.Errorf("the calls are given back, since the endpoint refuses them: %w", f))
		return true
	}
	f.Kind = eval.FailureTransient
	if h.missed++; h.missed >= missesMost && h.why == "" {
		h.why = f.Message
		h.stop()
		w.Say(fmt.Sprintf("its endpoint does not answer (%s): the calls are given back, and it is tried now and then", f.Message))
	}
	since := eval.GetOrAdd(eval.EnsureMap(&h.failing), question, time.Now)
	about, err := m.Metadata()
	if back = err == nil && about.NumDelivered <= backMost && (h.why != "" || !h.answered.After(since)); back {
		h.back++
	}
	return back
}

// takeCallsOrTry takes one call after the other. While the endpoint does not answer one call of
// all is taken now and then, to try it.
func (w *sitting) takeCallsOrTry(ctx context.Context) {
	h := &w.health
	for ; ctx.Err() == nil; sleep(ctx, tryFirst) {
		h.mu.Lock()
		taking := h.taking
		h.mu.Unlock()
		if w.pullCalls(ctx, taking, -1); taking.Err() != nil {
			h.turn.Lock()
			w.probeEndpoint(ctx)
			h.turn.Unlock()
		}
	}
}

// probeEndpoint tries an endpoint that does not answer, after a while that doubles with each try. One
// that does not even list the models that it had is given no call.
func (w *sitting) probeEndpoint(ctx context.Context) {
	h := &w.health
	h.mu.Lock()
	h.wait = min(max(2*h.wait, tryFirst), tryLast)
	wait, listed, well := h.wait, h.listed, h.why == ""
	h.mu.Unlock()
	if well {
		return
	}
	if sleep(ctx, wait); listed && len(w.Models(ctx)) == 0 {
		return
	}
	soon, cancel := context.WithTimeout(ctx, beat)
	defer cancel()
	w.pullCalls(ctx, soon, 1)
}

// pullCalls takes calls, and none ahead, until taking ends or there were most of them.
func (w *sitting) pullCalls(ctx, taking context.Context, most int) {
	pulling, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(taking, end)()
	queue, err := w.js.Consumer(pulling, streamPrefix+w.in, w.in)
	if err != nil {
		return
	}
	calls, err := queue.Messages(jetstream.PullMaxMessages(1), jetstream.PullExpiry(3*beat)) // so long it asks a queue that a cluster has lost
	if err != nil {
		return
	}
	defer calls.Stop()
	for ; most != 0; most-- {
		m := w.nextCall(pulling, calls)
		if m == nil {
			return
		}
		w.makeCallAndDeliver(ctx, m)
	}
}

// nextCall takes a call; nil when no more are taken, and one that comes then goes back.
func (w *sitting) nextCall(ctx context.Context, calls jetstream.MessagesContext) jetstream.Msg {
	w.pulls.RLock()
	defer w.pulls.RUnlock()
	if m, err := calls.Next(jetstream.NextContext(ctx)); err == nil {
		return m
	}
	calls.Drain()
	for late, err := calls.Next(jetstream.NextMaxWait(beat)); err == nil; late, err = calls.Next(jetstream.NextMaxWait(beat)) {
		_ = late.Nak()
	}
	return nil
}
