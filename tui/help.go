package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// help is the page of all keys, with the person's.
func help(k *keys, nav *navigation) []widget.Group {
	rest := rootHelp(k, nav)
	if nav.copiesByLetter() {
		rest = append(rest, k.copyThis)
	}
	return spelled(append(nav.top().Help(), widget.Group{Title: "Everywhere", Keys: rest}), nav.keys, nav.place())
}

// rootHelp is the root's part of the page: without the keys of tabs that there
// are not, nor, of whoever came in as somebody, that of being somebody else.
func rootHelp(k *keys, nav *navigation) []key.Binding {
	var out []key.Binding
	for t := range TabCurate {
		if nav.can.has(t) {
			out = append(out, k.tabs[t])
		}
	}
	if nav.beside(1) != nav.tab {
		out = append(out, k.prev, k.next)
	}
	if !nav.can.guest() {
		out = append(out, k.person)
	}
	return append(out, k.back, k.leave, k.quit, k.redraw, k.copy, k.palette, k.help)
}
