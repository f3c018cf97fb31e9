package report

import (
	"cmp"
	"slices"
	"strings"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/tui/widget"
)

// drawnTable is a table of a page as it is drawn: texts that are safe to show, and the cells behind them.
type drawnTable struct {
	title       string
	of          string // what it is about, where its report has several
	same        string // what all rows have in common
	notes, head []string
	lines       [][]string
	cells       [][]table.Cell
	runs        []eval.RunID // of the rows; nil where they do not say it

	telling []int // the columns that name a row, those first that tell most apart
	needed  int   // how many of them tell all rows apart

	names   int   // how many of the first columns name a row
	stops   []int // the columns that a reader goes through: those that say something of what is named
	widths  []int
	whole   []int // the widths of the columns without an end
	figures []int // how wide the figures of the columns are with their intervals, without what stands behind; 0: there are none
	right   []bool
}

// widest is how wide a column may be that has no more room: what is longer stands in the pane.
const widest = 44

// newDrawnTable lays a table out.
func newDrawnTable(t table.Table) drawnTable {
	title := widget.CleanLine(t.Name) + eval.Either(t.Title != "", " · "+widget.CleanLine(t.Title), "")
	runs := runsOfRows(&t)
	same, t := t.FoldConstantColumns()
	s := drawnTable{title: title, of: widget.CleanLine(t.Title), same: widget.CleanLine(strings.Join(same, " · ")), notes: t.Notes, cells: t.Rows, names: t.CountNameColumns(), runs: runs}
	s.head, s.lines = t.RenderLines()
	for i, c := range t.Columns {
		wide, why, figure := widget.TextWidth(s.head[i]), 0, 0
		says := false
		for j := range s.lines {
			s.lines[j][i] = widget.CleanLine(s.lines[j][i])
			if t.Rows[j][i].WhyUndefined() == "" {
				wide = max(wide, widget.TextWidth(s.lines[j][i]))
			} else {
				why = max(why, widget.TextWidth(s.lines[j][i]))
			}
			figure = max(figure, widget.TextWidth(s.lines[j][i][:strings.LastIndex(s.lines[j][i], "]")+1]))
			says = says || s.lines[j][i] != ""
		}
		if wide == widget.TextWidth(s.head[i]) { // else why there is no figure stands in the pane alone
			wide = max(wide, why)
		}
		s.widths, s.whole = append(s.widths, min(wide, widest)), append(s.whole, wide)
		s.figures = append(s.figures, figure)
		s.right = append(s.right, c.Kind == table.KindCount || c.Kind == table.KindNumber)
		if says && i >= s.names && c.Kind != table.KindBar {
			s.stops = append(s.stops, i)
		}
	}
	s.orderNamingColumns()
	return s
}

// runsOfRows finds the runs that the rows of a table are about.
func runsOfRows(t *table.Table) []eval.RunID {
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

// orderNamingColumns puts the columns that name a row in the order in which they stay while others go by:
// first those that tell most rows apart, as many as it takes to tell as many apart as all of them do.
func (s *drawnTable) orderNamingColumns() {
	left := make([]int, s.names)
	for i := range left {
		left[i] = i
	}
	for apart, all := 1, s.countToldApart(left); len(left) > 0; {
		best, n := 0, -1
		for i, column := range left {
			d := s.countToldApart(append(s.telling[:len(s.telling):len(s.telling)], column))
			if d > n || d == n && (d > apart || apart == all) && s.rankColumn(column) > s.rankColumn(left[best]) {
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

// rankColumn ranks how well readers know rows by a column, of two that tell as many
// apart: a model by its name first, a number last.
func (s *drawnTable) rankColumn(column int) int {
	switch {
	case s.head[column] == "model":
		return 2
	case s.right[column]:
		return 0
	}
	return 1
}

// countToldApart counts how many rows columns tell apart.
func (s *drawnTable) countToldApart(columns []int) int {
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

// nameLeast is the narrowest that a naming column is cut to, nameStub where a figure would be cut else.
const nameLeast, nameStub = 8, 5

// chooseNamingColumns chooses the columns that name a row, in a room, none wider than most: those
// that are needed to tell rows apart, cut to least where they have to be, and others that
// fit. Ok reports whether those that are needed do.
func (s *drawnTable) chooseNamingColumns(room, most, least int) (out []placedColumn, ok bool) {
	used := 0
	for _, i := range s.telling[:s.needed] {
		out = append(out, placedColumn{i, min(s.widths[i], most)})
		used += out[len(out)-1].wide + gap
	}
	for used > room && len(out) > 0 {
		widest := slices.MaxFunc(out, func(a, b placedColumn) int { return cmp.Compare(a.wide, b.wide) }).wide
		if widest <= least {
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
		wide := min(s.widths[i], most)
		if s.head[i] == "model" { // rather cut than left out
			wide = max(min(wide, room-used-gap), min(wide, nameLeast))
		}
		if used+wide+gap <= room {
			out = append(out, placedColumn{i, wide})
			used += wide + gap
		}
	}
	slices.SortFunc(out, func(a, b placedColumn) int { return cmp.Compare(a.column, b.column) })
	return out, used <= room
}

// columnWindow is which columns are drawn beside those that stay, so that a column is
// seen: from one to before another.
func (s *drawnTable) columnWindow(column, room int) (from, to int) {
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

// columnBlocks sets all columns in blocks that fit in a width, each behind the columns that name a row.
func (s *drawnTable) columnBlocks(width int) (out []columnSet) {
	names, _ := s.chooseNamingColumns(eval.Either(s.names < len(s.widths), width/2, width), widest, nameLeast)
	room := width
	for _, p := range names {
		room -= p.wide + gap
	}
	out = []columnSet{{puts: slices.Clone(names)}}
	left := room + gap
	for i := s.names; i < len(s.widths); i++ {
		if left -= s.widths[i] + gap; left < 0 && len(out[len(out)-1].puts) > len(names) {
			out = append(out, columnSet{puts: slices.Clone(names)})
			left = room - s.widths[i]
		}
		last := &out[len(out)-1]
		last.puts = append(last.puts, placedColumn{i, s.widths[i]})
	}
	return out
}

// rowName is a row in words: what names it, and what the table is about.
func (s *drawnTable) rowName(row int) string {
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

// otherFigures is what else a row says: its other figures, those that are none or nothing left out.
func (s *drawnTable) otherFigures(row, column int) string {
	var out []string
	for i := s.names; i < len(s.head); i++ {
		c := &s.cells[row][i]
		text := strings.Join(strings.Fields(widget.CleanLine(c.String())), " ")
		if n, ok := c.Count(); i != column && text != "" && s.head[i] != "" && (!ok || n != 0) {
			out = append(out, strings.TrimSpace(s.head[i])+" "+text)
		}
	}
	return strings.Join(out, " · ")
}

// readerSpot is the cell that a reader is at, of all tables, and the first line that is shown.
type readerSpot struct{ row, column, top int }

// findTableOfRow finds the table of a row, and its place in it; nil when there is none.
func (f *pageFigures) findTableOfRow(row int) (table, at int) {
	for i := range f.sheets {
		if row < len(f.sheets[i].lines) {
			return i, row
		}
		row -= len(f.sheets[i].lines)
	}
	return -1, 0
}

func (f *pageFigures) countRows() int {
	return eval.Sum(f.sheets, func(s drawnTable) int { return len(s.lines) })
}

// columnAtStop is the column of a table that a reader at so many a stop is at; -1
// when nothing in it is to be gone to.
func (s *drawnTable) columnAtStop(stop int) int {
	if len(s.stops) == 0 {
		return -1
	}
	return s.stops[max(0, min(stop, len(s.stops)-1))]
}

// rowOfRun is the first row about a run.
func (f *pageFigures) rowOfRun(run eval.RunID) (row int, ok bool) {
	for i := range f.sheets {
		if at := slices.Index(f.sheets[i].runs, run); at >= 0 {
			return row + at, true
		}
		row += len(f.sheets[i].lines)
	}
	return 0, false
}

// placedColumn is a column of a table as it is drawn.
type placedColumn struct{ column, wide int }

// columnSet are those of a table that are drawn, and how wide a bar is behind them: 0 without one.
type columnSet struct {
	puts []placedColumn
	bar  int
}

func (c *pageCanvas) layOutColumns(s *drawnTable) columnSet {
	column, width := s.columnAtStop(c.r.column), c.width-2
	if c.r.drawn && s.isShareColumn(column) {
		if out, bar := s.chooseBarColumns(column, width); bar > 0 {
			return columnSet{out, bar}
		}
	}
	return columnSet{s.chooseVisibleColumns(column, width), 0}
}

// chooseVisibleColumns chooses the columns that are drawn so that the reader's is seen: those that name a row, and
// those around it. The reader's is whole where a third of the width is enough for it, a figure at least
// with its interval, and what room is left widens those that would be cut.
func (s *drawnTable) chooseVisibleColumns(column, width int) []placedColumn {
	room := width
	if column >= 0 {
		half := width / 2
		if figure := s.figures[column]; figure > 0 {
			half = min(half, width-figure-gap)
		}
		room = max(half, width-s.widths[column]-gap)
	}
	out, ok := s.chooseNamingColumns(room, widest, nameLeast)
	if !ok {
		out, _ = s.chooseNamingColumns(room, widest, nameStub)
	}
	room = width
	for _, p := range out {
		room -= p.wide + gap
	}
	wide := *s
	if wide.widths = slices.Clone(s.widths); column >= 0 && s.whole[column] <= min(room, width/3) {
		wide.widths[column] = s.whole[column]
	}
	from, to := wide.columnWindow(column, room)
	for i := from; i < to; i++ {
		room -= wide.widths[i] + gap
	}
	for i := from; i < to; i++ {
		more := max(0, min(s.whole[i]-wide.widths[i], room+gap))
		out = append(out, placedColumn{i, wide.widths[i] + more})
		room -= more
	}
	return out
}

// barLeast is the narrowest bar that says something, and barMost the widest that still says more.
const (
	barLeast = 12
	barMost  = 60
)

// chooseBarColumns chooses the columns that are drawn where the reader's is drawn as bars,
// and how wide those are; 0 where the names that tell rows apart leave no room.
func (s *drawnTable) chooseBarColumns(column, width int) (out []placedColumn, bar int) {
	nameMost := max(24, width/6)
	room := width - s.widths[column] - gap - barLeast
	out, ok := s.chooseNamingColumns(room, nameMost, nameLeast)
	if !ok {
		return nil, 0
	}
	for _, p := range out {
		room -= p.wide + gap
	}
	return append(out, placedColumn{column, s.widths[column]}), max(0, min(barMost, room+barLeast-gap))
}

// isShareColumn reports whether a column has a figure between 0 and 1.
func (s *drawnTable) isShareColumn(column int) bool {
	if column < 0 {
		return false
	}
	for i := range s.cells {
		if _, ok := s.cells[i][column].AsShare(); ok {
			return true
		}
	}
	return false
}

// drawBar draws the figure of a cell as a bar with its interval, nothing where there
// is none; above them stands their scale.
func (c *pageCanvas) drawBar(s *drawnTable, row, column, wide int) string {
	if row < 0 {
		return c.theme.DrawAxis(wide)
	}
	r, ok := s.cells[row][column].AsShare()
	if !ok {
		return strings.Repeat(" ", wide)
	}
	return c.theme.DrawInterval(wide, r.Low, r.Value, r.High)
}
