package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/endpoint"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/widget"
)

// begins takes the messages by which files are brought in.
func (m *Model) begins(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenImport:
		return m.importFile(), true
	case home.OpenConnect, importer.OpenConnect:
		return m.connect(), true
	case endpoint.Done:
		return m.connected(msg), true
	case importer.Done:
		return m.begun(), true
	}
	return m.enrols(msg)
}

// importFile opens the screen on which a file is chosen, previewed and brought
// in, over the runs.
func (m *Model) importFile() tea.Cmd {
	if m.deps.Begin == nil || !m.may().May(annotate.MayRun) {
		return m.notHere("files are imported")
	}
	m.tab = TabRuns
	m.unwind()
	return m.push(importer.New(m.ctx, importer.Deps{Theme: m.theme, Source: m.deps.Begin, Open: true}))
}

// begun leaves that screen.
func (m *Model) begun() tea.Cmd {
	m.report.Stale()
	for tab, stack := range m.stacks {
		if _, ok := stack[len(stack)-1].(*importer.Model); ok {
			putAway(stack[len(stack)-1])
			m.stacks[tab] = stack[: len(stack)-1 : len(stack)-1]
		}
	}
	return tea.Batch(m.top().Refresh(), m.runs.Refresh())
}

// connect opens the screen on which models are made known, upon the open tab.
func (m *Model) connect() tea.Cmd {
	if !m.may().May(annotate.MayRun) {
		return notYours("the owner")
	}
	if m.deps.Connect == nil {
		return m.notHere("models are made known")
	}
	return m.push(endpoint.New(m.ctx, endpoint.Deps{Theme: m.theme, Source: m.deps.Connect}))
}

// connected goes on to the run that the models were made known for, if
// somebody still waits for them.
func (m *Model) connected(msg endpoint.Done) tea.Cmd {
	told := send(widget.Notify{Level: widget.Info, Text: msg.Said})
	if _, waits := m.top().(*endpoint.Model); !waits {
		return told
	}
	m.drop()
	m.tab = TabRuns
	m.unwind()
	return tea.Batch(told, m.runs.Refresh(), m.runs.NewRun())
}
