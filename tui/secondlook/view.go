package secondlook

import (
	"strconv"
	"strings"
	"time"

	"concord/annotate"
	"concord/annotate/review"
	"concord/tui/widget"
)

// threadLines is how many lines the thread of the item in front has.
const threadLines = 8

// listHeight is how many lines the table has.
func (m *Model) listHeight() int { return max(2, m.height-m.threadHeight()-4) }

func (m *Model) threadHeight() int {
	if m.height < 16 {
		return 0
	}
	return min(threadLines, m.height/3)
}

// View draws the page in exactly the size that Resize gave.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	t := m.theme
	out := []string{t.Section("Second look", m.note(), true, m.width), m.narrowed()}
	switch {
	case m.err != nil:
		out = append(out, "  "+t.Bad.Render("✗ "+widget.Line(m.err.Error())))
	case !m.loaded:
		out = append(out, "  "+t.Faint.Render("reading…"))
	default:
		out = append(out, t.Table(m.table(), m.width, m.listHeight())...)
	}
	if n := m.threadHeight(); n > 0 && m.loaded {
		out = append(widget.Block(out, m.width, m.height-n-1), m.thread(n)...)
	}
	if q := m.asking; q != nil {
		out = append(widget.Block(out, m.width, m.height-1), widget.Fit(" "+t.Title.Render(q.name)+" "+q.area.View(), m.width))
	}
	return strings.Join(widget.Block(out, m.width, m.height), "\n")
}

func (m *Model) note() string {
	if !m.loaded {
		return ""
	}
	open := 0
	for i := range m.all.Rows {
		if m.all.Rows[i].Closed == nil {
			open++
		}
	}
	out := widget.Count(open) + " open"
	if m.all.Hidden > 0 {
		out += ", " + widget.Count(m.all.Hidden) + " shown once you have answered"
	}
	return out
}

// narrowed is the line of the filters.
func (m *Model) narrowed() string {
	t, parts := m.theme, []string{}
	for _, k := range append([]annotate.Matter{annotate.MatterUnset}, annotate.Matters()...) {
		name := k.String()
		if k == annotate.MatterUnset {
			name = "all"
		}
		if k == m.kind {
			name = t.Selected.Render(name)
		} else {
			name = t.Faint.Render(name)
		}
		parts = append(parts, name)
	}
	if line := t.Filter(&m.filter, m.width); line != "" {
		return line
	}
	return widget.Fit(" "+strings.Join(parts, "  "), m.width)
}

func (m *Model) table() widget.Table {
	return widget.Table{
		Columns: []widget.Column{
			{Title: "kind", Width: 12},
			{Title: "queue", Width: 8, Grow: 1, Name: true, Least: 60},
			{Title: "item", Width: 5, Right: true},
			{Title: "sample", Width: 8, Grow: 1, Least: 90},
			{Title: "by", Width: 8},
			{Title: "when", Width: 5, Least: 100},
			{Title: "text", Width: 20, Grow: 4},
		},
		Rows: len(m.rows), Cursor: m.at, Focused: true,
		Empty: "Nothing asks for a second look here.",
		Row:   func(i int) []string { return m.cells(&m.rows[i]) },
	}
}

func (m *Model) cells(r *Row) []string {
	t, number := m.theme, "–"
	if r.Number > 0 {
		number = strconv.Itoa(r.Number)
	}
	text := widget.Line(r.Text)
	if r.Closed != nil {
		text = t.Good.Render("✓ "+widget.Line(string(r.Closed.By.Who))) + " " + text
	}
	return []string{
		mark(r.Matter) + " " + r.Matter.String(), widget.Line(string(r.Queue)), number, widget.Line(string(r.Sample)),
		widget.Line(string(r.Of.Who)), at(r.At, "15:04"), text,
	}
}

// mark is a sign of a kind.
func mark(k annotate.Matter) string {
	return map[annotate.Matter]string{
		annotate.FlagMatter: "⚑", annotate.NoteMatter: "✎", annotate.CommentMatter: "›", annotate.DisagreementMatter: "≠",
		annotate.GoldMatter: "✗", annotate.ExclusionMatter: "−", annotate.ChangesMatter: "↺",
	}[k]
}

func at(when time.Time, layout string) string {
	if when.IsZero() {
		return ""
	}
	return when.Local().Format(layout)
}

// thread is all that was said of the item in front, oldest first; the newest where
// there is no room for all.
func (m *Model) thread(height int) []string {
	t, row := m.theme, m.front()
	if row == nil {
		return []string{t.Section("Thread", "", false, m.width)}
	}
	var lines []string
	for i := range m.all.Rows {
		e := &m.all.Rows[i]
		if e.Item == row.Item && e.Queue == row.Queue && e.Dataset == row.Dataset {
			lines = append(lines, m.said(&e.Entry)...)
		}
	}
	if over := len(lines) - height; over > 0 {
		lines = lines[over:]
	}
	name := "sample " + widget.Cut(widget.Line(string(row.Sample)), max(8, m.width/3))
	if row.Number > 0 {
		name = "item " + strconv.Itoa(row.Number) + ", " + name
	}
	return append([]string{t.Section("Thread", name, false, m.width)}, lines...)
}

// said are the lines of an entry.
func (m *Model) said(e *review.Entry) []string {
	t := m.theme
	head := t.Faint.Render(at(e.At, "2006-01-02 15:04")) + " " + t.Strong.Render(widget.Line(string(e.Of.Who))) + " " + e.Matter.String()
	if e.Text != "" {
		head += ": " + widget.Line(e.Text)
	}
	if c := e.Closed; c != nil {
		head += t.Good.Render("  ✓ resolved by " + widget.Line(string(c.By.Who)))
		if c.Text != "" {
			head += ": " + widget.Line(c.Text)
		}
	}
	var out []string
	for _, l := range widget.Wrap(head, max(8, m.width-2)) {
		out = append(out, " "+l)
	}
	return out
}
