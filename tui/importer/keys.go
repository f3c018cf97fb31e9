package importer

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves                        widget.Moves
	take, finish, again, connect key.Binding
	other                        key.Binding
	up, narrow, walk, open, run  key.Binding
	fields, change, stop, back   key.Binding
}

func newKeys() keys {
	return keys{
		moves:   widget.NewMoves(),
		take:    keymap.Begin.Join("take it", "open"),
		finish:  keymap.Begin.Join("continue", "open"),
		other:   keymap.Begin.Bind("import"),
		again:   keymap.Begin.Bind("refresh"),
		connect: keymap.Begin.Join("connect a model", "open"),
		up:      widget.Bind("←", "folder above", "left", "backspace"),
		narrow:  widget.Bind("a-z", "narrow down, or a path", "letters"),
		walk:    widget.Bind("↑↓", "choose", "up", "down"),
		open:    widget.Bind("enter", "open", "enter", "right"),
		run:     widget.Bind("enter", "import", "enter"),
		fields:  widget.Bind("↑↓", "fields", "up", "down", "tab", "shift+tab"),
		change:  widget.Bind("←→", "change", "left", "right", " "),
		stop:    widget.Bind("esc", "stop", "esc"),
		back:    widget.Bind("esc", "back", "esc"),
	}
}

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := &m.keys
	switch m.step {
	case atFolder:
		return []key.Binding{k.open, k.walk, k.up, k.narrow, k.back}
	case atPreview:
		if m.form.typing() {
			return []key.Binding{k.run, k.fields, k.back}
		}
		return []key.Binding{k.run, k.change, k.fields, k.back}
	case atWork:
		return []key.Binding{k.stop}
	case atEnd:
		return []key.Binding{k.finish, k.other}
	case atCheck:
		return []key.Binding{k.connect, k.again, k.back}
	case atMenu:
	}
	return []key.Binding{k.take, widget.Bind("↑↓", "choose", "up", "down")}
}

// Help is the page of all bindings.
func (m *Model) Help() []widget.Group {
	k := &m.keys
	return []widget.Group{
		{Title: "Begin", Keys: []key.Binding{k.take, k.connect, k.again, k.other}},
		{Title: "A folder", Keys: []key.Binding{k.open, k.up, k.narrow}},
		{Title: "What is imported", Keys: []key.Binding{k.run, k.fields, k.change, k.stop}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}
