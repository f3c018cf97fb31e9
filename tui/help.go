package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// help is the page of all keys, with the person's.
func help(k *keys, nav *navigation) []widget.Group {
	rest := rootHelp(k, nav)
	if nav.copiesByLetter() {
		rest = append(rest, nav.place().Bind("copy_this"))
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
	out = append(out, k.back, k.leave, k.quit, k.redraw, k.copy, k.palette, k.help)
	return slices.DeleteFunc(out, func(b key.Binding) bool { return nav.keys.Label(nav.place(), b.Keys()[0]) })
}
