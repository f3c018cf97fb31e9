package home

import (
	tea "github.com/charmbracelet/bubbletea"
)

// sift finds what the filter leaves of the lists.
func (m *board) sift() {
	for f := range lists {
		m.listOf(f).sift(m)
	}
	m.hold()
	if !m.has(m.focus) && (m.focus != atRuns || !m.filter.On()) {
		if m.focus = atRuns; !m.has(atRuns) {
			m.focus = atDatasets
		}
	}
}

// hold keeps the cursors within the lists.
func (m *board) hold() {
	for f := range lists {
		m.listOf(f).cursor().Move(0, m.count(f), m.shownRows(f))
	}
}

// pressFilter takes a key while the filter is typed: the lists follow.
func (m *board) pressFilter(msg tea.KeyMsg) tea.Cmd {
	if !m.filter.Press(msg) {
		return nil
	}
	m.sift()
	if m.focus == atRuns && m.count(atRuns) == 0 && m.filter.On() { // to where something is left
		m.turnFocus(false)
	}
	return m.look()
}

// unfilter shows everything again, and reports whether there was a filter.
func (m *board) unfilter() bool {
	was := m.filter.Clear()
	m.sift()
	return was
}
