package guideline

import (
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

type keys struct {
	moves               widget.Moves
	write, older, newer key.Binding
	save, back, forth   key.Binding
	leave               key.Binding
}

func newKeys() keys {
	return keys{
		moves: widget.NewMoves(),
		write: keymap.Guideline.Bind("edit"),
		older: keymap.Guideline.Bind("older"),
		newer: keymap.Guideline.Bind("newer"),
		save:  widget.Bind("ctrl+s", "save", "ctrl+s"),
		back:  widget.Bind("ctrl+z", "back", "ctrl+z"),
		forth: widget.Bind("ctrl+y", "forth", "ctrl+y"),
		leave: widget.Bind("esc", "leave, keep it", "esc"),
	}
}

// KeyPlace is where the page's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.Guideline }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	k := &m.keys
	if m.editor != nil {
		return []key.Binding{k.save, k.back, k.forth, k.leave}
	}
	write, older, newer := m.able()
	return []key.Binding{write, older, newer, widget.Bind("↑↓", "scroll", "up", "down")}
}

// able are the bindings with why they do nothing now.
func (m *Model) able() (write, older, newer key.Binding) {
	k := &m.keys
	return widget.Able(k.write, m.Keyed(m.noWrite())), widget.Able(k.older, m.noOlder()), widget.Able(k.newer, m.noNewer())
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	k := &m.keys
	write, older, newer := m.able()
	return []widget.Group{
		{Title: "The guideline", Keys: []key.Binding{write, older, newer}},
		{Title: "While it is written", Keys: []key.Binding{k.save, k.back, k.forth, k.leave}},
		{Title: "Move", Keys: k.moves.Keys()},
	}
}

// noWrite is why nothing can be written; "" when it can. It names keys in
// braces.
func (m *Model) noWrite() string {
	switch {
	case !m.loaded:
		return "the guideline is being read"
	case m.deps.Barred != "":
		return m.deps.Barred
	case m.deps.Who == "":
		return "say who you are first: {ctrl+w}"
	case utf8.RuneCountInString(m.text()) > widget.LongestText:
		return "the guideline is too long to be written here; in a shell: concord queue guideline NAME --set FILE"
	}
	return ""
}

func (m *Model) noOlder() string {
	if m.at <= 0 {
		return "there is no older version"
	}
	return ""
}

func (m *Model) noNewer() string {
	if m.at >= len(m.history.Versions)-1 {
		return "this is the newest version"
	}
	return ""
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.editor != nil {
		return m.pressEditor(msg)
	}
	k := &m.keys
	if by, ok := k.moves.By(msg, max(1, m.rows()-1), 1<<20); ok {
		m.top = max(0, m.top+by) // drawing holds it within the text
		return nil
	}
	switch {
	case key.Matches(msg, k.write):
		return m.write()
	case key.Matches(msg, k.older):
		return m.turn(-1, m.noOlder())
	case key.Matches(msg, k.newer):
		return m.turn(1, m.noNewer())
	}
	return nil
}

func (m *Model) turn(by int, why string) tea.Cmd {
	if why != "" {
		return tell(why)
	}
	m.at, m.top = m.at+by, 0
	return nil
}

// pressEditor takes a key while the next version is written: what is none of
// its own is text.
func (m *Model) pressEditor(msg tea.KeyMsg) tea.Cmd {
	e, k := m.editor, &m.keys
	if e.busy {
		return nil
	}
	switch {
	case msg.Paste:
	case key.Matches(msg, k.save):
		return m.save()
	case key.Matches(msg, k.back):
		if !e.trail.back(&e.area) {
			return tell("nothing was written before this")
		}
		return m.typed()
	case key.Matches(msg, k.forth):
		if !e.trail.forth(&e.area) {
			return tell("nothing to do again")
		}
		return m.typed()
	case msg.Type == tea.KeyPgUp, msg.Type == tea.KeyPgDown:
		for range max(1, m.rows()-1) {
			if msg.Type == tea.KeyPgUp {
				e.area.CursorUp()
			} else {
				e.area.CursorDown()
			}
		}
		return nil
	}
	e.why = ""
	e.trail.edit(&e.area, msg, func() {
		letters := widget.Tame(string(msg.Runes))
		if msg.Paste || len(msg.Runes) > 1 {
			e.area.InsertString(letters)
			return
		}
		msg.Runes = []rune(letters)
		e.area, _ = e.area.Update(msg)
	})
	return m.typed()
}
