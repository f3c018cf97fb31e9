package drilldown

import (
	"strings"

	"concord/tui/widget"
)

// Resize sets the size that Lines fill.
func (l *List[R]) Resize(width, height int) {
	l.width, l.height = width, height
	l.at.Set(l.at.At, len(l.rows), l.tableHeight()-1)
}

// tableHeight is the height of the table with its headings.
func (l *List[R]) tableHeight() int { return max(1, l.height-2) }

// Lines draw the list: its title, the names of the lists and the table.
func (l *List[R]) Lines() []string {
	out := []string{
		l.theme.Section(widget.Line(l.face.Title), l.Counted()+l.remark(), true, l.width),
		widget.Ends(l.choiceLine(), l.theme.Filter(&l.filter, max(24, l.width/3)), l.width),
	}
	return append(out, l.theme.Table(l.table(), l.width, l.tableHeight())...)
}

// Counted is how many rows there are, as far as they have been read.
func (l *List[R]) Counted() string {
	n := widget.Count(len(l.read))
	if !l.ended {
		n += "+"
	}
	if l.filter.On() {
		n = widget.Count(len(l.rows)) + " of " + n
	}
	return n
}

func (l *List[R]) remark() string {
	switch {
	case l.err != nil:
		return "  ✗ " + widget.Line(l.err.Error())
	case l.hidden > 0:
		return "  " + widget.Count(l.hidden) + " not shown: " + l.choices[l.shown].Until
	}
	return ""
}

// choiceLine is the line of lists with the shown one marked.
func (l *List[R]) choiceLine() string {
	t := l.theme
	parts := make([]string, 0, len(l.choices))
	for i, c := range l.choices {
		name := widget.Line(c.Name)
		if i == l.shown {
			parts = append(parts, t.Accent.Render("[")+t.Strong.Render(name)+t.Accent.Render("]"))
		} else {
			parts = append(parts, t.Faint.Render(" "+name+" "))
		}
	}
	line := "  " + strings.Join(parts, " ")
	for i := 0; i < l.shown && widget.Width(line) > l.width; i++ { // the shown one is seen
		line = "  " + t.Faint.Render("‹") + " " + strings.Join(parts[i+1:], " ")
	}
	return line
}

func (l *List[R]) table() widget.Table {
	empty := "None."
	if l.filter.On() {
		empty = "Nothing is left by the filter: esc shows everything again."
	}
	if !l.ended {
		empty = "reading…"
	}
	return widget.Table{
		Columns: l.face.Columns(l.width), Rows: len(l.rows), Cursor: l.at, Focused: true, Empty: empty,
		Row: func(i int) []string { return l.face.Cells(&l.rows[i]) },
	}
}
