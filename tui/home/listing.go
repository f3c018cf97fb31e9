package home

import (
	"concord/tui/widget"
)

// listLines draw the lists below each other.
func listLines(m *projectBoard, width int) []string {
	t := m.theme
	var out []string
	for f := range lists {
		high := m.listHeight(f)
		if high == 0 {
			continue
		}
		if len(out) > 0 && m.isWide() {
			out = append(out, "")
		}
		table := m.listOf(f).makeTable(m)
		table.Focused = m.focus == f
		out = append(out, t.DrawSection(titles[f], m.formatNote(f), m.focus == f, width))
		out = append(out, t.DrawTable(table, width, high-1)...)
	}
	return out
}

// formatNote stands beside the title of a list: how many, what the mark means, and at
// the list with the focus what all of them are narrowed down to.
func (m *projectBoard) formatNote(f listFocus) string {
	shown, all := m.listOf(f).countRows()
	out := widget.FormatCount(all)
	if m.filter.IsOn() {
		out = widget.FormatCount(shown) + " of " + out
	}
	if below := shown - m.listOf(f).cursor().Top - m.listHeight(f) + above; below > 0 {
		out += ", " + widget.FormatCount(below) + " more below"
	}
	if m.listOf(f).hasSynthetic() {
		out += "  " + mark + " synthetic"
	}
	if text := m.theme.DrawFilter(&m.filter, max(24, m.listWidth()/2)); text != "" && m.focus == f {
		out += "  " + text
	}
	return out
}
