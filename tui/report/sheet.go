package report

import (
	"strings"

	figures "concord/annotate/report"
	"concord/annotate/report/table"
	"concord/tui/widget"
)

// sheet is a table of a page as it is drawn: texts that are safe to show, and
// the cells behind them.
type sheet struct {
	title string
	of    string // what it is about, where its report has several
	same  string // what all rows have in common
	head  []string
	lines [][]string
	cells [][]table.Cell

	names  int   // how many of the first columns name a row
	stops  []int // the columns that a reader goes through: those with figures
	widths []int
	right  []bool
}

// widest is how wide a column may be: what is longer stands in the pane.
const widest = 44

// sheetsOf lays the tables of a report out, and gives what has to be known
// beside them.
func sheetsOf(r figures.Report) ([]sheet, []string) {
	var out []sheet
	var notes []string
	for _, t := range r.Tables() {
		notes = append(notes, t.Notes...)
		if len(t.Rows) > 0 {
			out = append(out, sheetOf(t))
		}
	}
	return out, notes
}

func sheetOf(t table.Table) sheet {
	title := widget.Line(t.Name)
	if t.Title != "" {
		title += " · " + widget.Line(t.Title)
	}
	same, t := t.Fold()
	s := sheet{title: title, of: widget.Line(t.Title), same: widget.Line(strings.Join(same, " · ")), cells: t.Rows, names: t.Names()}
	s.head, s.lines = t.Texts()
	for i, c := range t.Columns {
		wide := widget.Width(s.head[i])
		figure := false
		for j := range s.lines {
			s.lines[j][i] = widget.Line(s.lines[j][i])
			wide = max(wide, widget.Width(s.lines[j][i]))
			figure = figure || t.Rows[j][i].Figure()
		}
		s.widths = append(s.widths, min(wide, widest))
		s.right = append(s.right, c.Kind == table.KindCount || c.Kind == table.KindNumber)
		if figure && i >= s.names {
			s.stops = append(s.stops, i)
		}
	}
	return s
}

// fixed is how many of the columns stay while the others go by: as many of
// those that name a row as leave most of the width to the figures.
func (s *sheet) fixed(width int) int {
	used := 0
	for i := range s.names {
		used += s.widths[i] + gap
		if used > width/2 {
			return max(i, min(1, s.names))
		}
	}
	return s.names
}

// gap is how many cells stand between columns.
const gap = 2

// window is which columns are drawn beside the fixed ones so that a column is
// seen: from one to before another, and how wide the fixed ones are.
func (s *sheet) window(column, width int) (fixed, from, to int) {
	fixed = s.fixed(width)
	room := width
	for i := range fixed {
		room -= min(s.widths[i], width/2) + gap
	}
	fits := func(from, to int) bool {
		used := -gap
		for i := from; i < to; i++ {
			used += s.widths[i] + gap
		}
		return used <= room
	}
	for from = fixed; from < column && !fits(from, column+1); from++ {
	}
	for to = min(from+1, len(s.widths)); to < len(s.widths) && fits(from, to+1); to++ {
	}
	return fixed, from, to
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

// behind is what the cell opens; false when it opens nothing.
func (m *Model) cellBehind(s *sheet, row, column int) (OpenSamples, bool) {
	open := OpenSamples{Title: s.named(row)}
	if column < 0 {
		return open, false
	}
	if open.Title != "" {
		open.Title = " · " + open.Title
	}
	open.Title = widget.Line(s.head[column]) + open.Title
	b := figures.BehindOf(&s.cells[row][column])
	if b == nil {
		return open, false
	}
	open.Extractor, open.Dataset = b.Extractor, b.Dataset
	lists := make([]List, len(b.Picks))
	tells := false
	for i := range b.Picks {
		p := &b.Picks[i]
		lists[i] = behind(m.source, p.Row, widget.Line(p.Name), p.Selection)
		lists[i].Tells, lists[i].Experts = p.Tells, p.Experts
		tells = tells || p.Tells
	}
	if b.Parts > 1 {
		all := together(lists[:b.Parts]...)
		all.Tells = tells
		lists = append([]List{all}, lists...)
	}
	open.Lists = lists
	return open, true
}
