package palette

import (
	"strings"

	"concord/tui/widget"
)

// The most that the list takes of the screen, and the widths of its columns.
const (
	mostRows  = 20
	kindWidth = 8
	wide      = 110
)

// View draws the dialog over the lines of a screen: it takes what it needs of
// them, and the rest stays to be seen.
func (m *Model) View(screen []string, width, height int) []string {
	if width < 8 || height < 6 {
		return widget.Block(screen, width, height)
	}
	inner := min(width-4, wide)
	m.height = max(1, min(mostRows, height-5))
	m.at.Set(m.at.At, m.count(), m.height)
	lines := append([]string{m.field(inner), ""}, m.rows(inner)...)
	lines = append(lines, m.theme.Faint.Render(widget.Fit(m.note(), inner)))
	box := m.box(lines, inner, width)
	out := widget.Block(screen, width, height)
	for i := range box {
		if i < len(out) {
			out[i] = widget.Fit(box[i], width)
		}
	}
	return out
}

// box draws a frame around lines.
func (m *Model) box(lines []string, inner, width int) []string {
	b := m.theme.Border.Render
	left := strings.Repeat(" ", max(0, (width-inner-4)/2))
	const title = "Go to, or do"
	out := []string{left + b("╭─ ") + m.theme.Title.Render(title) + b(" "+strings.Repeat("─", max(0, inner-1-len(title)))+"╮")}
	for _, l := range lines {
		out = append(out, left+b("│ ")+widget.Fit(l, inner)+b(" │"))
	}
	return append(out, left+b("╰"+strings.Repeat("─", inner+2)+"╯"))
}

// field is what is typed.
func (m *Model) field(width int) string {
	text := string(m.text)
	for widget.Width(text) > width-4 {
		text = string([]rune(text)[1:]) // its end is where one types
	}
	if text == "" {
		return m.theme.Key.Render("› ") + "▏" + m.theme.Faint.Render(widget.Cut("a part of its name", width-4))
	}
	return m.theme.Key.Render("› ") + text + "▏"
}

// rows are as much of the list as fits.
func (m *Model) rows(width int) []string {
	n := m.count()
	top := max(0, min(m.at.Top, n-m.height))
	out := make([]string, m.height)
	for i := range out {
		if at := top + i; at < n {
			out[i] = m.row(m.entry(at), at == m.at.At, width)
		}
	}
	if n == 0 {
		out[0] = m.theme.Faint.Render(widget.Cut("  nothing has this name", width))
	}
	return out
}

func (m *Model) row(e *Entry, under bool, width int) string {
	t := m.theme
	hint := widget.Line(e.Hint)
	if e.Off {
		hint = strings.TrimSpace(hint + " (not now)")
	}
	room := max(0, width-2-kindWidth-1)
	hint = widget.Cut(hint, room/2)
	title := widget.Fit(widget.Line(e.Title), room-widget.Width(hint)-1)
	kind := widget.Fit(e.Kind, kindWidth)
	switch {
	case under:
		return t.Key.Render("› ") + t.Selected.Render(kind+" "+title+" "+hint)
	case e.Off:
		return "  " + t.Disabled.Render(kind+" "+title+" "+hint)
	}
	return "  " + t.Faint.Render(kind) + " " + title + " " + t.KeyText.Render(hint)
}

// note is the line below the list.
func (m *Model) note() string {
	out := widget.Count(len(m.shown)) + " of " + widget.Count(len(m.entries))
	if len(m.found) > 0 {
		out += ", and " + widget.Plural(len(m.found), "sample") + " below"
	}
	switch {
	case m.err != nil:
		out += " · samples: ✗ " + widget.Line(m.err.Error())
	case m.seeking:
		out += " · looking for samples…"
	case m.more:
		out += "; not all were looked at"
	}
	return out
}
