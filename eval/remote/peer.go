package remote

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"concord/eval"
)

// peer is a worker as the holder knows it, or knew it.
type peer struct {
	eval.WorkerProgress
	heard time.Time
	had   int // answers, when it was heard of
}

// Of a WorkerProgress, why a worker takes no calls.
const (
	silent = "silent"
	gone   = "gone"
	left   = "left"
)

// isAway reports whether a worker is not expected back.
func (p *peer) isAway() bool { return p.State == gone || p.State == left }

// onHello lets a worker in, or says why not. To one that seeks a holder it only says
// whether it would.
func (h *Holder) onHello(m *nats.Msg) {
	var w Hello
	err := decode(m.Data, &w)
	h.mu.Lock()
	p := h.peers[w.ID]
	why := cmp.Or(errorText(err), whyOther("the worker", w.Protocol), h.whyUnfit(&w))
	switch {
	case w.Leaving:
		if p != nil {
			p.State, p.Last = left, cmp.Or(w.Last, p.Last)
		}
		h.say("worker %s has left%s", w.Name, eval.Either(w.Last == "", "", ": "+w.Last))
	case why != "":
		h.say("worker %s is refused: %s", w.Name, why)
	case w.Session != "":
		h.hear(p, &w)
	}
	h.mu.Unlock()
	h.answer(m, Word{Refused: why})
}

// hear takes note of a worker that is there. A new one takes the place of one that was
// killed under its name.
func (h *Holder) hear(p *peer, w *Hello) {
	now := h.now()
	switch {
	case p == nil:
		maps.DeleteFunc(h.peers, func(_ string, old *peer) bool { return old.Name == w.Name && old.isAway() })
		p = &peer{WorkerProgress: eval.WorkerProgress{Name: w.Name, Endpoint: w.Endpoint, Capacity: w.Capacity}}
		h.peers[w.ID] = p
		h.say("worker %s has joined: it asks %s, concurrency %d", w.Name, w.Endpoint, w.Capacity)
	case p.State != "":
		h.say("worker %s is back", w.Name)
	}
	if past := now.Sub(p.heard).Seconds(); !p.heard.IsZero() && past > 0 {
		recent := eval.Either(p.Rate == 0, 1, 0.2) // of the rate, what the last beat says of it
		p.Rate += recent * (float64(p.Answered-p.had)/past - p.Rate)
	}
	p.State, p.heard, p.had = "", now, p.Answered
}

// count counts a result for the worker that gave it. The caller holds mu.
func (h *Holder) count(r *Result) {
	p := h.peers[r.Worker]
	if p == nil {
		return
	}
	if p.Answered++; r.Failure != nil {
		p.Failed, p.Last = p.Failed+1, r.Failure.Message
	}
}

// Workers are those that are or were there, by name.
func (h *Holder) Workers() []eval.WorkerProgress {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := eval.Map(slices.Collect(maps.Values(h.peers)), func(p *peer) eval.WorkerProgress { return p.WorkerProgress })
	slices.SortFunc(out, func(a, b eval.WorkerProgress) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (h *Holder) whyUnfit(w *Hello) string {
	for _, model := range h.models {
		if len(w.Models) > 0 && !slices.Contains(w.Models, model) {
			return fmt.Sprintf("its endpoint %s has no model %q, but %s", w.Endpoint, model, strings.Join(w.Models[:min(len(w.Models), 5)], ", "))
		}
	}
	return eval.Either(w.Capacity < 1, "it takes no calls", "")
}

// watchPeers has the queue and the run follow what the workers take together.
func (h *Holder) watchPeers(ctx context.Context) {
	const often = beat / 4
	tick := time.Tick(often)
	for n := time.Duration(1); ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		h.mu.Lock()
		sum, told, resize := h.sumCapacity(), h.told, h.resize
		h.mu.Unlock()
		if sum != told && h.boundUnacknowledged(ctx, sum) == nil { // else at the next tick
			h.mu.Lock()
			h.told = sum
			h.mu.Unlock()
			resize(sum)
		}
		if n%(beat/often) == 0 {
			h.keepQueue(ctx)
		}
	}
}

// sumCapacity gives what the workers take together, without those that have gone.
func (h *Holder) sumCapacity() (sum int) {
	for _, p := range h.peers {
		if p.isAway() {
			continue
		}
		switch quiet := h.now().Sub(p.heard); {
		case quiet > goneFrom:
			p.State = gone
			h.say("worker %s is gone: its calls are out again", p.Name)
			continue
		case quiet > 3*beat && p.State == "":
			p.State = silent
			h.say("worker %s is silent: its calls are out again within %v", p.Name, ackWait)
		}
		sum += p.Capacity
	}
	return sum
}
