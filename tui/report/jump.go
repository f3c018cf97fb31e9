package report

import tea "github.com/charmbracelet/bubbletea"

// Pages are the names of all figures that the screen shows.
func (m *Model) Pages() []string {
	out := make([]string, m.sections())
	for s := range m.sections() {
		out[s] = m.nameOf(s)
	}
	return out
}

// ShowPage goes to figures by their name.
func (m *Model) ShowPage(name string) tea.Cmd {
	for s := range m.sections() {
		if m.nameOf(s) == name {
			m.wanted, m.finding = 0, nil
			return m.goTo(s)
		}
	}
	return nil
}
