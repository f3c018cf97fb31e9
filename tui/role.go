package tui

import (
	"github.com/charmbracelet/bubbles/key"
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
		return role.Owns()
	case TabReport:
		return role.Reports()
	case TabCriteria:
		return role.Curates()
	case TabCurate:
		return m.deps.Curate.Source != nil && role.Curates()
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

// offered leaves out the keys of what is not for the role.
func (l *lobby) offered(all []key.Binding) []key.Binding {
	var out []key.Binding
	for _, b := range all {
		switch name := b.Keys()[0]; {
		case (name == "l" || name == "c") && !l.role.Owns(), name == "w" && !l.role.Settles(), name == "r" && !l.role.Reports():
		default:
			out = append(out, b)
		}
	}
	return out
}
