package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
)

// wheel moves as the arrow keys do.
func (m *Model) wheel(msg tea.MouseMsg) tea.Cmd {
	var key tea.KeyMsg
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		key = keymap.Msg("up")
	case tea.MouseButtonWheelDown:
		key = keymap.Msg("down")
	default:
		return nil
	}
	switch {
	case m.palette != nil && !m.quit.saving:
		return m.pressPalette(key)
	case m.place() == "" && !m.manual.open:
		return nil // the arrows go through fields there, and through answers
	}
	return m.act(key)
}
