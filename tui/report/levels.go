package report

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

func (m *Model) pressLevels(msg tea.KeyMsg) {
	k := m.keys
	switch {
	case key.Matches(msg, k.toggle):
		m.unfold(func(open bool) bool { return !open })
	case key.Matches(msg, k.expand):
		m.unfold(func(bool) bool { return true })
	case key.Matches(msg, k.collapse):
		m.fold()
	case key.Matches(msg, k.all):
		m.toggleAll()
	}
}

// head is the line of the node that the cursor is in.
func (m *Model) head() (int, bool) {
	for i := m.at.At; i >= 0 && i < len(m.lines); i-- {
		if m.lines[i].name != "" {
			return i, true
		}
	}
	return 0, false
}

// unfold shows or hides the levels below the node that the cursor is in.
func (m *Model) unfold(to func(open bool) bool) {
	i, ok := m.head()
	if !ok || !m.lines[i].parent {
		return
	}
	if l := &m.lines[i]; to(l.open) != l.open {
		m.flip(l)
		m.rebuild()
	}
}

// flip changes whether the levels below a line are shown: open holds those
// that are not as they are before anybody asks.
func (m *Model) flip(l *line) { m.open[l.id] = !m.open[l.id] }

// fold hides the levels below, or goes to the level above when none are open.
func (m *Model) fold() {
	i, ok := m.head()
	if !ok {
		return
	}
	if m.lines[i].open {
		m.unfold(func(bool) bool { return false })
		return
	}
	for j := i - 1; j >= 0; j-- {
		if m.lines[j].depth < m.lines[i].depth && m.lines[j].name != "" {
			m.at.Set(j, len(m.lines), m.listHeight())
			return
		}
	}
}

// toggleAll hides every level when one is open, and else shows all.
func (m *Model) toggleAll() {
	if slices.ContainsFunc(m.lines, func(l line) bool { return l.open }) {
		m.flipAll(true)
		return
	}
	// Each round shows one level more.
	for before := -1; before != len(m.lines); {
		before = len(m.lines)
		m.flipAll(false)
	}
}

// flipAll flips the lines that are open, or those that are not.
func (m *Model) flipAll(open bool) {
	for i := range m.lines {
		if l := &m.lines[i]; l.parent && l.open == open {
			m.flip(l)
		}
	}
	m.rebuild()
}
