package pairs

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

type keys struct {
	moves widget.Moves

	open, list, listBack, again  key.Binding
	filter                       key.Binding
	before, after, picture, mark key.Binding
	another, room                key.Binding
}

func newKeys() keys {
	moves := widget.NewMoves()
	moves.Bottom.SetHelp("G", "last that is read")
	moves.PageDown.SetKeys("ctrl+d", "pgdown", " ")
	return keys{
		moves:    moves,
		open:     widget.Bind("enter", "the pair", "enter"),
		list:     widget.Bind("tab", "next list", "tab"),
		listBack: widget.Bind("shift+tab", "list before", "shift+tab"),
		again:    widget.Bind("R", "read the list again", "R"),
		filter:   widget.Bind("/", "filter", "/"),
		before:   widget.Bind("p", "pair before", "p"),
		after:    widget.Bind("n", "next pair", "n"),
		picture:  widget.Bind("z", "picture", "z"),
		room:     widget.RoomKeys(),
		another:  widget.Bind("f", "next picture", "f"),
		mark:     widget.Bind("d", "mark where the answers differ", "d"),
	}
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	if m.filter.Typing() {
		return widget.FilterKeys()
	}
	if m.page == nil {
		k.open.SetEnabled(len(m.rows) > 0)
		out := []key.Binding{k.open}
		if len(m.query.Lists) > 1 {
			out = append(out, widget.Bind("tab", "other lists", "tab"))
		}
		return append(out, k.filter, k.again)
	}
	if m.looking() {
		return append(append([]key.Binding{widget.Bind("z", "back to the text", "z")}, widget.LookKeys(true)...), m.several(k.after, k.before)...)
	}
	out := []key.Binding{k.after, k.before, widget.Bind("↑↓", "scroll", "up"), widget.Bind("d", "differences", "d")}
	if m.page.hasPicture() {
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
	if m.page.gallery.Len() < 2 {
		return others
	}
	return append([]key.Binding{m.keys.another}, others...)
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.keys
	return []widget.Group{
		{Title: "List", Keys: append([]key.Binding{k.open, k.list, k.listBack, k.filter, k.again}, k.moves.Keys()...)},
		{Title: "Pair", Keys: []key.Binding{k.after, k.before, k.mark, k.picture, k.another, k.room}},
		{Title: "The picture on the whole screen", Keys: widget.LookKeys(m.looking())},
	}
}

// Typing reports whether keys are text: while the filter is typed.
func (m *Model) Typing() bool { return m.filter.Typing() }

// looking reports whether a picture fills the screen.
func (m *Model) looking() bool { return m.page != nil && m.page.full && m.page.hasPicture() }

// Back goes from a pair to the list, and takes the filter away.
func (m *Model) Back() bool {
	switch {
	case m.page == nil:
		return m.unfilter()
	case m.page.full:
		m.page.full = false
	default:
		m.page = nil
	}
	return true
}
