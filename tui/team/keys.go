package team

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves                   widget.Moves
	add, role, give, take   key.Binding
	other, filter           key.Binding
	undo, redo              key.Binding
	enter, fields, turn     key.Binding
	leave, end, keep, write key.Binding
}

func newKeys() keys {
	return keys{
		moves:  widget.NewMoves(),
		add:    keymap.People.Bind("let_in"),
		role:   keymap.People.Bind("edit"),
		give:   keymap.People.Bind("give_key"), // k moves
		take:   keymap.People.Join("remove user", "take_away"),
		other:  widget.Bind("tab", "keys and sessions", "tab", "shift+tab"),
		filter: keymap.People.Bind("filter"),
		undo:   keymap.People.Bind("undo"),
		redo:   keymap.People.Bind("redo"),
		enter:  widget.Bind("enter", "do it", "enter"),
		fields: widget.Bind("↑↓", "fields", "up", "down", "tab", "shift+tab"),
		turn:   widget.Bind("←→", "another role", "left", "right"),
		write:  widget.Bind("a-z", "type or paste", "letters"),
		leave:  widget.Bind("esc", "leave, keep it", "esc"),
		end:    widget.Bind("y", "end it", "y"),
		keep:   widget.Bind("n/esc", "leave it", "n"),
	}
}

// KeyPlace is where the page's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.People }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := m.current()
	switch {
	case m.ending != nil:
		return []key.Binding{k.end, k.keep}
	case m.form != nil:
		return m.form.keys(&k)
	case m.people.filter.Typing():
		return widget.FilterKeys()
	case m.people.detail:
		return []key.Binding{k.take, k.give, k.role, k.undo, k.other, widget.Bind("↑↓", "choose", "up", "down")}
	}
	return []key.Binding{k.add, k.role, k.take, k.give, k.undo, k.other, k.filter, k.redo}
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	k := m.current()
	return []widget.Group{
		{Title: "The team", Keys: []key.Binding{k.add, k.role, k.give, k.take, k.undo, k.redo, k.other, k.filter}},
		{Title: "Move", Keys: k.moves.Keys()},
		{Title: "While a form is open", Keys: []key.Binding{k.enter, k.fields, k.turn, k.write, k.leave}},
	}
}

// current is the bindings as they read for what is under the cursor.
func (m *Model) current() keys {
	k := m.keys
	k.role, k.give = widget.Able(k.role, m.Keyed(m.people.noRole())), widget.Able(k.give, m.Keyed(m.people.noGive()))
	if one := m.people.one(); one != nil && one.Role == annotate.RoleNone {
		k.role.SetHelp("e", "restore user")
	}
	if m.people.detail {
		k.other.SetHelp("tab", "people")
		switch p := m.people.under(); {
		case p == nil, p.key == "" && p.session == nil:
			k.take.SetHelp("x", "take the key away, end the session")
		case p.key != "":
			k.take.SetHelp("x", "take the key away")
		default:
			k.take.SetHelp("x", "end the session")
		}
	}
	k.take = widget.Able(k.take, m.Keyed(m.people.noTake()))
	k.other.SetEnabled(m.people.one() != nil)
	if len(m.history.past) == 0 {
		k.undo = widget.Able(k.undo, nothingChanged)
	}
	if len(m.history.undone) == 0 {
		k.redo = widget.Able(k.redo, nothingUndone)
	}
	return k
}

const (
	nothingChanged = "nothing was changed here yet"
	nothingUndone  = "nothing was taken back"
	nobodyHere     = "nobody is under the cursor"
)

const notAdded = "they work on this machine and have no access from elsewhere: {n} adds them"
