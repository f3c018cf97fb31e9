package samples

import tea "github.com/charmbracelet/bubbletea"

// Click chooses the row that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	const above = 3 // the title, the lists, the headings
	if m.detail == nil && m.at.Click(y-above, len(m.rows), m.listHeight()-1) {
		return m.move(0)
	}
	return nil
}
