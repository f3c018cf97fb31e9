package drilldown

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

// Keys are those of a list, and of the pages of its rows.
type Keys struct {
	Moves widget.Moves

	Open, List, ListBack, Again, Filter      key.Binding
	Before, After, Picture, Another, Enlarge key.Binding
}

// NewKeys makes the bindings, of rows of a kind.
func NewKeys(row, lists string) Keys {
	moves := widget.NewMoves()
	moves.Bottom.SetHelp("G", "last that is read")
	moves.PageDown.SetKeys("ctrl+d", "pgdown", " ")
	return Keys{
		Moves:    moves,
		Open:     widget.Bind("enter", "the "+row, "enter"),
		List:     widget.Bind("tab", lists, "tab"),
		ListBack: widget.Bind("shift+tab", "list before", "shift+tab"),
		Again:    widget.Bind("R", "read the list again", "R"),
		Filter:   widget.Bind("/", "filter", "/"),
		Before:   widget.Bind("p", row+" before", "p"),
		After:    widget.Bind("n", "next "+row, "n"),
		Picture:  widget.Bind("z", "image", "z"),
		Another:  widget.Bind("f", "next image", "f"),
		Enlarge:  widget.PaneKeys(),
	}
}

// ListKeys are the bindings that matter on the list, the most important first.
func (l *List[R]) ListKeys() []key.Binding {
	if l.filter.Typing() {
		return widget.FilterKeys()
	}
	open := l.keys.Open
	open.SetEnabled(len(l.rows) > 0)
	out := []key.Binding{open}
	if l.Several() {
		out = append(out, widget.Bind("tab", "other lists", "tab"))
	}
	return append(out, l.keys.Filter, l.keys.Again)
}

// Help is the page of the list's bindings.
func (k *Keys) Help() widget.Group {
	return widget.Group{Title: "List", Keys: append([]key.Binding{k.Open, k.List, k.ListBack, k.Filter, k.Again}, k.Moves.Keys()...)}
}
