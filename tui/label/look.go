package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
)

// guide opens and closes the guideline.
func (m *Model) guide(key string) tea.Cmd {
	m.item.top[panelPane] = 0
	return m.Guide.Toggle(key)
}

// fill gives the answer room of picture, question and options, or takes it
// back. It stays from item to item, and a line of the question and one of the
// options with it, so that nobody labels an answer to another one.
func (m *Model) fill(key string) tea.Cmd {
	m.item.space.Press(key)
	m.item.focus, m.item.top[questionPane] = answerPane, 0
	return m.Prepare()
}

func (m *Model) otherPane(string) tea.Cmd {
	if m.item.focus == answerPane {
		m.item.focus = questionPane
	} else {
		m.item.focus = answerPane
	}
	return nil
}

// scroll moves the pane that has the focus; a panel has it while it is open.
func (m *Model) scroll(key string) tea.Cmd {
	p := m.item.measure().focus
	if m.Mode != annotation.Reading {
		p = panelPane
	}
	to := annotation.Scrolled(key, m.item.top[p], max(1, m.Height/2-2))
	m.item.top[p] = m.item.clamp(p, to)
	return nil
}
