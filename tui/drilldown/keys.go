package drilldown

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
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
	return Keys{
		Moves:    moves,
		Open:     widget.Bind("enter", "the "+row, "enter"),
		List:     widget.Bind("tab", lists, "tab"),
		ListBack: keymap.Samples.Bind("other_back"),
		Again:    keymap.Samples.Bind("refresh"),
		Filter:   keymap.Samples.Bind("filter"),
		Before:   widget.Bind("p", row+" before", "p"),
		After:    widget.Bind("n", "next "+row, "n"),
		Picture:  keymap.Samples.Join("image", "zoom"),
		Another:  keymap.Samples.Join("next image", "next_image"),
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
		out = append(out, keymap.Samples.Join("other lists", "other"))
	}
	return append(out, l.keys.Filter, l.keys.Again)
}

// Help is the page of the list's bindings.
func (k *Keys) Help() widget.Group {
	return widget.Group{Title: "List", Keys: append([]key.Binding{k.Open, k.List, k.ListBack, k.Filter, k.Again}, k.Moves.Keys()...)}
}
