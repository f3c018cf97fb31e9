package home

import (
	"time"
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

// growth is how many answers of a run were there over the time that it was
// watched, from its start in this session to its end. It keeps a bounded number
// of samples, further apart the longer the run takes.
type growth struct {
	done    []float64
	step    time.Duration // between samples
	from    time.Time     // of the first one
	at      time.Time     // of the newest
	resting bool          // the run is not worked on any more
}

// most is how many samples are kept: as many as a wide screen has columns.
const most = 2 * history

// add notes how many answers there are. A run that was taken up again begins
// anew.
func (g *growth) add(n int, now time.Time) {
	if g.resting || g.step == 0 {
		*g = growth{step: time.Second, from: now}
	}
	if len(g.done) > 0 && now.Sub(g.at) < g.step-50*time.Millisecond { // ticks come a little early
		return
	}
	g.at = now
	g.done = append(g.done, float64(n))
	if len(g.done) < most {
		return
	}
	for i := range len(g.done) / 2 {
		g.done[i] = g.done[2*i+1]
	}
	g.done = g.done[:len(g.done)/2]
	g.step *= 2
}

// end notes how many there were in the end.
func (g *growth) end(n int, now time.Time) {
	if g.resting {
		return
	}
	g.resting, g.at = true, now
	g.done = append(g.done, float64(n))
}
