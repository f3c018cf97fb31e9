package form

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// Keys are the keys of a form, beside what is typed into it. What is typed has no
// key of its own.
type Keys struct {
	Start, Up, Down, Fields, Change, Toggle, Filter, Number, Back key.Binding
}

// NewKeys makes the bindings.
func NewKeys() Keys {
	return Keys{
		Start:  widget.Bind("enter", "start", "enter"),
		Up:     widget.Bind("↑", "field before", "up", "shift+tab"),
		Down:   widget.Bind("↓", "next field", "down", "tab"),
		Fields: widget.Bind("↑↓", "fields", "up", "down"),
		Change: widget.Bind("←→", "change", "left", "right"),
		Toggle: widget.Bind("space", "in or out", " "),
		Filter: widget.Bind("a-z", "filter", "letters"),
		Number: widget.Bind("0-9", "number", "digits"),
		Back:   widget.Bind("esc", "back", "esc"),
	}
}

// Of are the bindings that matter at a field.
func (k *Keys) Of(f *Field) []key.Binding {
	out := []key.Binding{k.Start, k.Fields, k.Change}
	if f.Taken != nil {
		out = append(out, k.Toggle)
	}
	if f.Pick != nil {
		out = append(out, k.Filter)
	}
	if f.Figure != nil {
		out = append(out, k.Number)
	}
	return append(out, k.Back)
}

// To are those by which a form that waits for an answer is answered.
func (k Keys) To(start string) []key.Binding {
	k.Start.SetHelp("enter", start)
	return []key.Binding{k.Start, k.Back}
}

// Help are those of the page of all bindings.
func (k *Keys) Help() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.Change, k.Toggle, k.Filter, k.Number}
}
