package report

import (
	"fmt"
	"strings"

	"concord/tui/widget"
)

// strip is one line of a page: of a table its title, what its rows have in
// common, its headings or a row; or a note below them all.
type strip struct {
	table, row int // row -1: no row
	head       bool
	text       string
}

// strips are the lines of the page, and where the row of the reader is.
func (m *Model) strips(f *pageFigures, at *spot) (out []strip, here int) {
	t := m.theme
	table, row := f.find(at.row)
	for i := range f.sheets {
		s := &f.sheets[i]
		if i > 0 {
			out = append(out, strip{table: i, row: -1})
		}
		out = append(out, strip{table: i, row: -1, text: m.sheetTitle(s, at.column)})
		if s.same != "" {
			out = append(out, strip{table: i, row: -1, text: "  " + t.Faint.Render(widget.Cut(s.same, max(1, m.width-2)))})
		}
		out = append(out, strip{table: i, row: -1, head: true, text: m.sheetLine(s, -1, at.column, false)})
		for j := range s.lines {
			mine := i == table && j == row
			if mine {
				here = len(out)
			}
			out = append(out, strip{table: i, row: j, text: m.sheetLine(s, j, at.column, mine)})
		}
	}
	for _, n := range f.notes {
		for _, l := range widget.Wrap(widget.Line(n), max(1, m.width-4)) {
			out = append(out, strip{table: -1, row: -1, text: "  " + t.Faint.Render(l)})
		}
	}
	return out, here
}

// sheetTitle names a table, and says which of its columns are seen.
func (m *Model) sheetTitle(s *sheet, stop int) string {
	width := m.width - 2
	note := ""
	if column := s.column(stop); column >= 0 {
		fixed, from, to := s.window(column, width)
		if n := len(s.widths); m.barred(s, column) {
			note = "drawn by " + strings.TrimSpace(s.head[column]) + m.Keyed(", {left right}")
		} else if from > fixed || to < n {
			note = fmt.Sprintf("columns %d to %d of %d, ", from+1, to, n) + m.Keyed("{left right}")
		}
	}
	return m.theme.Section(widget.Cut(s.title, max(1, width-widget.Width(note)-4)), note, false, m.width)
}

// sheetLine draws a row of a table, or with row -1 its headings. The cell of the
// reader stands in brackets, so that it is seen without colours.
func (m *Model) sheetLine(s *sheet, row, stop int, here bool) string {
	t, width := m.theme, m.width-2
	column := s.column(stop)
	columns, bar := s.shownColumns(column, width), 0
	if m.barred(s, column) {
		columns, bar = s.barColumns(column, width)
	}
	var b strings.Builder
	lead := "  "
	if here {
		lead = t.Accent.Render("› ")
	}
	b.WriteString(lead)
	used := 0
	for _, p := range columns {
		i, wide := p.column, min(p.wide, width-used)
		if wide <= 0 {
			continue
		}
		space := "  "
		if here && i == column { // the mark of the cell, left of it
			space = " " + t.Accent.Render("▸")
		}
		if used == 0 {
			space = ""
		}
		b.WriteString(space + m.sheetCell(s, row, i, wide, here && i == column, here))
		used += wide + gap
	}
	if bar > 0 {
		b.WriteString("  " + m.barOf(s, row, column, bar))
	}
	return widget.Fit(b.String(), m.width)
}

// sheetCell draws a cell of a row, or with row -1 the heading of its column.
func (m *Model) sheetCell(s *sheet, row, i, wide int, at, here bool) string {
	t, text := m.theme, s.head[i]
	if row >= 0 {
		text = s.lines[row][i]
	}
	if s.right[i] {
		text = right(text, wide)
	} else {
		text = widget.Fit(text, wide)
	}
	switch {
	case row < 0:
		return t.Faint.Render(text)
	case at:
		return t.Selected.Render(text)
	case here || s.cells[row][i].Best():
		return t.Strong.Render(text)
	case s.cells[row][i].Undefined() != "":
		return t.Faint.Render(text)
	}
	return text
}

// pageLines are the lines of the tables that are seen; above a row whose
// headings are out of sight these stand.
func (m *Model) pageLines(f *pageFigures, at *spot) []string {
	all, here := m.strips(f, at)
	height := m.listHeight() + 1
	at.top = shownFrom(all, here, at, f.rows(), height)
	var out []string
	for i := at.top; i < len(all) && len(out) < height; i++ {
		text := all[i].text
		if i == at.top && all[i].row >= 0 {
			text = m.sheetLine(&f.sheets[all[i].table], -1, at.column, false)
		}
		out = append(out, text)
	}
	return widget.Block(out, m.width, height)
}

// shownFrom is the first line to show so that the row of the reader is seen
// under its headings, at the ends all that stands over and under the rows.
func shownFrom(all []strip, here int, at *spot, rows, height int) int {
	first, last := here, here
	if all[here].row > 0 {
		first-- // room for the headings, which take the line of a row before
	}
	for all[here].row == 0 && first > 0 && (all[first-1].row < 0 && all[first-1].table == all[here].table) {
		first--
	}
	if at.row == rows-1 {
		last = min(len(all)-1, here+height-3)
	}
	top := at.top
	if last >= top+height {
		top = last - height + 1
	}
	return max(0, min(top, first, len(all)-1))
}

// pagePane is what is said of the cell of the reader.
func (m *Model) pagePane(f *pageFigures, at *spot) []string {
	height := m.paneHeight()
	if height == 0 {
		return nil
	}
	t := m.theme
	table, row := f.find(at.row)
	if table < 0 {
		return nil
	}
	s := &f.sheets[table]
	column := s.column(at.column)
	open, ok := m.cellBehind(s, row, column)
	out := []string{t.Section(widget.Cut(open.Title, max(1, m.width-4)), "", false, m.width)}
	field := func(name, text string) {
		for _, l := range widget.Wrap(text, max(1, m.width-13)) {
			out = append(out, t.Field(name, l, 12))
			name = ""
		}
	}
	if column >= 0 {
		c := &s.cells[row][column]
		field("figure", or(widget.Line(c.String()), "– none in this row"))
	}
	names := make([]string, len(open.Lists))
	for i := range open.Lists {
		names[i] = open.Lists[i].Name
	}
	switch {
	case ok:
		field(m.Spelled("enter")+" opens", strings.Join(names, " · "))
	case column >= 0 && s.cells[row][column].Figure():
		field(m.Spelled("enter")+" opens", "nothing: no sample is behind it")
	}
	p := m.page()
	field("printed by", "concord report "+m.command()+"; its flags set the rest: "+p.more)
	return widget.Block(out, m.width, height)
}

// command is what prints the page as it is.
func (m *Model) command() string {
	p, st := m.page(), m.state()
	out := p.command
	if len(p.layouts) > 0 && p.layouts[st.layout].name != "" {
		out += " " + p.layouts[st.layout].name
	}
	if st.place != allDatasets {
		out += " --dataset " + widget.Line(st.place)
	}
	return out
}
