package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/home"
	"concord/tui/team"
)

// teams takes the message by which the page of the team is asked for.
func (m *Model) teams(msg tea.Msg) (tea.Cmd, bool) {
	if _, ok := msg.(home.OpenPeople); ok {
		return m.team(), true
	}
	return nil, false
}

// team opens the page of the team over the runs.
func (m *Model) team() tea.Cmd {
	if !m.hasTeam() {
		return notYours("the owner")
	}
	m.tab = TabRuns
	if _, there := m.top().(*team.Model); there {
		return m.top().Refresh()
	}
	m.unwind()
	return m.push(team.New(m.ctx, team.Deps{Theme: m.theme, Source: m.deps.People, Who: m.who, Now: m.deps.Now}))
}
