package report

import (
	"strings"

	"concord/tui/widget"
)

// put is a column of a table as it is drawn.
type put struct{ column, wide int }

// shownColumns are the columns that are drawn so that the reader's is seen: the
// fixed ones, and those around it.
func (s *sheet) shownColumns(column, width int) []put {
	fixed, from, to := s.window(column, width)
	out := make([]put, 0, fixed+to-from)
	for i := range fixed {
		out = append(out, put{i, min(s.widths[i], width/2)})
	}
	for i := from; i < to; i++ {
		out = append(out, put{i, s.widths[i]})
	}
	return out
}

// barColumns are the columns that are drawn where the reader's is drawn as bars,
// and how wide those are: that column, the last one of those that name a row,
// which tells its rows apart, and of the other names as many as leave room.
func (s *sheet) barColumns(column, width int) (out []put, bar int) {
	const nameMost = 24
	room := width - s.widths[column] - gap - barLeast
	shown := make([]bool, s.names)
	take := func(i int) {
		wide := min(s.widths[i], nameMost)
		if !shown[i] && wide+gap <= room {
			shown[i] = true
			room -= wide + gap
		}
	}
	if s.names > 0 {
		take(s.names - 1)
	}
	for i := range s.names {
		take(i)
	}
	for i, ok := range shown {
		if ok {
			out = append(out, put{i, min(s.widths[i], nameMost)})
		}
	}
	return append(out, put{column, s.widths[column]}), max(0, min(barMost, room+barLeast-gap))
}

// barred reports whether columns are drawn as bars, and the reader's can be.
func (m *Model) barred(s *sheet, column int) bool {
	return m.state().bars && s.shares(column)
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

// barOf is the figure of a cell as a bar with its interval, nothing where there
// is none; above them stands their scale.
func (m *Model) barOf(s *sheet, row, column, wide int) string {
	if row < 0 {
		return m.theme.Axis(wide)
	}
	r, ok := s.cells[row][column].Share()
	if !ok {
		return strings.Repeat(" ", wide)
	}
	return m.theme.Interval(wide, r.Low, r.Value, r.High)
}

// pressBars draws columns as bars, or as figures again.
func (m *Model) pressBars() {
	st := m.state()
	st.bars = !st.bars
}

// barsKey says what the key would do now.
func (m *Model) barsKey(k *keys) {
	f := m.paged()
	on := m.page() != nil && f != nil && f.rows() > 0
	if on {
		table, _ := f.find(m.state().row)
		s := &f.sheets[table]
		on = m.state().bars || s.shares(s.column(m.state().column))
	}
	if m.page() != nil && m.state().bars {
		k.drawn = widget.Bind("B", "figures", "B")
	}
	k.drawn = widget.When(k.drawn, on, "this column holds no shares")
}
