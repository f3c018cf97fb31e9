package guideline

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
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
	if by, ok := k.moves.By(msg, max(1, rowsOf(m)-1), 1<<20); ok {
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
		for range max(1, rowsOf(m)-1) {
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

// longest is how many steps can be taken back.
const longest = 200

// deed is what a key does to a text. Letters of one word are one step, and so
// is what is taken away in a row.
type deed uint8

const (
	deedNone deed = iota
	deedWord
	deedSpace
	deedCut
	deedWhole // a step by itself
)

// moment is a text with its caret.
type moment struct {
	text        string
	row, column int
}

// trail is how a text came about.
type trail struct {
	past, future []moment
	last         deed
}

func current(a *textarea.Model) moment {
	info := a.LineInfo()
	return moment{a.Value(), a.Line(), info.StartColumn + info.ColumnOffset}
}

// restore puts a text back, with its caret.
func restore(a *textarea.Model, m moment) {
	a.SetValue(m.text)
	for range strings.Count(m.text, "\n") + len(m.text) {
		if a.Line() <= m.row {
			break
		}
		a.CursorUp()
	}
	a.SetCursor(m.column)
}

// does is what a key will do.
func does(msg tea.KeyMsg) deed {
	switch {
	case msg.Paste || len(msg.Runes) > 1 || msg.Type == tea.KeyEnter:
		return deedWhole
	case msg.Type == tea.KeySpace:
		return deedSpace
	case msg.Type == tea.KeyRunes && !msg.Alt:
		return deedWord
	}
	return deedCut
}

// edit changes the text by a key, and remembers what it was where a step
// begins. A key that only moves the caret ends the step.
func (tr *trail) edit(a *textarea.Model, msg tea.KeyMsg, change func()) {
	before := current(a)
	change()
	d := does(msg)
	on := d == tr.last || d == deedSpace && tr.last == deedWord
	switch {
	case a.Value() == before.text:
		tr.last = deedNone
		return
	case d == deedWhole, !on:
		tr.past = append(tr.past, before)
		tr.past = tr.past[max(0, len(tr.past)-longest):]
	}
	tr.last, tr.future = d, nil
}

// back takes the last step back, and reports whether there was one.
func (tr *trail) back(a *textarea.Model) bool { return tr.step(a, &tr.past, &tr.future) }

// forth does it again.
func (tr *trail) forth(a *textarea.Model) bool { return tr.step(a, &tr.future, &tr.past) }

func (tr *trail) step(a *textarea.Model, from, to *[]moment) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, current(a))
	restore(a, (*from)[n-1])
	*from, tr.last = (*from)[:n-1], deedNone
	return true
}
