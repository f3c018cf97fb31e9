package criteria

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// editKeys are the keys of the editor: all else is text.
func editKeys() []key.Binding {
	return []key.Binding{
		widget.Bind("esc", "leave, keep the draft", "esc"),
		widget.Bind("ctrl+t", "type", "ctrl+t"),
		widget.Bind("ctrl+n", "add", "ctrl+n"),
		widget.Bind("tab", "next", "tab", "shift+tab"),
		widget.Bind("ctrl+x", "remove", "ctrl+x"),
		widget.Bind("alt+↑↓", "move", "alt+up", "alt+down"),
		widget.Bind("ctrl+z", "back", "ctrl+z"),
		widget.Bind("ctrl+y", "forth", "ctrl+y"),
		widget.Bind("ctrl+s", "save now", "ctrl+s"),
		widget.Bind("ctrl+g", "guideline", "ctrl+g"),
	}
}

// remove takes the criterion with the focus away; ctrl+z brings it back.
func (e *editor) remove() {
	e.remember()
	if len(e.fields) == 1 {
		e.fields[0] = field{area: widget.Multiline("")}
	} else {
		e.fields = slices.Delete(e.fields, e.focus, e.focus+1)
	}
	e.focus = min(e.focus, len(e.fields)-1)
	e.point()
}

// shift moves the criterion with the focus up or down.
func (e *editor) shift(by int) {
	to := e.focus + by
	if to < 0 || to >= len(e.fields) {
		return
	}
	e.remember()
	e.fields[e.focus], e.fields[to] = e.fields[to], e.fields[e.focus]
	e.focus = to
	e.point()
}
