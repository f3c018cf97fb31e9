package engine

import (
	"math"
	"time"
)

// window is how many seconds a rate looks back.
const window = 10

// eventRate counts events per second over the last seconds. since is when
// counting began: a rate over less than the window divides by less.
type eventRate struct {
	since  time.Time
	counts [window]int
	second int64 // the second that the newest count belongs to
}

// turn makes now's second the newest and forgets what fell out of the window.
func (m *eventRate) turn(now time.Time) {
	s := now.Unix()
	for range min(max(s-m.second, 0), window) {
		m.second++
		m.counts[m.second%window] = 0
	}
	m.second = max(m.second, s)
}

func (m *eventRate) add(now time.Time) {
	if m.second == 0 {
		m.second = now.Unix()
	}
	m.turn(now)
	m.counts[m.second%window]++
}

// read gives the events per second up to now.
func (m *eventRate) read(now time.Time) float64 {
	m.turn(now)
	sum := 0
	for _, n := range m.counts {
		sum += n
	}
	span := min(now.Sub(m.since).Seconds(), window-1+float64(now.Nanosecond())/1e9)
	return float64(sum) / max(span, 1)
}

// mean estimates how many calls a question takes, from those that are closed.
type mean struct {
	calls int // predictions stored
	open  int // of them, those of questions that are not closed
	first int // guess until a question is closed: passes of the longest one taken up
}

func (m *mean) begin(stored, total int) {
	m.open += stored
	m.first = max(m.first, total)
}

func (m *mean) add() {
	m.calls++
	m.open++
}

func (m *mean) leave(stored int, closed bool) {
	if closed {
		m.open -= stored
	}
}

// left is the calls expected for open questions when closed ones are done.
func (m *mean) left(open, closed int) int {
	if open <= 0 {
		return 0
	}
	per := float64(max(m.first, 1))
	if done := m.calls - m.open; closed > 0 && done > 0 {
		per = float64(done) / float64(closed)
	}
	return max(int(math.Round(per*float64(open)))-m.open, 0)
}
