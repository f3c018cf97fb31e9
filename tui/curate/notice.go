package curate

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

func notify(l widget.Level, text string) tea.Cmd {
	return func() tea.Msg { return widget.Notify{Level: l, Text: text} }
}
