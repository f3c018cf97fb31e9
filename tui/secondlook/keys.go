package secondlook

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves                         widget.Moves
	open, kind, kindBack, closed  key.Binding
	filter, comment, flag         key.Binding
	resolve, exclude, include     key.Binding
	resolveAll, excludeAll        key.Binding
	undo, refresh, enter, discard key.Binding
}

func newKeys() keys {
	return keys{
		moves:      widget.NewMoves(),
		open:       widget.Bind("enter", "open the item", "enter"),
		kind:       widget.Bind("tab", "next kind", "tab"),
		kindBack:   widget.Bind("shift+tab", "kind before", "shift+tab"),
		closed:     widget.Bind("r", "with resolved ones", "r"),
		filter:     widget.Bind("/", "filter", "/"),
		comment:    widget.Bind(",", "comment", ","),
		flag:       widget.Bind("!", "flag", "!"),
		resolve:    widget.Bind("x", "resolve", "x"),
		resolveAll: widget.Bind("X", "resolve all listed", "X"),
		exclude:    widget.Bind("e", "exclude item", "e"),
		excludeAll: widget.Bind("E", "exclude all listed items", "E"),
		include:    widget.Bind("i", "include again", "i"),
		undo:       widget.Bind("ctrl+z", "undo", "ctrl+z"),
		refresh:    widget.Bind("ctrl+r", "refresh", "ctrl+r"),
		enter:      widget.Bind("enter", "save", "enter"),
		discard:    widget.Bind("esc", "discard", "esc"),
	}
}

// KeyPlace is where the page's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.SecondLook }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := &m.keys
	switch {
	case m.asking != nil:
		return []key.Binding{k.enter, k.discard}
	case m.filter.Typing():
		return widget.FilterKeys()
	}
	out := []key.Binding{k.open}
	if row := m.front(); row != nil {
		why := m.noDecision(row)
		if row.Resolvable() == "" {
			out = append(out, widget.Able(k.resolve, why))
		} else if m.included(row) {
			out = append(out, widget.Able(k.include, why))
		}
		out = append(out, widget.Able(k.comment, m.noItem(row)), widget.Able(k.exclude, why))
	}
	return append(out, k.kind, k.filter, k.undo)
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	k := &m.keys
	return []widget.Group{
		{Title: "Second look", Keys: []key.Binding{k.open, k.comment, k.flag, k.resolve, k.exclude, k.include, k.undo, k.refresh}},
		{Title: "All that is listed", Keys: []key.Binding{k.resolveAll, k.excludeAll}},
		{Title: "What is listed", Keys: []key.Binding{k.filter, k.kind, k.kindBack, k.closed}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}
