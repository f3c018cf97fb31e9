package home

import (
	"fmt"
	"time"

	"concord/eval"
	"concord/tui/widget"
)

// updateProgressCharts follows the runs that are worked on.
func updateProgressCharts(m *projectBoard, now time.Time) {
	if m.growths == nil {
		m.growths = make(map[eval.RunID]*progressHistory)
	}
	for _, r := range m.runs.rows {
		g, n := m.growths[r.Run.ID], r.Progress.Counts.Predictions
		switch {
		case !isMoving(r) && g != nil:
			g.addFinalCount(n, now)
		case !isMoving(r):
		case g == nil:
			g = &progressHistory{}
			m.growths[r.Run.ID] = g
			fallthrough
		default:
			g.addCount(n, now)
		}
	}
}

// drawProgressChart draw a run's answers over time in width by height cells; nothing
// where there is too little room, or too little to see.
func drawProgressChart(m *projectBoard, r Row, width, height int) []string {
	const least, side = 5, 8 // lines, and the cells of the numbers
	g := m.growths[r.Run.ID]
	if g == nil || len(g.done) < 3 || height < least || width < 4*side {
		return nil
	}
	first, last := g.done[0], g.done[len(g.done)-1]
	if last <= first {
		return nil
	}
	t, took := m.theme, g.at.Sub(g.from)
	note := fmt.Sprintf("%s in %s, %s on average", widget.FormatCount(int(last-first)), widget.FormatDuration(took), widget.FormatRate((last-first)/max(1, took.Seconds())))
	out := []string{t.DrawSection("Answers over time", note, false, width)}
	rows := min(height-2, 16)
	area := t.DrawArea(g.done, 0, last, width-side-1, rows)
	for y, l := range area {
		number := ""
		switch y {
		case 0:
			number = widget.FormatCount(int(last))
		case rows - 1:
			number = "0"
		}
		out = append(out, t.Faint.Render(fmt.Sprintf("%*s ", side, number))+l)
	}
	const clock = "15:04:05"
	return append(out, widget.JoinEnds(fmt.Sprintf("%*s ", side, "")+t.Faint.Render(g.from.Local().Format(clock)), t.Faint.Render(g.at.Local().Format(clock)), width))
}

// addProgressChart puts a run's answers over time below other lines, where there is
// room and something to see.
func addProgressChart(m *projectBoard, lines []string, r Row, width, height int) []string {
	over := drawProgressChart(m, r, width, height)
	if over == nil {
		return lines
	}
	return append(append(lines, ""), over...)
}

// noteRates adds the present rates of the runs that are worked on, and forgets
// those that are not.
func noteRates(m *projectBoard, now time.Time) {
	if m.rates == nil {
		m.rates = make(map[eval.RunID]*rateHistory)
	}
	for _, r := range m.runs.all {
		switch {
		case !isMoving(r):
			delete(m.rates, r.Run.ID)
		case m.rates[r.Run.ID] == nil:
			m.rates[r.Run.ID] = &rateHistory{}
			fallthrough
		default:
			m.rates[r.Run.ID].addRate(r.Progress.Rate, now)
		}
	}
}

// history is how many seconds of rates are kept of a run.
const history = 120

// rateHistory is how fast a run was in the last seconds.
type rateHistory struct {
	values []float64 // one a second, the newest last
	at     time.Time // of the newest
}

// addRate notes a rate, at most once a second.
func (h *rateHistory) addRate(rate float64, now time.Time) {
	if now.Sub(h.at) < time.Second-50*time.Millisecond { // ticks come a little early, too
		return
	}
	h.at = now
	h.values = append(h.values, rate)
	if len(h.values) >= 2*history {
		h.values = append(h.values[:0], h.values[len(h.values)-history:]...)
	}
}

// progressHistory is how many answers of a run were there over the time that it was
// watched, from its start in this session to its end. It keeps a bounded number
// of samples, further apart the longer the run takes.
type progressHistory struct {
	done    []float64
	step    time.Duration // between samples
	from    time.Time     // of the first one
	at      time.Time     // of the newest
	resting bool          // the run is not worked on any more
}

// most is how many samples are kept: as many as a wide screen has columns.
const most = 2 * history

// addCount notes how many answers there are. A run that was taken up again begins
// anew.
func (g *progressHistory) addCount(n int, now time.Time) {
	if g.resting || g.step == 0 {
		*g = progressHistory{step: time.Second, from: now}
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

// addFinalCount notes how many there were in the end.
func (g *progressHistory) addFinalCount(n int, now time.Time) {
	if g.resting {
		return
	}
	g.resting, g.at = true, now
	g.done = append(g.done, float64(n))
}
