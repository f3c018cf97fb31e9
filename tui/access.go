package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/widget"
)

// access tells what of the app is offered to the person at it.
type access struct {
	role     annotate.Role // of a guest; unset: everything may be done
	curation bool          // there is something to curate
}

// guest reports whether the person came in as somebody with a role: they stay
// who they are, and are offered what the role needs. Whoever opens the file may
// do everything, as anybody.
func (a access) guest() bool { return a.role != annotate.RoleUnset }

// may is the role that decides what is offered.
func (a access) may() annotate.Role {
	if !a.guest() {
		return annotate.RoleOwner
	}
	return a.role
}

// allows reports whether the person may do something.
func (a access) allows(p annotate.Permission) bool { return a.may().May(p) }

// has reports whether there is a tab.
func (a access) has(t Tab) bool {
	role := a.may()
	switch t {
	case TabRuns:
		return role.May(annotate.MayRun)
	case TabReport:
		return role.May(annotate.MayReadReports)
	case TabCriteria:
		return role.May(annotate.MayWriteCriteria)
	case TabCurate:
		return a.curation && (role.May(annotate.MayCurate) || role.May(annotate.MayAdjudicateCuration))
	case TabReview, tabCount:
	}
	return true
}

// home is the tab at the bottom of all.
func (a access) home() Tab {
	if a.has(TabRuns) {
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
func (a access) notHere(what string) tea.Cmd {
	why := "nothing can be added here: the project is open read-only"
	if a.guest() {
		why = what + " on the machine that holds the project, and not from elsewhere"
	}
	return send(widget.Notify{Level: widget.Info, Text: why})
}
