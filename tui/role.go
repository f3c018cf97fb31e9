package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// guest reports whether the person came in as somebody with a role: they stay
// who they are, and are offered what the role needs. Whoever opens the file may
// do everything, as anybody.
func (m *Model) guest() bool { return m.deps.Role != annotate.RoleUnset }

// may is the role that decides what is offered.
func (m *Model) may() annotate.Role {
	if !m.guest() {
		return annotate.RoleOwner
	}
	return m.deps.Role
}

// has reports whether there is a tab.
func (m *Model) has(t Tab) bool {
	role := m.may()
	switch t {
	case TabRuns:
		return role.May(annotate.MayRun)
	case TabReport:
		return role.May(annotate.MayReadReports)
	case TabCriteria:
		return role.May(annotate.MayWriteCriteria)
	case TabCurate:
		return m.deps.Curate.Source != nil && (role.May(annotate.MayCurate) || role.May(annotate.MaySettleCuration))
	case TabReview, tabCount:
	}
	return true
}

// home is the tab at the bottom of all.
func (m *Model) home() Tab {
	if m.has(TabRuns) {
		return TabRuns
	}
	return TabReview
}

// notYours says whose an action is.
func notYours(whose string) tea.Cmd {
	return send(widget.Notify{Level: widget.Info, Text: "that is for " + whose + " of the project"})
}

// notHere says where something is done that reads or writes the files of the
// machine that holds the project.
func (m *Model) notHere(what string) tea.Cmd {
	why := "nothing can be added here: the project is open for reading"
	if m.guest() {
		why = what + " on the machine that holds the project, and not from elsewhere"
	}
	return send(widget.Notify{Level: widget.Info, Text: why})
}

// beside is the next tab that there is, forth or back.
func (m *Model) beside(by Tab) Tab {
	t := (m.tab + by) % tabCount
	for !m.has(t) {
		t = (t + by) % tabCount
	}
	return t
}

// stack is the open tab's screens; the last one is seen.
func (m *Model) stack() []Screen { return m.stacks[m.tab] }

// top is the screen that is seen.
func (m *Model) top() Screen { return m.stack()[len(m.stack())-1] }

// hasTeam reports whether there is a page of the team, and for this person.
func (m *Model) hasTeam() bool { return m.deps.People != nil && m.may().May(annotate.MayManagePeople) }
