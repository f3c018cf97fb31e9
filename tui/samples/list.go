package samples

import (
	"cmp"
	"fmt"
	"strings"

	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/widget"
)

// Resize sets the size that View fills.
func (m *Model) Resize(width, height int) {
	m.width, m.height = width, height
	m.at.Set(m.at.At, len(m.rows), m.listHeight()-1)
	if m.detail != nil {
		m.detail.resize(width, height)
	}
}

// listHeight is the height of the table with its headings.
func (m *Model) listHeight() int { return max(1, m.height-2) }

// View draws the list or the sample.
func (m *Model) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	lines := m.lines()
	return strings.Join(widget.Block(lines, m.width, m.height), "\n")
}

func (m *Model) lines() []string {
	if m.detail != nil {
		return m.detail.lines(m.at.At+1, counted(m))
	}
	out := []string{
		m.theme.Section(widget.Line(m.query.Title), counted(m)+remark(m), true, m.width),
		widget.Ends(choiceLine(m), m.theme.Filter(&m.filter, max(24, m.width/3)), m.width),
	}
	return append(out, m.theme.Table(m.table(), m.width, m.listHeight())...)
}

// counted is how many rows there are, as far as they have been read.
func counted(m *Model) string {
	n := widget.Count(len(m.read))
	if !m.ended {
		n += "+"
	}
	if m.filter.On() {
		n = widget.Count(len(m.rows)) + " of " + n
	}
	return n
}

func remark(m *Model) string {
	switch {
	case m.err != nil:
		return "  ✗ " + widget.Line(m.err.Error())
	case m.hidden > 0:
		until := cmp.Or(m.query.Lists[m.shown].Until, "you have answered")
		return "  " + widget.Count(m.hidden) + " not shown: blind until " + until
	}
	return ""
}

// choiceLine is the line of kinds with the shown one marked.
func choiceLine(m *Model) string {
	t := m.theme
	parts := make([]string, 0, len(m.query.Lists))
	for i, l := range m.query.Lists {
		if i == m.shown {
			parts = append(parts, t.Accent.Render("[")+t.Strong.Render(l.Name)+t.Accent.Render("]"))
		} else {
			parts = append(parts, t.Faint.Render(" "+l.Name+" "))
		}
	}
	return "  " + strings.Join(parts, " ")
}

func (m *Model) table() widget.Table {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "sample", Width: max(12, min(28, m.width/6)), Name: true},
		{Title: "pass", Width: 4, Right: true},
		{Title: "read", Width: 9},
		{Title: "truth", Width: 5},
		{Title: "method", Width: 16, Least: 110},
		{Title: "answer", Width: 10, Grow: 1},
	}
	if m.query.Alone {
		columns = []widget.Column{columns[0], columns[1], columns[4], {Title: "question", Width: 10, Grow: 1}}
	}
	if m.query.People {
		columns[4] = widget.Column{Title: "people", Width: 14}
	}
	empty := "None."
	if m.filter.On() {
		empty = "Nothing is left by the filter: esc shows everything again."
	}
	if !m.ended {
		empty = "reading…"
	}
	return widget.Table{
		Columns: columns, Rows: len(m.rows), Cursor: m.at, Focused: true, Empty: empty,
		Row: func(i int) []string { return m.cells(&m.rows[i]) },
	}
}

const blindText = "blind until you have answered"

func (m *Model) cells(r *Row) []string {
	t := m.theme
	sample, pass := widget.Line(string(r.Sample)), fmt.Sprint(r.Key.Pass)
	if !r.Visibility.ShowsText() {
		return []string{t.Faint.Render("·"), sample, pass, "", "", "", t.Faint.Render(blindText)}
	}
	other, verdict := truth(t, r), verdict(t, r)
	if m.query.People { // it is about people's word, not the truth
		other, verdict = widget.Line(r.Said), " "
	}
	if r.Visibility == blind.TruthHidden && !m.query.People {
		other, verdict = t.Faint.Render("blind"), t.Faint.Render("·")
	}
	answer := widget.Line(head(r.Text))
	if m.query.Alone {
		return []string{" ", sample, other, answer}
	}
	if r.Failure != "" {
		answer = t.Bad.Render("✗ " + widget.Line(r.Failure))
	}
	if r.Why != "" {
		answer = t.Warn.Render(widget.Line(r.Why)) + "  " + answer
	}
	return []string{verdict, sample, pass, reading(t, r.Reading), other, widget.Line(r.Reading.Method), answer}
}

func verdict(t *widget.Theme, r *Row) string {
	switch r.Verdict {
	case Right:
		return t.Good.Render("✓")
	case Wrong:
		return t.Bad.Render("✗")
	case Unscored:
		return t.Warn.Render("?")
	case VerdictUnset:
	}
	return " "
}

func truth(t *widget.Theme, r *Row) string {
	if r.Truth == "" {
		return t.Faint.Render("–")
	}
	return widget.Line(string(r.Truth))
}

func reading(t *widget.Theme, e eval.Extraction) string {
	if e.IsFound() {
		return "→ " + widget.Line(string(e.Choice))
	}
	if e.Status == eval.StatusUnset {
		return ""
	}
	return t.Warn.Render(e.Status.String())
}

// head is enough of a text for one line: a prediction may be megabytes.
func head(s string) string {
	const most = 1000
	if len(s) > most {
		return s[:most]
	}
	return s
}
