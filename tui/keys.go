package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
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
		prev:     keymap.Everywhere.Bind("previous_tab"),
		next:     keymap.Everywhere.Bind("next_tab"),
		help:     keymap.Everywhere.Bind("help"),
		back:     keymap.Everywhere.Bind("back"),
		leave:    keymap.Everywhere.Bind("leave"),
		quit:     widget.Bind("ctrl+c", "save and quit", "ctrl+c"),
		redraw:   keymap.Everywhere.Bind("redraw"),
		palette:  keymap.Everywhere.Join("everything by name", "palette"),
		copy:     keymap.Everywhere.Bind("copy"),
		person:   keymap.Everywhere.Bind("work_as"),
		copyThis: widget.Bind("y", "copy what is selected", "y", "f2"),
		tour:     keymap.Everywhere.Bind("end_tour"),
		tabs: [tabCount]key.Binding{
			keymap.Everywhere.Bind("show_runs"),
			keymap.Everywhere.Bind("show_review"),
			keymap.Everywhere.Bind("show_report"),
			keymap.Everywhere.Bind("show_criteria"),
			{}, // curation: no letter is left that no screen needs
		},
	}
}
