package criteria

import tea "github.com/charmbracelet/bubbletea"

// Click chooses the sample or group that is drawn at a line of the list.
func (m *Model) Click(_, y int) tea.Cmd {
	if m.reader.here() == onList {
		m.browser.list.cursor.Click(y-headLines, len(m.browser.list.lines), m.listHeight())
	}
	return nil
}
