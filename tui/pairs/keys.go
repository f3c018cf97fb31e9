package pairs

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/drilldown"
	"concord/tui/widget"
)

type keys struct {
	drilldown.Keys
	mark key.Binding
}

func newKeys() keys {
	return keys{
		Keys: drilldown.NewKeys("pair", "next list"),
		mark: widget.Bind("d", "mark where the answers differ", "d"),
	}
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	if m.page == nil {
		return m.list.ListKeys()
	}
	if m.looking() {
		return m.page.pictures.LookKeys(&k.Keys)
	}
	out := []key.Binding{k.After, k.Before, widget.Bind("↑↓", "scroll", "up"), widget.Bind("d", "differences", "d")}
	if m.page.hasPicture() {
		out = append(out, m.page.pictures.Keys(&k.Keys, k.Picture)...)
	}
	if m.width >= beside { // what leads back goes first
		out = append(out, k.Enlarge)
	}
	return out
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.keys
	return []widget.Group{
		k.Help(),
		{Title: "Pair", Keys: []key.Binding{k.After, k.Before, k.mark, k.Picture, k.Another, k.Enlarge}},
		{Title: "The image on the whole screen", Keys: widget.LookKeys(m.looking())},
	}
}

// Typing reports whether keys are text: while the filter is typed.
func (m *Model) Typing() bool { return m.list.Typing() }

// looking reports whether a picture fills the screen.
func (m *Model) looking() bool { return m.page != nil && m.page.pictures.Looking() }

// Back goes from a pair to the list, and takes the filter away.
func (m *Model) Back() bool {
	switch {
	case m.page == nil:
		return m.list.Unfilter()
	case m.page.pictures.Full:
		m.page.pictures.Full = false
	default:
		m.page = nil
	}
	return true
}
