package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/begin"
	"concord/tui/runs"
)

// begins takes the messages by which files are brought in.
func (m *Model) begins(msg tea.Msg) (tea.Cmd, bool) {
	switch msg.(type) {
	case runs.OpenImport:
		return m.importFile(), true
	case begin.Done:
		return m.begun(), true
	}
	return m.enrols(msg)
}

// importFile opens the screen on which a file is chosen, previewed and brought
// in, over the runs.
func (m *Model) importFile() tea.Cmd {
	if m.deps.Begin == nil {
		return nil
	}
	m.tab = TabRuns
	m.unwind()
	return m.push(begin.New(m.ctx, begin.Deps{Theme: m.theme, Source: m.deps.Begin, Open: true}))
}

// begun leaves that screen.
func (m *Model) begun() tea.Cmd {
	m.report.Stale()
	for tab, stack := range m.stacks {
		if _, ok := stack[len(stack)-1].(*begin.Model); ok {
			putAway(stack[len(stack)-1])
			m.stacks[tab] = stack[: len(stack)-1 : len(stack)-1]
		}
	}
	return tea.Batch(m.top().Refresh(), m.runs.Refresh())
}
