package samples

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

type keys struct {
	up, down, top, bottom, pageUp, pageDown key.Binding

	open, show, showBack, again            key.Binding
	prevPass, nextPass, prevItem, nextItem key.Binding
	picture                                key.Binding
}

func bind(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

func newKeys() keys {
	return keys{
		up:       bind("↑/k", "up", "up", "k"),
		down:     bind("↓/j", "down", "down", "j"),
		top:      bind("g", "first", "g", "home"),
		bottom:   bind("G", "last that is read", "G", "end"),
		pageUp:   bind("ctrl+u", "page up", "ctrl+u", "pgup"),
		pageDown: bind("ctrl+d", "page down", "ctrl+d", "pgdown", " "),
		open:     bind("enter", "the sample", "enter"),
		show:     bind("tab", "next list, other part", "tab"),
		showBack: bind("shift+tab", "list before", "shift+tab"),
		again:    bind("R", "read the list again", "R"),
		prevPass: bind("←", "pass before", "left"),
		nextPass: bind("→", "next pass", "right"),
		prevItem: bind("p", "sample before", "p"),
		nextItem: bind("n", "next sample", "n"),
		picture:  bind("z", "picture", "z"),
	}
}

// Keys are the bindings that matter now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.keys
	if m.detail == nil {
		k.open.SetEnabled(len(m.rows) > 0)
		return []key.Binding{k.open, bind("tab", "other lists", "tab"), k.again}
	}
	out := []key.Binding{k.nextItem, k.prevItem, bind("←→", "passes", "left"), bind("↑↓", "scroll", "up")}
	if m.detail.hasPicture() {
		out = append(out, k.picture)
	}
	return out
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := m.keys
	return []widget.Group{
		{Title: "List", Keys: []key.Binding{k.open, k.show, k.showBack, k.again, k.up, k.down, k.top, k.bottom, k.pageUp, k.pageDown}},
		{Title: "Sample", Keys: []key.Binding{k.nextItem, k.prevItem, k.nextPass, k.prevPass, k.picture}},
	}
}

// Typing reports whether keys are text; they never are here.
func (m *Model) Typing() bool { return false }

// Back goes from a sample to the list.
func (m *Model) Back() bool {
	if m.detail == nil {
		return false
	}
	if m.detail.full {
		m.detail.full = false
		return true
	}
	m.detail = nil
	return true
}
