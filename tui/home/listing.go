package home

import (
	"concord/tui/widget"
)

// listLines draw the lists below each other.
func listLines(m *board, width int) []string {
	t := m.theme
	var out []string
	for f := range lists {
		high := m.high(f)
		if high == 0 {
			continue
		}
		if len(out) > 0 && m.wide() {
			out = append(out, "")
		}
		table := m.listOf(f).drawn(m)
		table.Focused = m.focus == f
		out = append(out, t.Section(titles[f], m.note(f), m.focus == f, width))
		out = append(out, t.Table(table, width, high-1)...)
	}
	return out
}

// note stands beside the title of a list: how many, what the mark means, and at
// the list with the focus what all of them are narrowed down to.
func (m *board) note(f focus) string {
	shown, all := m.listOf(f).count()
	out := widget.Count(all)
	if m.filter.On() {
		out = widget.Count(shown) + " of " + out
	}
	if m.listOf(f).synthetic() {
		out += "  " + mark + " synthetic"
	}
	if text := m.theme.Filter(&m.filter, max(24, m.listWidth()/2)); text != "" && m.focus == f {
		out += "  " + text
	}
	return out
}
