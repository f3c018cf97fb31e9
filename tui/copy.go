package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// mostCopied is how many bytes are copied: terminals take no more of the
// sequence that carries them than about a hundred thousand.
const mostCopied = 70_000

// clipboard hands a text to the terminal, which does not say whether it took
// it; nil: there is no way.
type clipboard func(text string) tea.Cmd

// copy copies a text that is called what. What control characters it has are
// made visible: whoever pastes it into a shell runs nothing.
func (c clipboard) copy(what, text string) tea.Cmd {
	if c == nil {
		return send(widget.Notify{Level: widget.Info, Text: "this terminal cannot be asked to copy"})
	}
	said := "copied " + what
	text = widget.Clean(text)
	if len(text) > mostCopied {
		text = strings.ToValidUTF8(text[:mostCopied], "")
		said += ": its first " + widget.Count(mostCopied) + " bytes"
	}
	return tea.Batch(c(text), send(widget.Notify{Level: widget.Info, Text: said + ", if the terminal takes it"}))
}

// screen copies what is in front on a screen.
func (c clipboard) screen(s Screen) tea.Cmd {
	what, text := "", ""
	if from, ok := s.(Copier); ok && !s.Typing() {
		what, text = from.Copied()
	}
	if text == "" {
		return send(widget.Notify{Level: widget.Info, Text: "nothing is selected that can be copied"})
	}
	return c.copy(what, text)
}

// command says how a command is called, and has it copied where it can be.
func (c clipboard) command(cmd Command) tea.Cmd {
	text := "in a shell: " + cmd.Usage
	if c == nil {
		return send(widget.Notify{Level: widget.Info, Text: text})
	}
	return tea.Batch(c(cmd.Usage), send(widget.Notify{Level: widget.Info, Text: text + " (copied, if the terminal takes it)"}))
}
