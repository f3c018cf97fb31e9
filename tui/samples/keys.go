package samples

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	open, show, showBack, again, filter    key.Binding
	prevPass, nextPass, prevItem, nextItem key.Binding
	picture, another, room                 key.Binding
}

func newKeys() keys {
	moves := widget.NewMoves()
	moves.Bottom.SetHelp("G", "last that is read")
	moves.PageDown.SetKeys("ctrl+d", "pgdown", " ")
	return keys{
		moves:    moves,
		open:     widget.Bind("enter", "the sample", "enter"),
		show:     widget.Bind("tab", "next list, other part", "tab"),
		showBack: widget.Bind("shift+tab", "list before", "shift+tab"),
		again:    widget.Bind("R", "read the list again", "R"),
		filter:   widget.Bind("/", "filter", "/"),
		prevPass: widget.Bind("←", "pass before", "left"),
		nextPass: widget.Bind("→", "next pass", "right"),
		prevItem: widget.Bind("p", "sample before", "p"),
		nextItem: widget.Bind("n", "next sample", "n"),
		picture:  widget.Bind("z", "picture", "z"),
		room:     widget.RoomKeys(),
		another:  widget.Bind("f", "next picture", "f"),
	}
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	if m.filter.Typing() {
		return widget.FilterKeys()
	}
	if m.detail == nil {
		k.open.SetEnabled(len(m.rows) > 0)
		return []key.Binding{k.open, widget.Bind("tab", "other lists", "tab"), k.filter, k.again}
	}
	if m.looking() {
		return append(append([]key.Binding{widget.Bind("z", "back to the text", "z")}, widget.LookKeys(true)...), m.several(k.nextItem, k.prevItem)...)
	}
	out := []key.Binding{k.nextItem, k.prevItem, widget.Bind("←→", "passes", "left"), widget.Bind("↑↓", "scroll", "up")}
	if m.detail.hasPicture() {
		out = append(out, m.several(k.picture)...)
	}
	if m.width >= beside { // what leads back goes first
		out = append(out, k.room)
	}
	return out
}

// several puts the key of the next picture before others, where there are
// several.
func (m *Model) several(others ...key.Binding) []key.Binding {
	if m.detail.gallery.Len() < 2 {
		return others
	}
	return append([]key.Binding{m.keys.another}, others...)
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.keys
	return []widget.Group{
		{Title: "List", Keys: append([]key.Binding{k.open, k.show, k.showBack, k.filter, k.again}, k.moves.Keys()...)},
		{Title: "Sample", Keys: []key.Binding{k.nextItem, k.prevItem, k.nextPass, k.prevPass, k.picture, k.another, k.room}},
		{Title: "The picture on the whole screen", Keys: widget.LookKeys(m.looking())},
	}
}

// Typing reports whether keys are text: while the filter is typed.
func (m *Model) Typing() bool { return m.filter.Typing() }

// looking reports whether a picture fills the screen.
func (m *Model) looking() bool {
	return m.detail != nil && m.detail.full && m.detail.hasPicture()
}

// Back goes from a sample to the list, and takes the filter away.
func (m *Model) Back() bool {
	if m.detail == nil {
		return m.unfilter()
	}
	if m.detail.full {
		m.detail.full = false
		return true
	}
	m.detail = nil
	return true
}
