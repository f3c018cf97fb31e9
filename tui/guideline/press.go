package guideline

import (
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/action"
	"concord/tui/form"
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
		on(keymap.Guideline.BindAction("older"), func() string { return action.WhyIf(m.at <= 0, "there is no older version") }, m.showVersion(-1)),
		on(keymap.Guideline.BindAction("newer"), func() string { return action.WhyIf(m.at >= len(m.history.Versions)-1, "this is the newest version") }, m.showVersion(1)),
		in(widget.SaveKey(), m.saveVersion),
		in(widget.NewBinding("ctrl+z", "back", "ctrl+z"), m.undoOrRedo((*form.Editor).Undo, "nothing was written before this")),
		in(widget.NewBinding("ctrl+y", "forth", "ctrl+y"), m.undoOrRedo((*form.Editor).Redo, "nothing to do again")),
		in(widget.NewBinding("esc", "leave, keep it", "esc"), func(string) tea.Cmd { return nil }),
	}
}

// undoOrRedo goes back or forth in what was written.
func (m *Model) undoOrRedo(goes func(*form.Editor) bool, none string) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if !goes(m.editor.Editor) {
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
	if e.HandleKey(msg, textRows(m)-1) {
		e.why = ""
		return m.keepLater()
	}
	return nil
}
