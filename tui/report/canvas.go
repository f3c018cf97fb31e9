package report

import (
	"fmt"
	"strings"

	"concord/annotate/report/table"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// canvas draws the figures of a page in a width and a height.
type canvas struct {
	*keymap.Spelling
	theme         *widget.Theme
	width, height int
	r             *reader
	f             *pageFigures // nil: there are none
}

// paneHeight is the height of what is said of the reader's cell, its title
// included.
func (c *canvas) paneHeight() int {
	if c.height < 14 {
		return 0
	}
	return min(10, 3+c.height/4)
}

// listHeight is the height of the tables: less the pages, what the page is about,
// the headings and the pane.
func (c *canvas) listHeight() int { return max(1, c.height-3-c.paneHeight()) }

// strip is one line of a page: of a table its title, what its rows have in
// common, its headings, a row, or a note below them.
type strip struct {
	table, row int // row -1: no row
	draw       func() string
}

// strips are the lines of the page, and where the row of the reader is.
func (c *canvas) strips() (out []strip, here int) {
	t, at := c.theme, &c.r.spot
	table, row := c.f.find(at.row)
	told := make(map[string]bool)
	for i := range c.f.sheets {
		s := &c.f.sheets[i]
		columns := c.columns(s)
		add := func(row int, draw func() string) { out = append(out, strip{i, row, draw}) }
		if i > 0 {
			add(-1, func() string { return "" })
		}
		add(-1, func() string { return c.title(s, columns) })
		if s.same != "" {
			add(-1, func() string { return "  " + t.Faint.Render(widget.Cut(s.same, max(1, c.width-2))) })
		}
		add(-1, func() string { return c.line(s, -1, columns, false) })
		for j := range s.lines {
			mine := i == table && j == row
			if mine {
				here = len(out)
			}
			add(j, func() string { return c.line(s, j, columns, mine) })
		}
		for _, n := range s.notes {
			if told[n] {
				continue
			}
			told[n] = true
			for _, l := range widget.Wrap(widget.Line(n), max(1, c.width-4)) {
				out = append(out, strip{-1, -1, func() string { return "  " + t.Faint.Render(l) }})
			}
		}
	}
	return out, here
}

// title names a table, and says which of its columns are seen.
func (c *canvas) title(s *sheet, shown columns) string {
	note := ""
	if column := s.column(c.r.column); column >= 0 {
		last := len(shown.puts) - 1
		first := last
		for first > 0 && shown.puts[first-1].column >= s.names {
			first--
		}
		from, to := shown.puts[first].column, shown.puts[last].column
		switch n := len(s.widths); {
		case shown.bar > 0:
			note = "drawn by " + strings.TrimSpace(s.head[column]) + c.Keyed(", {left right}")
		case from > s.names || to < n-1:
			note = fmt.Sprintf("columns %d to %d of %d, ", from+1, to+1, n) + c.Keyed("{left right}")
		}
	}
	return c.theme.Section(widget.Cut(s.title, max(1, c.width-widget.Width(note)-6)), note, false, c.width)
}

// line draws a row of a table, or with row -1 its headings. The cell of the
// reader stands in brackets, so that it is seen without colours.
func (c *canvas) line(s *sheet, row int, shown columns, here bool) string {
	t, width := c.theme, c.width-2
	column := s.column(c.r.column)
	var b strings.Builder
	lead := "  "
	if here {
		lead = t.Accent.Render("› ")
	}
	b.WriteString(lead)
	used, bar := 0, shown.bar
	for _, p := range shown.puts {
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
		if bar > 0 && i == column && row >= 0 && s.cells[row][i].Undefined() != "" { // why there is none, in the place of the bar
			wide, bar = wide+gap+bar, 0
		}
		b.WriteString(space + c.cell(s, row, i, wide, here && i == column, here))
		used += wide + gap
	}
	if bar > 0 {
		b.WriteString("  " + c.bar(s, row, column, bar))
	}
	return widget.Fit(b.String(), c.width)
}

// cell draws a cell of a row, or with row -1 the heading of its column.
func (c *canvas) cell(s *sheet, row, i, wide int, at, here bool) string {
	t, text := c.theme, s.head[i]
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

// lines are the lines of the tables that are seen; above a row whose
// headings are out of sight these stand.
func (c *canvas) lines() []string {
	f, at := c.f, &c.r.spot
	all, here := c.strips()
	height := c.listHeight() + 1
	at.top = shownFrom(all, here, at, f.rows(), height)
	var out []string
	for i := at.top; i < len(all) && len(out) < height; i++ {
		if i == at.top && all[i].row >= 0 {
			s := &f.sheets[all[i].table]
			out = append(out, c.line(s, -1, c.columns(s), false))
			continue
		}
		out = append(out, all[i].draw())
	}
	return widget.Block(out, c.width, height)
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

// pane is what is said of the cell of the reader: its figure, what it opens, and
// the row that it stands in. What has no room in its height takes the lines that
// the tables leave empty.
func (c *canvas) pane(source Source, free int) []string {
	height := c.paneHeight()
	of, row, column := c.r.cell()
	if height == 0 || of == nil {
		return nil
	}
	t, title := c.theme, of.named(row)
	if column >= 0 {
		title = strings.Trim(of.head[column]+" · "+title, " ·")
	}
	out := []string{t.Section(widget.Cut(title, max(1, c.width-4)), "", false, c.width)}
	field := func(name, text string) {
		for _, l := range widget.Wrap(text, max(1, c.width-13)) {
			out = append(out, t.Field(name, l, 12))
			name = ""
		}
	}
	if column >= 0 {
		cell := &of.cells[row][column]
		field("figure", or(widget.Line(cell.String())+spread(cell), "– none in this row"))
		if opens := c.openNames(of.opens(source, row, column, c.f.hidden != "")); opens != "" {
			field(c.Spelled("enter")+" opens", opens)
		} else if cell.Figure() {
			field(c.Spelled("enter")+" opens", "nothing: "+or(c.f.hidden, "no sample is behind it"))
		}
	}
	if beside := of.beside(row, column); beside != "" {
		field("this row", beside)
	}
	field("printed by", c.r.printed()+"; its flags set the rest: "+c.r.more)
	height = max(height, min(len(out), height+free))
	if more := len(out) - height; more > 0 {
		out[0] = t.Section(widget.Cut(title, max(1, c.width-20)), widget.Plural(more, "line")+" more", false, c.width)
	}
	return out[:min(len(out), height)]
}

// openNames are the names of what is opened.
func (c *canvas) openNames(msg any) string {
	var names []string
	switch open := msg.(type) {
	case OpenSamples:
		for i := range open.Lists {
			names = append(names, open.Lists[i].Name)
		}
	case OpenPairs:
		for i := range open.Lists {
			names = append(names, open.Lists[i].Name)
		}
	}
	return strings.Join(names, " · ")
}

// draw draws the tables, and the pane right under them.
func (c *canvas) draw(source Source) []string {
	list := c.lines()
	free := 0
	for free < len(list)-1 && strings.TrimSpace(list[len(list)-1-free]) == "" {
		free++
	}
	between := min(free, 1) // one free line
	return append(list[:len(list)-free+between], c.pane(source, free-between)...)
}

// spread says how far a rate's units depend on each other; "" where they do not.
func spread(c *table.Cell) string {
	if r, ok := c.Rate(); ok && r.DesignEffect > 0 {
		return fmt.Sprintf("  %s, design effect %.1f", widget.Plural(r.Clusters, "cluster"), r.DesignEffect)
	}
	return ""
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
