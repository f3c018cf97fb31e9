package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// keys are the root's own bindings. Digits and upper-case letters belong to
// labels, so none of these is one.
type keys struct {
	prev, next, help, back, leave, quit, redraw, person, palette, copy, copyThis, tour key.Binding

	tabs [tabCount]key.Binding
}

func newKeys() keys {
	return keys{
		prev:     widget.Bind("[", "previous tab", "["),
		next:     widget.Bind("]", "next tab", "]"),
		help:     widget.Bind("?", "help", "?"),
		back:     widget.Bind("esc", "one level back", "esc"),
		leave:    widget.Bind("q", "leave; at the top, quit", "q"),
		quit:     widget.Bind("ctrl+c", "save and quit", "ctrl+c"),
		redraw:   widget.Bind("ctrl+l", "draw again", "ctrl+l"),
		palette:  widget.Bind("ctrl+p :", "everything by name", "ctrl+p", ":"),
		copy:     widget.Bind("alt+y", "copy what is selected, or an error that is shown", "alt+y"),
		person:   widget.Bind("ctrl+w", "switch user", "ctrl+w"),
		copyThis: widget.Bind("y", "copy what is selected", "y"),
		tour:     widget.Bind("ctrl+e", "end the tour of the demo", "ctrl+e"),
		tabs: [tabCount]key.Binding{
			widget.Bind("h", "runs", "h"),
			widget.Bind("v", "review", "v"),
			widget.Bind("a", "report", "a"),
			widget.Bind("b", "criteria", "b"),
			{}, // curation: no letter is left that no screen needs
		},
	}
}
