package home

import (
	"fmt"
	"time"

	"concord/eval"
	"concord/tui/widget"
)

// grow follows the runs that are worked on.
func grow(m *board, now time.Time) {
	if m.growths == nil {
		m.growths = make(map[eval.RunID]*growth)
	}
	for _, r := range m.rows {
		g, n := m.growths[r.Run.ID], r.Progress.Counts.Predictions
		switch {
		case !moves(r) && g != nil:
			g.end(n, now)
		case !moves(r):
		case g == nil:
			g = &growth{}
			m.growths[r.Run.ID] = g
			fallthrough
		default:
			g.add(n, now)
		}
	}
}

// growthLines draw a run's answers over time in width by height cells; nothing
// where there is too little room, or too little to see.
func growthLines(m *board, r Row, width, height int) []string {
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
	note := fmt.Sprintf("%s in %s, %s on average", widget.Count(int(last-first)), widget.Span(took), widget.Rate((last-first)/max(1, took.Seconds())))
	out := []string{t.Section("Answers over time", note, false, width)}
	rows := min(height-2, 16)
	area := t.Area(g.done, 0, last, width-side-1, rows)
	for y, l := range area {
		number := ""
		switch y {
		case 0:
			number = widget.Count(int(last))
		case rows - 1:
			number = "0"
		}
		out = append(out, t.Faint.Render(fmt.Sprintf("%*s ", side, number))+l)
	}
	const clock = "15:04:05"
	return append(out, widget.Ends(fmt.Sprintf("%*s ", side, "")+t.Faint.Render(g.from.Local().Format(clock)), t.Faint.Render(g.at.Local().Format(clock)), width))
}

// withGrowth puts a run's answers over time below other lines, where there is
// room and something to see.
func withGrowth(m *board, lines []string, r Row, width, height int) []string {
	over := growthLines(m, r, width, height)
	if over == nil {
		return lines
	}
	return append(append(lines, ""), over...)
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
