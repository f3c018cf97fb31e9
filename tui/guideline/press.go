package guideline

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/action"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// The modes of the page: a version is read, or the next one written.
const (
	reading action.Mode = iota
	writing
)

func (m *Model) mode() action.Mode {
	if m.editor != nil {
		return writing
	}
	return reading
}

// The groups of the help page.
const (
	readGroup  = "The guideline"
	writeGroup = "While it is written"
)

// keyed is what the keys of the screen do.
type keyed struct{ *Model }

// actions is the table of all keys but those of moves and of texts.
func (m keyed) actions() action.Table {
	on := func(b key.Binding, why func() string, do func(string) tea.Cmd) action.Action {
		return action.On(readGroup, []action.Mode{reading}, action.At(action.First, b), why, do)
	}
	in := func(b key.Binding, do func(string) tea.Cmd) action.Action {
		return action.On(writeGroup, []action.Mode{writing}, action.At(action.First, b), nil, do)
	}
	return action.Table{
		on(keymap.Guideline.Bind("edit"), func() string { return m.Keyed(m.noWrite()) }, m.write),
		on(keymap.Guideline.Bind("older"), m.noOlder, m.turn(-1)),
		on(keymap.Guideline.Bind("newer"), m.noNewer, m.turn(1)),
		in(widget.SaveKey(), m.save),
		in(widget.Bind("ctrl+z", "back", "ctrl+z"), m.step((*trail).back, "nothing was written before this")),
		in(widget.Bind("ctrl+y", "forth", "ctrl+y"), m.step((*trail).forth, "nothing to do again")),
		in(widget.Bind("esc", "leave, keep it", "esc"), func(string) tea.Cmd { return nil }),
	}
}

// step goes back or forth in what was written.
func (m *Model) step(goes func(*trail, *textarea.Model) bool, none string) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if !goes(&m.editor.trail, &m.editor.area) {
			return widget.Tell(widget.Info, none)
		}
		return m.typed()
	}
}

// KeyPlace is where the page's keys are in the keymap.
func (m *Model) KeyPlace() keymap.Place { return keymap.Guideline }

// Keys are what can be done now, the most important first.
func (m *Model) Keys() []key.Binding {
	out := m.table.Footer(m.mode(), m.width, nil, nil)
	if m.editor == nil {
		out = append(out, widget.Bind("↑↓", "scroll", "up", "down"))
	}
	return out
}

// Help is the page of all keys.
func (m *Model) Help() []widget.Group {
	return append(m.table.Help(reading, nil, writeGroup, readGroup, writeGroup), widget.Group{Title: "Move", Keys: m.moves.Keys()})
}

// noWrite is why nothing can be written; "" when it can. It names keys in
// braces.
func (m keyed) noWrite() string {
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

func (m keyed) noOlder() string {
	if m.at <= 0 {
		return "there is no older version"
	}
	return ""
}

func (m keyed) noNewer() string {
	if m.at >= len(m.history.Versions)-1 {
		return "this is the newest version"
	}
	return ""
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if m.editor != nil {
		return m.pressEditor(msg)
	}
	if by, ok := m.moves.By(msg, max(1, rowsOf(m)-1), 1<<20); ok {
		m.top = max(0, m.top+by) // drawing holds it within the text
		return nil
	}
	return m.table.Tell(reading, msg.String())
}

func (m keyed) turn(by int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		m.at, m.top = m.at+by, 0
		return nil
	}
}

// pressEditor takes a key while the next version is written: what is none of
// its own is text.
func (m *Model) pressEditor(msg tea.KeyMsg) tea.Cmd {
	e := m.editor
	if e.busy {
		return nil
	}
	if !msg.Paste {
		if o := m.table.Press(writing, msg.String()); o.Found {
			return o.Cmd
		}
	}
	switch {
	case msg.Paste:
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
