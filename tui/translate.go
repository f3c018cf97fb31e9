package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
)

// place is where keys are pressed now; "" where they mean what they say,
// whatever somebody chose: they are text, or answer a question.
func (n *navigation) place() keymap.Place {
	s := n.top()
	if a, ok := s.(Asker); s.Typing() || ok && a.Asking() {
		return ""
	}
	if p, ok := s.(Placed); ok {
		return p.KeyPlace()
	}
	return keymap.Everywhere
}

// translate is a key as the screens know it. It is false for one that does
// nothing, because the person gave its action another.
func (n *navigation) translate(msg tea.KeyMsg) (tea.KeyMsg, bool) {
	at := n.place()
	if msg.Paste || at == "" {
		return msg, true
	}
	pressed := msg.String()
	name, ok := n.keys.Default(at, pressed)
	if ok && name != pressed {
		msg = keymap.Msg(name)
	}
	return msg, ok
}

// spell tells a screen how its keys are written. While somebody types, its
// texts tell of keys that mean something else just then: they stay as they are
// for the place.
func (n *navigation) spell(s Screen) {
	sp, ok := s.(Speller)
	if !ok {
		return
	}
	sp.Spell(func(name string) string {
		at := keymap.Everywhere
		if p, ok := s.(Placed); ok {
			at = p.KeyPlace()
		}
		return n.keys.First(name, at)
	})
}

// written are bindings with the person's keys.
func (n *navigation) written(keys []key.Binding) []key.Binding {
	at := n.place()
	if at == "" {
		return keys
	}
	out := make([]key.Binding, len(keys))
	for i, k := range keys {
		out[i] = n.keys.Binding(k, at)
	}
	return out
}

// copiesByLetter reports whether y copies here: on some screens it says
// something.
func (n *navigation) copiesByLetter() bool { return n.keys.Has(n.place(), "copy_this") }
