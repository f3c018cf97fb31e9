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

func (m *Model) keyMode() action.Mode {
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

// keyActions is what the keys of the screen do.
type keyActions struct{ *Model }

// actionTable is the table of all keys but those of moves and of texts.
func (m keyActions) actionTable() action.Table {
	on := func(b key.Binding, why func() string, do func(string) tea.Cmd) action.Action {
		return action.NewAction(readGroup, []action.Mode{reading}, action.NewFooterKey(action.First, b), why, do)
	}
	in := func(b key.Binding, do func(string) tea.Cmd) action.Action {
		return action.NewAction(writeGroup, []action.Mode{writing}, action.NewFooterKey(action.First, b), nil, do)
	}
	return action.Table{
		on(keymap.Guideline.BindAction("edit"), func() string { return m.SpellText(m.whyNoWrite()) }, m.openEditor),
		on(keymap.Guideline.BindAction("older"), m.whyNoOlder, m.showVersion(-1)),
		on(keymap.Guideline.BindAction("newer"), m.whyNoNewer, m.showVersion(1)),
		in(widget.SaveKey(), m.saveVersion),
		in(widget.NewBinding("ctrl+z", "back", "ctrl+z"), m.undoOrRedo((*editHistory).undoEdit, "nothing was written before this")),
		in(widget.NewBinding("ctrl+y", "forth", "ctrl+y"), m.undoOrRedo((*editHistory).redoEdit, "nothing to do again")),
		in(widget.NewBinding("esc", "leave, keep it", "esc"), func(string) tea.Cmd { return nil }),
	}
}

// undoOrRedo goes back or forth in what was written.
func (m *Model) undoOrRedo(goes func(*editHistory, *textarea.Model) bool, none string) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if !goes(&m.editor.trail, &m.editor.area) {
			return widget.NotifyCmd(widget.Info, none)
		}
		return m.keepLater()
	}
}

// KeymapPlace is where the page's keys are in the keymap.
func (m *Model) KeymapPlace() keymap.Place { return keymap.Guideline }

// Bindings are what can be done now, the most important first.
func (m *Model) Bindings() []key.Binding {
	out := m.table.Footer(m.keyMode(), m.width, nil, nil)
	if m.editor == nil {
		out = append(out, widget.NewBinding("↑↓", "scroll", "up", "down"))
	}
	return out
}

// HelpGroups is the page of all keys.
func (m *Model) HelpGroups() []widget.Group {
	return append(m.table.HelpGroups(reading, nil, writeGroup, readGroup, writeGroup), widget.Group{Title: "Move", Keys: m.moves.Bindings()})
}

// whyNoWrite is why nothing can be written; "" when it can. It names keys in
// braces.
func (m keyActions) whyNoWrite() string {
	switch {
	case !m.loaded:
		return "the guideline is being read"
	case m.deps.Barred != "":
		return m.deps.Barred
	case m.deps.Who == "":
		return "say who you are first: {ctrl+w}"
	case utf8.RuneCountInString(m.shownText()) > widget.LongestText:
		return "the guideline is too long to be written here; in a shell: concord queue guideline NAME --set FILE"
	}
	return ""
}

func (m keyActions) whyNoOlder() string {
	return action.WhyIf(m.at <= 0, "there is no older version")
}

func (m keyActions) whyNoNewer() string {
	return action.WhyIf(m.at >= len(m.history.Versions)-1, "this is the newest version")
}

func (m *Model) handleKey(msg tea.KeyMsg) tea.Cmd {
	if m.editor != nil {
		return m.pressEditor(msg)
	}
	if by, ok := m.moves.MoveBy(msg, max(1, textRows(m)-1), 1<<20); ok {
		m.top = max(0, m.top+by) // drawing holds it within the text
		return nil
	}
	return m.table.PressAndNotify(reading, msg.String())
}

func (m keyActions) showVersion(by int) func(string) tea.Cmd {
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
		if o := m.table.PressKey(writing, msg.String()); o.Found {
			return o.Cmd
		}
	}
	switch {
	case msg.Paste:
	case msg.Type == tea.KeyPgUp, msg.Type == tea.KeyPgDown:
		for range max(1, textRows(m)-1) {
			if msg.Type == tea.KeyPgUp {
				e.area.CursorUp()
			} else {
				e.area.CursorDown()
			}
		}
		return nil
	}
	e.why = ""
	e.trail.recordEdit(&e.area, msg, func() {
		letters := widget.EscapeControls(string(msg.Runes))
		if msg.Paste || len(msg.Runes) > 1 {
			e.area.InsertString(letters)
			return
		}
		msg.Runes = []rune(letters)
		e.area, _ = e.area.Update(msg)
	})
	return m.keepLater()
}

// longest is how many steps can be taken back.
const longest = 200

// editKind is what a key does to a text. Letters of one word are one step, and so
// is what is taken away in a row.
type editKind uint8

const (
	deedNone editKind = iota
	deedWord
	deedSpace
	deedCut
	deedWhole // a step by itself
)

// textState is a text with its caret.
type textState struct {
	text        string
	row, column int
}

// editHistory is how a text came about.
type editHistory struct {
	past, future []textState
	last         editKind
}

func newTextState(a *textarea.Model) textState {
	info := a.LineInfo()
	return textState{a.Value(), a.Line(), info.StartColumn + info.ColumnOffset}
}

// restoreText puts a text back, with its caret.
func restoreText(a *textarea.Model, m textState) {
	a.SetValue(m.text)
	for range strings.Count(m.text, "\n") + len(m.text) {
		if a.Line() <= m.row {
			break
		}
		a.CursorUp()
	}
	a.SetCursor(m.column)
}

// editKindOf is what a key will do.
func editKindOf(msg tea.KeyMsg) editKind {
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

// recordEdit changes the text by a key, and remembers what it was where a step
// begins. A key that only moves the caret ends the step.
func (tr *editHistory) recordEdit(a *textarea.Model, msg tea.KeyMsg, change func()) {
	before := newTextState(a)
	change()
	d := editKindOf(msg)
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

// undoEdit takes the last step back, and reports whether there was one.
func (tr *editHistory) undoEdit(a *textarea.Model) bool { return tr.moveStep(a, &tr.past, &tr.future) }

// redoEdit does it again.
func (tr *editHistory) redoEdit(a *textarea.Model) bool { return tr.moveStep(a, &tr.future, &tr.past) }

func (tr *editHistory) moveStep(a *textarea.Model, from, to *[]textState) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, newTextState(a))
	restoreText(a, (*from)[n-1])
	*from, tr.last = (*from)[:n-1], deedNone
	return true
}
