package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// mouse takes what a mouse does: its wheel is the arrow keys, a click opens a
// tab or selects a row. It answers nothing, and does nothing while keys are
// text or a question stands: a hand that brushes the mouse changes nothing. The
// terminal sends these only where the configuration asks for a mouse.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	switch {
	case m.quit.saving || msg.Action != tea.MouseActionPress:
		return nil
	case msg.Button == tea.MouseButtonLeft:
		return m.click(msg.X, msg.Y)
	}
	return m.wheel(msg)
}

func (m *Model) click(x, y int) tea.Cmd {
	if m.finder.isOpen() || m.manual.open || m.nav.place() == "" || widget.TooSmall(m.width, m.height) != "" {
		return nil
	}
	if y == 0 && headerLines(m.height) > 1 {
		if t, ok := m.banner().tabAt(x); ok {
			return m.tabs.jump(t)
		}
		return nil
	}
	if c, ok := m.nav.top().(Clicker); ok && y >= headerLines(m.height) && y < headerLines(m.height)+m.bodyHeight() {
		return c.Click(x, y-headerLines(m.height))
	}
	return nil
}

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
	case m.finder.isOpen() && !m.quit.saving:
		return m.pressPalette(key)
	case m.nav.place() == "" && !m.manual.open:
		return nil // the arrows go through fields there, and through answers
	}
	return m.act(key, false)
}
