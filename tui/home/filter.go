package home

import (
	tea "github.com/charmbracelet/bubbletea"
)

// applyFilter finds what the filter leaves of the lists.
func (m *projectBoard) applyFilter() {
	for f := range lists {
		m.listOf(f).applyFilter(m)
	}
	m.clampCursors()
	if !m.hasRows(m.focus) && (m.focus != atRuns || !m.filter.IsOn()) {
		if m.focus = atRuns; !m.hasRows(atRuns) {
			m.focus = atDatasets
		}
	}
}

// clampCursors keeps the cursors within the lists.
func (m *projectBoard) clampCursors() {
	for f := range lists {
		m.listOf(f).cursor().MoveBy(0, m.countShown(f), m.countShownRows(f))
	}
}

// pressFilter takes a key while the filter is typed: the lists follow.
func (m *projectBoard) pressFilter(msg tea.KeyMsg) tea.Cmd {
	if !m.filter.HandleKey(msg) {
		return nil
	}
	m.applyFilter()
	if m.focus == atRuns && m.countShown(atRuns) == 0 && m.filter.IsOn() { // to where something is left
		m.focusNext(false)
	}
	return m.readAnswers()
}

// clearFilter shows everything again, and reports whether there was a filter.
func (m *projectBoard) clearFilter() bool {
	was := m.filter.ClearText()
	m.applyFilter()
	return was
}
