package runs

import tea "github.com/charmbracelet/bubbletea"

// Click chooses the row of one of the lists that is drawn at a line.
func (m *Model) Click(x, y int) tea.Cmd {
	if m.page.open || x >= m.listWidth() {
		return nil
	}
	const above = 2 // of each list: its title, its headings
	between := 0
	if m.wide() {
		between = 1
	}
	if m.runAt.Click(y-above, len(m.rows), m.listHeight()-above) {
		m.focus = atRuns
		return m.look()
	}
	y -= m.listHeight() + between
	if len(m.jobs) > 0 {
		if m.jobAt.Click(y-above, len(m.jobs), m.jobHeight()-above) {
			m.focus = atJobs
			return nil
		}
		y -= m.jobHeight() + between
	}
	if m.queueAt.Click(y-above, len(m.queues), m.queueHeight()-above) {
		m.focus = atQueues
	}
	return nil
}
