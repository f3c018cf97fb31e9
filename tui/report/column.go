package report

import (
	"strings"

	"concord/tui/widget"
)

// put is a column of a table as it is drawn.
type put struct{ column, wide int }

// columns are those of a table that are drawn, and how wide a bar is behind them:
// 0 without one.
type columns struct {
	puts []put
	bar  int
}

func (c *canvas) columns(s *sheet) columns {
	column, width := s.column(c.r.column), c.width-2
	if c.r.drawn && s.shares(column) {
		if out, bar := s.barColumns(column, width); bar > 0 {
			return columns{out, bar}
		}
	}
	return columns{s.shownColumns(column, width), 0}
}

// shownColumns are the columns that are drawn so that the reader's is seen: those
// that name a row, and those around it.
func (s *sheet) shownColumns(column, width int) []put {
	room := width
	if column >= 0 {
		room = max(width/2, width-s.widths[column]-gap)
	}
	out, _ := s.naming(room, widest)
	room = width
	for _, p := range out {
		room -= p.wide + gap
	}
	from, to := s.window(column, room)
	for i := from; i < to; i++ {
		out = append(out, put{i, s.widths[i]})
	}
	return out
}

// barLeast is the narrowest bar that says something, and barMost the widest that
// still says more.
const (
	barLeast = 12
	barMost  = 100
)

// barColumns are the columns that are drawn where the reader's is drawn as bars,
// and how wide those are; 0 where the names that tell rows apart leave no room.
func (s *sheet) barColumns(column, width int) (out []put, bar int) {
	const nameMost = 24
	room := width - s.widths[column] - gap - barLeast
	out, ok := s.naming(room, nameMost)
	if !ok {
		return nil, 0
	}
	for _, p := range out {
		room -= p.wide + gap
	}
	return append(out, put{column, s.widths[column]}), max(0, min(barMost, room+barLeast-gap))
}

// shares reports whether a column has a figure between 0 and 1.
func (s *sheet) shares(column int) bool {
	if column < 0 {
		return false
	}
	for i := range s.cells {
		if _, ok := s.cells[i][column].Share(); ok {
			return true
		}
	}
	return false
}

// bar is the figure of a cell as a bar with its interval, nothing where there
// is none; above them stands their scale.
func (c *canvas) bar(s *sheet, row, column, wide int) string {
	if row < 0 {
		return c.theme.Axis(wide)
	}
	r, ok := s.cells[row][column].Share()
	if !ok {
		return strings.Repeat(" ", wide)
	}
	return c.theme.Interval(wide, r.Low, r.Value, r.High)
}

func right(s string, width int) string {
	return strings.Repeat(" ", max(0, width-widget.Width(s))) + widget.Cut(s, width)
}
