package adjudicate

import tea "github.com/charmbracelet/bubbletea"

// Click chooses the item that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	if m.desk == nil && m.listing && !m.experts && m.diffs.all != nil {
		m.diffs.at.Click(y-headLines-1, len(m.diffs.places), m.size.listHeight()-1)
	}
	return nil
}
