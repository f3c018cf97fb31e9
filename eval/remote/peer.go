package remote

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"concord/eval"
)

// peer is a worker as the holder knows it.
type peer struct {
	Hello
	heard time.Time
	late  bool // it was said that it is silent
}

// onHello lets a worker in, or says why not.
func (h *Holder) onHello(m *nats.Msg) {
	var w Hello
	err := decode(m.Data, &w)
	h.mu.Lock()
	p := h.peers[w.ID]
	why := cmp.Or(errorText(err), whyOther("the worker", w.Protocol), h.whyUnfit(&w))
	switch {
	case w.Leaving:
		delete(h.peers, w.ID)
		h.say("worker %s has left%s", w.Name, eval.Either(w.Last == "", "", ": "+w.Last))
	case why != "":
		h.say("worker %s is refused: %s", w.Name, why)
	default:
		h.peers[w.ID] = &peer{Hello: w, heard: h.now()}
		if p == nil {
			h.say("worker %s has joined: it asks %s, concurrency %d", w.Name, w.Endpoint, w.Capacity)
		} else if p.late {
			h.say("worker %s is back", w.Name)
		}
	}
	h.mu.Unlock()
	h.answer(m, Word{Refused: why})
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
	for tick := time.Tick(beat / 4); ; {
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
	}
}

// sumCapacity gives what the workers take together, without those that have gone.
func (h *Holder) sumCapacity() (sum int) {
	for id, p := range h.peers {
		switch quiet := h.now().Sub(p.heard); {
		case quiet > goneFrom:
			delete(h.peers, id)
			h.say("worker %s is gone: its calls are out again", p.Name)
			continue
		case quiet > 3*beat && !p.late:
			p.late = true
			h.say("worker %s is silent: its calls are out again within %v", p.Name, ackWait)
		}
		sum += p.Capacity
	}
	return sum
}
