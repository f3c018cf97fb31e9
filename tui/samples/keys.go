package samples

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/drilldown"
	"concord/tui/widget"
)

type keys struct {
	drilldown.Keys
	prevPass, nextPass key.Binding
}

func newKeys() keys {
	return keys{
		Keys:     drilldown.NewKeys("sample", "next list, other part"),
		prevPass: widget.Bind("←", "pass before", "left"),
		nextPass: widget.Bind("→", "next pass", "right"),
	}
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	if m.detail == nil {
		return m.list.ListKeys()
	}
	if m.looking() {
		return m.detail.pictures.LookKeys(&k.Keys)
	}
	out := []key.Binding{k.After, k.Before, widget.Bind("←→", "passes", "left"), widget.Bind("↑↓", "scroll", "up")}
	if m.detail.hasPicture() {
		out = append(out, m.detail.pictures.Keys(&k.Keys, k.Picture)...)
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
		{Title: "Sample", Keys: []key.Binding{k.After, k.Before, k.nextPass, k.prevPass, k.Picture, k.Another, k.Enlarge}},
		{Title: "The image on the whole screen", Keys: widget.LookKeys(m.looking())},
	}
}

// Typing reports whether keys are text: while the filter is typed.
func (m *Model) Typing() bool { return m.list.Typing() }

// looking reports whether a picture fills the screen.
func (m *Model) looking() bool {
	return m.detail != nil && m.detail.pictures.Looking()
}

// Back goes from a sample to the list, and takes the filter away.
func (m *Model) Back() bool {
	if m.detail == nil {
		return m.list.Unfilter()
	}
	if m.detail.pictures.Full {
		m.detail.pictures.Full = false
		return true
	}
	m.detail = nil
	return true
}
