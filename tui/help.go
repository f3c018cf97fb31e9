package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// help is the page of all keys, with the person's.
func (m *Model) help() []widget.Group {
	everywhere := m.everywhere()
	if m.copiesByLetter() {
		everywhere = append(everywhere, m.keys.copyThis)
	}
	return spelled(append(m.top().Help(), widget.Group{Title: "Everywhere", Keys: everywhere}), m.deps.Keys, m.place())
}

// everywhere is the root's part of the page: without the keys of tabs that there
// are not, nor, of whoever came in as somebody, that of being somebody else.
func (m *Model) everywhere() []key.Binding {
	k := &m.keys
	var out []key.Binding
	for t := range TabCurate {
		if m.has(t) {
			out = append(out, k.tabs[t])
		}
	}
	if m.beside(1) != m.tab {
		out = append(out, k.prev, k.next)
	}
	if !m.guest() {
		out = append(out, k.person)
	}
	return append(out, k.back, k.leave, k.quit, k.redraw, k.copy, k.palette, k.help)
}
