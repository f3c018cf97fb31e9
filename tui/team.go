package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/team"
)

// team opens the page of the team over the runs.
func (o *opener) team() tea.Cmd {
	if !o.nav.can.team() {
		return notYours("the owner")
	}
	o.nav.tab = TabRuns
	if _, there := o.nav.top().(*team.Model); there {
		return o.nav.top().Refresh()
	}
	o.nav.unwind()
	return o.nav.push(team.New(o.ctx, team.Deps{Theme: o.deps.Theme, Source: o.deps.People, Who: o.person.who, Now: o.deps.Now}))
}
