package curate

import (
	tea "github.com/charmbracelet/bubbletea"
)

// startPlace opens the list of axes, at the one where the sample is.
func startPlace(m *Model, _ string) tea.Cmd {
	m.mode = placing
	m.axisForm.start()
	return m.ask("")
}
