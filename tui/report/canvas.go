package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"concord/annotate/report/table"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// pageCanvas draws the figures of a page in a width and a height.
type pageCanvas struct {
	*keymap.Spelling
	theme         *widget.Theme
	width, height int
	r             *pageReader
	f             *pageFigures // nil: there are none
	below         int          // lines of the tables that are out of sight, known once they are drawn
}

// paneHeight is the height of what is said of the reader's cell, its title included.
func (c *pageCanvas) paneHeight() int { return eval.Either(c.height < 14, 0, min(10, 3+c.height/4)) }

// listHeight is the height of the tables: less the pages, the page's subject, headings and pane.
func (c *pageCanvas) listHeight() int { return max(1, c.height-3-c.paneHeight()) }

// pageLine is one line of a page: of a table its title, what its rows have in
// common, its headings, a row, or a note below them.
type pageLine struct {
	table, row int // row -1: no row
	draw       func() string
}

// listPageLines lists the lines of the page, and where the row of the reader is. Of tables that are wider
// than the page all columns are drawn, in blocks below each other, or those around the reader's.
func (c *pageCanvas) listPageLines(inBlocks map[int]bool) (out []pageLine, here int) {
	t, at := c.theme, &c.r.readerSpot
	table, row := c.f.findTableOfRow(at.row)
	told := make(map[string]bool)
	for i := range c.f.sheets {
		s := &c.f.sheets[i]
		blocks := []columnSet{c.layOutColumns(s)}
		if inBlocks[i] && blocks[0].bar == 0 {
			blocks = s.columnBlocks(c.width - 2)
		}
		add := func(row int, draw func() string) { out = append(out, pageLine{i, row, draw}) }
		if i > 0 {
			add(-1, func() string { return "" })
		}
		add(-1, func() string { return c.drawTitle(s, blocks) })
		if s.same != "" {
			add(-1, func() string { return "  " + t.Faint.Render(widget.CutWidth(s.same, max(1, c.width-2))) })
		}
		for n, columns := range blocks {
			if n > 0 {
				add(-1, func() string { return "" })
			}
			add(-1, func() string { return c.drawRow(s, -1, columns, false) })
			for j := range s.lines {
				mine := i == table && j == row
				if mine && n == 0 {
					here = len(out)
				}
				add(j, func() string { return c.drawRow(s, j, columns, mine) })
			}
		}
		for _, n := range s.notes {
			if told[n] {
				continue
			}
			told[n] = true
			for _, l := range widget.WrapText(widget.CleanLine(n), max(1, c.width-4)) {
				out = append(out, pageLine{-1, -1, func() string { return "  " + t.Faint.Render(l) }})
			}
		}
	}
	return out, here
}

// drawTitle names a table, and says which of its columns are seen.
func (c *pageCanvas) drawTitle(s *drawnTable, blocks []columnSet) string {
	note, shown := "", blocks[0]
	if column := s.columnAtStop(c.r.column); column >= 0 && len(blocks) == 1 {
		last := len(shown.puts) - 1
		first := last
		for first > 0 && shown.puts[first-1].column >= s.names {
			first--
		}
		from, to := shown.puts[first].column, shown.puts[last].column
		switch n := len(s.widths); {
		case shown.bar > 0:
			note = "drawn by " + strings.TrimSpace(s.head[column]) + c.SpellText(", {left right}")
		case from > s.names || to < n-1:
			note = eval.Either(from == to, fmt.Sprintf("column %d of %d, ", to+1, n), fmt.Sprintf("columns %d to %d of %d, ", from+1, to+1, n))
			note += c.SpellText("{left right}")
		}
	}
	return c.theme.DrawSection(widget.CutWidth(s.title, max(1, c.width-widget.TextWidth(note)-6)), note, false, c.width)
}

// drawRow draws a row of a table, or with row -1 its headings. The cell of the
// reader stands in brackets, so that it is seen without colours.
func (c *pageCanvas) drawRow(s *drawnTable, row int, shown columnSet, here bool) string {
	t, width := c.theme, c.width-2
	column := s.columnAtStop(c.r.column)
	var b strings.Builder
	lead := eval.Either(here, t.Accent.Render("› "), "  ")
	b.WriteString(lead)
	used, bar := 0, shown.bar
	for _, p := range shown.puts {
		i, wide := p.column, min(p.wide, width-used)
		if wide <= 0 {
			continue
		}
		space := "  "
		if here && i == column { // the mark of the cell, left of it
			space = " " + t.Accent.Render("›")
		}
		if used == 0 {
			space = ""
		}
		if bar > 0 && i == column && row >= 0 && s.cells[row][i].WhyUndefined() != "" { // why there is none, in the place of the bar
			wide, bar = wide+gap+bar, 0
		}
		b.WriteString(space + c.drawCell(s, row, i, wide, here && i == column, here))
		used += wide + gap
	}
	if bar > 0 {
		b.WriteString("  " + c.drawBar(s, row, column, bar))
	}
	return widget.FitWidth(b.String(), c.width)
}

// drawCell draws a cell of a row, or with row -1 the heading of its column.
func (c *pageCanvas) drawCell(s *drawnTable, row, i, wide int, at, here bool) string {
	t, text := c.theme, s.head[i]
	if row >= 0 {
		text = s.lines[row][i]
		if c := &s.cells[row][i]; widget.TextWidth(text) > wide && c.IsFigure() && c.WhyUndefined() == "" {
			words := ansi.Truncate(text, wide+1, "")
			words = words[:max(0, strings.LastIndex(words, " "))]
			if strings.Count(words, "[") == strings.Count(words, "]") { // rather without its counts than cut
				text = words
			}
		}
	}
	text = eval.Either(s.right[i], strings.Repeat(" ", max(0, wide-widget.TextWidth(text)))+widget.CutWidth(text, wide), widget.FitWidth(text, wide))
	switch {
	case row < 0:
		return t.Faint.Render(text)
	case at:
		return t.Selected.Render(text)
	case here || s.cells[row][i].IsBest():
		return t.Strong.Render(text)
	case s.cells[row][i].WhyUndefined() != "":
		return t.Faint.Render(text)
	}
	return text
}

// drawTables draws the lines of the tables that are seen in a height; above a row
// whose headings are out of sight these stand.
func (c *pageCanvas) drawTables(height int) []string {
	f, at := c.f, &c.r.readerSpot
	inBlocks := make(map[int]bool)
	all, here := c.listPageLines(inBlocks)
	for i := range f.sheets {
		inBlocks[i] = true
		if more, row := c.listPageLines(inBlocks); len(more) <= height {
			all, here = more, row
		} else {
			delete(inBlocks, i)
		}
	}
	at.top = firstShownLine(all, here, at, f.countRows(), height)
	var out []string
	for i := at.top; i < len(all) && len(out) < height; i++ {
		if i == at.top && all[i].row >= 0 {
			s := &f.sheets[all[i].table]
			out = append(out, c.drawRow(s, -1, c.layOutColumns(s), false))
			continue
		}
		out = append(out, all[i].draw())
	}
	c.below = len(all) - at.top - len(out)
	return widget.FitBox(out, c.width, height)
}

// firstShownLine is the first line to show so that the row of the reader is seen
// under its headings, at the ends all that stands over and under the rows.
func firstShownLine(all []pageLine, here int, at *readerSpot, rows, height int) int {
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
	top := max(at.top, last-height+1)
	return max(0, min(top, first, len(all)-1))
}

// drawPane draws what is said of the cell of the reader: its figure, what it opens, and the row that it
// stands in. What has no room in its height takes the lines that the tables leave empty.
func (c *pageCanvas) drawPane(source Source, free int) []string {
	height := c.paneHeight()
	of, row, column := c.r.currentCell()
	if height == 0 || of == nil {
		return nil
	}
	t, title := c.theme, of.rowName(row)
	if column >= 0 {
		title = strings.Trim(of.head[column]+" · "+title, " ·")
	}
	out := []string{t.DrawSection(widget.CutWidth(title, max(1, c.width-4)), "", false, c.width)}
	field := func(name, text string) {
		for _, l := range widget.WrapText(text, max(1, c.width-13)) {
			out = append(out, t.DrawField(name, l, 12))
			name = ""
		}
	}
	if column >= 0 {
		cell := &of.cells[row][column]
		field("figure", cmp.Or(widget.CleanLine(cell.String())+describeClustering(cell), "– none in this row"))
		if opens := c.namesOfOpenLists(of.messageOfCell(source, row, column, c.f.hidden != "")); opens != "" {
			field(c.SpellKey("enter")+" opens", opens)
		} else if cell.IsFigure() {
			field(c.SpellKey("enter")+" opens", "nothing: "+cmp.Or(c.f.hidden, "no sample is behind it"))
		}
	}
	if beside := of.otherFigures(row, column); beside != "" {
		field("this row", beside)
	}
	field("printed by", c.r.formatCommand()+"; its flags set the rest: "+c.r.more)
	height = max(height, min(len(out), height+free))
	if more := len(out) - height; more > 0 {
		out[0] = t.DrawSection(widget.CutWidth(title, max(1, c.width-20)), widget.FormatPlural(more, "line")+" more", false, c.width)
	}
	return out[:min(len(out), height)]
}

func (c *pageCanvas) namesOfOpenLists(msg any) string {
	var names []string
	switch open := msg.(type) {
	case OpenSamples:
		names = append(names, eval.Map(open.Lists, func(l List) string { return l.Name })...)
	case OpenPairs:
		names = append(names, eval.Map(open.Lists, func(p PairList) string { return p.Name })...)
	}
	return strings.Join(names, " · ")
}

// drawPage draws the tables, and the pane right under them.
func (c *pageCanvas) drawPage(source Source) []string {
	list := c.drawTables(c.height - 2 - len(c.drawPane(source, 0)))
	free := 0
	for free < len(list)-1 && strings.TrimSpace(list[len(list)-1-free]) == "" {
		free++
	}
	between := min(free, 1) // one free line
	return append(list[:len(list)-free+between], c.drawPane(source, free-between)...)
}

// describeClustering says how far a rate's units depend on each other; "" where they do not.
func describeClustering(c *table.Cell) string {
	if r, ok := c.Rate(); ok && r.DesignEffect > 0 {
		return fmt.Sprintf("  %s, design effect %.1f", widget.FormatPlural(r.Clusters, "cluster"), r.DesignEffect)
	}
	return ""
}
