package report

import (
	"cmp"
	"slices"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/tui/widget"
)

// sheet is a table of a page as it is drawn: texts that are safe to show, and
// the cells behind them.
type sheet struct {
	title string
	of    string // what it is about, where its report has several
	same  string // what all rows have in common
	notes []string
	head  []string
	lines [][]string
	cells [][]table.Cell
	runs  []eval.RunID // of the rows; nil where they do not say it

	telling []int // the columns that name a row, those first that tell most apart
	needed  int   // how many of them tell all rows apart

	names  int   // how many of the first columns name a row
	stops  []int // the columns that a reader goes through: those that say something of what is named
	widths []int
	right  []bool
}

// widest is how wide a column may be: what is longer stands in the pane.
const widest = 44

// sheetOf lays a table out.
func sheetOf(t table.Table) sheet {
	title := widget.Line(t.Name)
	if t.Title != "" {
		title += " · " + widget.Line(t.Title)
	}
	runs := runsIn(&t)
	same, t := t.Fold()
	s := sheet{title: title, of: widget.Line(t.Title), same: widget.Line(strings.Join(same, " · ")), notes: t.Notes, cells: t.Rows, names: t.Names(), runs: runs}
	s.head, s.lines = t.Texts()
	for i, c := range t.Columns {
		wide, why := widget.Width(s.head[i]), 0
		says := false
		for j := range s.lines {
			s.lines[j][i] = widget.Line(s.lines[j][i])
			if t.Rows[j][i].Undefined() == "" {
				wide = max(wide, widget.Width(s.lines[j][i]))
			} else {
				why = max(why, widget.Width(s.lines[j][i]))
			}
			says = says || s.lines[j][i] != ""
		}
		if wide == widget.Width(s.head[i]) { // else why there is no figure stands in the pane alone
			wide = max(wide, why)
		}
		s.widths = append(s.widths, min(wide, widest))
		s.right = append(s.right, c.Kind == table.KindCount || c.Kind == table.KindNumber)
		if says && i >= s.names && c.Kind != table.KindBar {
			s.stops = append(s.stops, i)
		}
	}
	s.tell()
	return s
}

// runsIn are the runs that the rows of a table are about.
func runsIn(t *table.Table) []eval.RunID {
	at := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == "run" })
	if at < 0 {
		return nil
	}
	out := make([]eval.RunID, len(t.Rows))
	for i := range t.Rows {
		n, _ := t.Rows[i][at].Count()
		out[i] = eval.RunID(n) //nolint:gosec // as it came from one
	}
	return out
}

// gap is how many cells stand between columns.
const gap = 2

// tell puts the columns that name a row in the order in which they stay while
// others go by: first those that tell most rows apart, as many as it takes to
// tell as many apart as all of them do.
func (s *sheet) tell() {
	left := make([]int, s.names)
	for i := range left {
		left[i] = i
	}
	for apart, all := 1, s.apart(left); len(left) > 0; {
		best, n := 0, -1
		for i, column := range left {
			d := s.apart(append(s.telling[:len(s.telling):len(s.telling)], column))
			if d > n || d == n && d > apart && s.known(column) > s.known(left[best]) {
				best, n = i, d
			}
		}
		if apart < all {
			s.needed++
		}
		s.telling, apart = append(s.telling, left[best]), n
		left = slices.Delete(left, best, best+1)
	}
	s.needed = max(s.needed, min(1, s.names))
}

// known is how well readers know rows by a column, of two that tell as many
// apart: a model by its name first, a number last.
func (s *sheet) known(column int) int {
	switch {
	case s.head[column] == "model":
		return 2
	case s.right[column]:
		return 0
	}
	return 1
}

// apart is how many rows columns tell apart.
func (s *sheet) apart(columns []int) int {
	seen := make(map[string]bool)
	for _, line := range s.lines {
		var key strings.Builder
		for _, i := range columns {
			key.WriteString(line[i] + "\x00")
		}
		seen[key.String()] = true
	}
	return len(seen)
}

// nameLeast is the narrowest that a column which names a row is cut to.
const nameLeast = 8

// naming are the columns that name a row, in a room, none wider than most: those
// that are needed to tell rows apart, cut where they have to be, and others that
// fit. Ok reports whether those that are needed do.
func (s *sheet) naming(room, most int) (out []put, ok bool) {
	used := 0
	for _, i := range s.telling[:s.needed] {
		out = append(out, put{i, min(s.widths[i], most)})
		used += out[len(out)-1].wide + gap
	}
	for used > room {
		widest := slices.MaxFunc(out, func(a, b put) int { return cmp.Compare(a.wide, b.wide) }).wide
		if widest <= nameLeast {
			break
		}
		for i := range out {
			if out[i].wide == widest {
				out[i].wide--
				used--
				break
			}
		}
	}
	for _, i := range s.telling[s.needed:] {
		if wide := min(s.widths[i], most); used+wide+gap <= room {
			out = append(out, put{i, wide})
			used += wide + gap
		}
	}
	slices.SortFunc(out, func(a, b put) int { return cmp.Compare(a.column, b.column) })
	return out, used <= room
}

// window is which columns are drawn beside those that stay, so that a column is
// seen: from one to before another.
func (s *sheet) window(column, room int) (from, to int) {
	fits := func(from, to int) bool {
		used := -gap
		for i := from; i < to; i++ {
			used += s.widths[i] + gap
		}
		return used <= room
	}
	for from = s.names; from < column && !fits(from, column+1); from++ {
	}
	for to = min(from+1, len(s.widths)); to < len(s.widths) && fits(from, to+1); to++ {
	}
	return from, to
}

// named is a row in words: what names it, and what the table is about.
func (s *sheet) named(row int) string {
	var out []string
	for i := range s.names {
		if text := strings.TrimSpace(s.lines[row][i]); text != "" {
			if s.right[i] { // a number says nothing alone
				text = s.head[i] + " " + text
			}
			out = append(out, text)
		}
	}
	if s.of != "" {
		out = append(out, s.of)
	}
	return strings.Join(out, " · ")
}

// beside is what else a row says: its other figures, those that are none or
// nothing left out.
func (s *sheet) beside(row, column int) string {
	var out []string
	for i := s.names; i < len(s.head); i++ {
		c := &s.cells[row][i]
		text := strings.Join(strings.Fields(widget.Line(c.String())), " ")
		if n, ok := c.Count(); i != column && text != "" && s.head[i] != "" && (!ok || n != 0) {
			out = append(out, strings.TrimSpace(s.head[i])+" "+text)
		}
	}
	return strings.Join(out, " · ")
}

// spot is the cell that a reader is at, of all tables, and the first line that
// is shown.
type spot struct{ row, column, top int }

// find is the table of a row, and its place in it; nil when there is none.
func (f *pageFigures) find(row int) (table, at int) {
	for i := range f.sheets {
		if row < len(f.sheets[i].lines) {
			return i, row
		}
		row -= len(f.sheets[i].lines)
	}
	return -1, 0
}

func (f *pageFigures) rows() int {
	n := 0
	for i := range f.sheets {
		n += len(f.sheets[i].lines)
	}
	return n
}

// column is the column of a table that a reader at so many a stop is at; -1
// when nothing in it is to be gone to.
func (s *sheet) column(stop int) int {
	if len(s.stops) == 0 {
		return -1
	}
	return s.stops[max(0, min(stop, len(s.stops)-1))]
}

// rowOf is the first row about a run.
func (f *pageFigures) rowOf(run eval.RunID) (row int, ok bool) {
	for i := range f.sheets {
		if at := slices.Index(f.sheets[i].runs, run); at >= 0 {
			return row + at, true
		}
		row += len(f.sheets[i].lines)
	}
	return 0, false
}

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
	barMost  = 60
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
