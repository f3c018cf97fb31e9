package drilldown

import (
	"strings"

	"concord/eval"
	"concord/tui/widget"
)

// Resize sets the size that Lines fill.
func (l *List[R]) Resize(width, height int) {
	l.width, l.height = width, height
	l.at.Set(l.at.At, len(l.rows), l.tableHeight()-1)
}

// paneHalves are the rooms of the list and of the detail of the row in front.
func (l *List[R]) paneHalves() widget.Halves {
	return widget.NewHalves(l.width, l.height, max(4, len(l.rows)+2+len(l.titleLines())))
}

// titleLines are the lines of the title that stand over its rule, and its last line.
// On a low screen it has one, which is cut.
func (l *List[R]) titleLines() []string {
	const tall = 20
	title := widget.CleanLine(l.face.Title)
	room := max(1, widget.NewHalves(l.width, l.height, 0).List.Width-widget.TextWidth(l.formatNote())-4)
	if l.height < tall {
		return []string{widget.CutWidth(title, room)}
	}
	return widget.WrapText(title, room)
}

func (l *List[R]) formatNote() string { return l.FormatCount() + l.formatRemark() }

// tableHeight is the height of the table with its headings.
func (l *List[R]) tableHeight() int { return max(1, l.paneHalves().List.Height-1-len(l.titleLines())) }

// DrawLines draw the list, its title, the names of the lists and the table, and the
// detail of the row in front.
func (l *List[R]) DrawLines() []string {
	h := l.paneHalves()
	width := h.List.Width
	title := l.titleLines()
	last := len(title) - 1
	out := eval.Map(title[:last], func(line string) string { return l.theme.Title.Render(line) })
	out = append(out, l.theme.DrawSection(title[last], l.formatNote(), true, width),
		widget.JoinEnds(l.drawChoiceLine(width), l.theme.DrawFilter(&l.filter, max(24, width/3)), width))
	out = append(out, l.theme.DrawTable(l.makeTable(width), width, l.tableHeight())...)
	var detail []string
	if row := l.CurrentRow(); row != nil && h.Detail.Height > 0 {
		detail = l.face.Detail(row, h.Detail.Width)
		detail = l.theme.AddKeysBelow(detail, h.Detail.Width, h.Detail.Height, l.spelling.SpellKey, l.ListKeys())
	}
	return l.theme.DrawHalves(h, out, detail)
}

// FormatCount gives how many rows there are, as far as they have been read.
func (l *List[R]) FormatCount() string {
	n := widget.FormatCount(len(l.read))
	if !l.ended {
		n += "+"
	}
	if l.filter.IsOn() {
		n = widget.FormatCount(len(l.rows)) + " of " + n
	}
	return n
}

func (l *List[R]) formatRemark() string {
	switch {
	case l.err != nil:
		return "  ✗ " + widget.CleanLine(l.err.Error())
	case l.hidden > 0:
		return "  " + widget.FormatCount(l.hidden) + " not shown: " + l.choices[l.shown].Until
	}
	return ""
}

// drawChoiceLine draws the line of lists with the shown one marked.
func (l *List[R]) drawChoiceLine(width int) string {
	t := l.theme
	parts := make([]string, 0, len(l.choices))
	for i, c := range l.choices {
		name := widget.CleanLine(c.Name)
		if i == l.shown {
			parts = append(parts, t.Accent.Render("[")+t.Strong.Render(name)+t.Accent.Render("]"))
		} else {
			parts = append(parts, t.Faint.Render(" "+name+" "))
		}
	}
	line := "  " + strings.Join(parts, " ")
	for i := 0; i < l.shown && widget.TextWidth(line) > width; i++ { // the shown one is seen
		line = "  " + t.Faint.Render("‹") + " " + strings.Join(parts[i+1:], " ")
	}
	return line
}

func (l *List[R]) makeTable(width int) widget.Table {
	empty := "None."
	if l.filter.IsOn() {
		empty = "Nothing is left by the filter: esc shows everything again."
	}
	if !l.ended {
		empty = "reading…"
	}
	return widget.Table{
		Columns: l.face.Columns(width), Rows: len(l.rows), Cursor: l.at, Focused: true, Empty: empty,
		Row: func(i int) []string { return l.face.Cells(&l.rows[i]) },
	}
}
