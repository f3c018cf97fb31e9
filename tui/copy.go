package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// mostCopied is how many bytes are copied: terminals take no more of the
// sequence that carries them than about a hundred thousand.
const mostCopied = 70_000

// copiesByLetter reports whether y copies here: on some screens it says
// something.
func (m *Model) copiesByLetter() bool { return keymap.Has(m.place(), "copy_this") }

// copyFront copies a problem that is shown, else what is in front.
func (m *Model) copyFront() tea.Cmd {
	if p := m.toasts.Problem(); p != "" {
		return m.copyText("the error", p)
	}
	return m.copyThis()
}

// copyThis copies what is in front.
func (m *Model) copyThis() tea.Cmd {
	what, text := "", ""
	if c, ok := m.top().(Copier); ok && !m.top().Typing() {
		what, text = c.Copied()
	}
	if text == "" {
		return m.notify(widget.Notify{Level: widget.Info, Text: "nothing is in front that can be copied"})
	}
	return m.copyText(what, text)
}

// copyText hands a text to the terminal, which does not say whether it took it.
// What control characters it has are made visible: whoever pastes it into a
// shell runs nothing.
func (m *Model) copyText(what, text string) tea.Cmd {
	if m.deps.Copy == nil {
		return m.notify(widget.Notify{Level: widget.Info, Text: "this terminal cannot be asked to copy"})
	}
	said := "copied " + what
	text = widget.Clean(text)
	if len(text) > mostCopied {
		text = strings.ToValidUTF8(text[:mostCopied], "")
		said += ": its first " + widget.Count(mostCopied) + " bytes"
	}
	return tea.Batch(m.deps.Copy(text), m.notify(widget.Notify{Level: widget.Info, Text: said + ", if the terminal takes it"}))
}
