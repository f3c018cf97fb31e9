package home

import (
	"time"

	"concord/eval"
)

// history is how many seconds of rates are kept of a run.
const history = 120

// rates is how fast a run was in the last seconds.
type rates struct {
	values []float64 // one a second, the newest last
	at     time.Time // of the newest
}

// add notes a rate, at most once a second.
func (h *rates) add(rate float64, now time.Time) {
	if now.Sub(h.at) < time.Second-50*time.Millisecond { // ticks come a little early, too
		return
	}
	h.at = now
	h.values = append(h.values, rate)
	if len(h.values) >= 2*history {
		h.values = append(h.values[:0], h.values[len(h.values)-history:]...)
	}
}

// note adds the present rates of the runs that are worked on, and forgets
// those that are not.
func note(m *board, now time.Time) {
	if m.rates == nil {
		m.rates = make(map[eval.RunID]*rates)
	}
	for _, r := range m.every.rows {
		switch {
		case !moves(r):
			delete(m.rates, r.Run.ID)
		case m.rates[r.Run.ID] == nil:
			m.rates[r.Run.ID] = &rates{}
			fallthrough
		default:
			m.rates[r.Run.ID].add(r.Progress.Rate, now)
		}
	}
}

// moves reports whether a run is worked on, so that its numbers change.
func moves(r Row) bool {
	return r.Live && !r.Progress.State.Final() && r.Progress.State != eval.StateUnset
}
