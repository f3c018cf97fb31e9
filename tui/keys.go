package tui

import "github.com/charmbracelet/bubbles/key"

// keys are the root's own bindings. Digits and upper-case letters belong to
// labels, so none of these is one.
type keys struct {
	prev, next, help, back, leave, quit, redraw key.Binding

	tabs [tabCount]key.Binding
}

func bind(help, desc string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(help, desc))
}

func newKeys() keys {
	return keys{
		prev:   bind("[", "previous tab", "["),
		next:   bind("]", "next tab", "]"),
		help:   bind("?", "help", "?"),
		back:   bind("esc", "one level back", "esc"),
		leave:  bind("q", "leave; at the top, quit", "q"),
		quit:   bind("ctrl+c", "save and quit", "ctrl+c"),
		redraw: bind("ctrl+l", "draw again", "ctrl+l"),
		tabs: [tabCount]key.Binding{
			bind("h", "runs", "h"),
			bind("v", "review", "v"),
			bind("a", "report", "a"),
		},
	}
}

// all is the root's part of the help page.
func (k *keys) all() []key.Binding {
	return append(k.tabs[:len(k.tabs):len(k.tabs)], k.prev, k.next, k.back, k.leave, k.quit, k.redraw, k.help)
}
