package home

import tea "github.com/charmbracelet/bubbletea"

// Click chooses the row of one of the lists that is drawn at a line.
func (m *Model) Click(x, y int) tea.Cmd {
	if m.side.page.open || x >= m.listWidth() {
		return nil
	}
	between := 0
	if m.wide() {
		between = 1
	}
	for f := range lists {
		high := m.high(f)
		if high == 0 {
			continue
		}
		if m.cursor(f).Click(y-above, count(m.board, f), high-above) {
			m.focus = f
			if f == atRuns {
				return m.look()
			}
			return nil
		}
		y -= high + between
	}
	return nil
}
