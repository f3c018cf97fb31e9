package adjudicate

import tea "github.com/charmbracelet/bubbletea"

// Click chooses the item that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	if m.desk == nil && m.listing && !m.experts && m.all != nil {
		m.at.Click(y-headLines-1, len(m.places), m.listHeight()-1)
	}
	return nil
}
