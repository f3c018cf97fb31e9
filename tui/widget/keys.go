package widget

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Bind makes a binding: how help writes its keys, what they do, and the keys.
func Bind(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

// Moves are the keys that move through a list or a text, the same everywhere.
type Moves struct {
	Up, Down, Top, Bottom, PageUp, PageDown key.Binding
}

// NewMoves makes the bindings of the conventions: arrows, vi's letters, pages.
func NewMoves() Moves {
	return Moves{
		Up:       Bind("↑/k", "up", "up", "k"),
		Down:     Bind("↓/j", "down", "down", "j"),
		Top:      Bind("g", "first", "g", "home"),
		Bottom:   Bind("G", "last", "G", "end"),
		PageUp:   Bind("ctrl+u", "page up", "ctrl+u", "pgup"),
		PageDown: Bind("ctrl+d", "page down", "ctrl+d", "pgdown"),
	}
}

// Keys are the bindings in the order of help.
func (m Moves) Keys() []key.Binding {
	return []key.Binding{m.Up, m.Down, m.Top, m.Bottom, m.PageUp, m.PageDown}
}

// By is how far a key moves: a line, a page, or all the way; false for a key
// that does not move.
func (m Moves) By(msg tea.KeyMsg, page, all int) (by int, ok bool) {
	switch {
	case key.Matches(msg, m.Up):
		return -1, true
	case key.Matches(msg, m.Down):
		return 1, true
	case key.Matches(msg, m.PageUp):
		return -page, true
	case key.Matches(msg, m.PageDown):
		return page, true
	case key.Matches(msg, m.Top):
		return -all, true
	case key.Matches(msg, m.Bottom):
		return all, true
	}
	return 0, false
}
