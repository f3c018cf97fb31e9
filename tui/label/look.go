package label

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
)

// guide opens and closes the guideline.
func (m *Model) guide(key string) tea.Cmd {
	m.top[panelPane] = 0
	return m.Guide.Toggle(key)
}

// fill gives the answer room of picture, question and options, or takes it
// back. It stays from item to item, and a line of the question and one of the
// options with it, so that nobody labels an answer to another one.
func (m *Model) fill(key string) tea.Cmd {
	m.space.Press(key)
	m.focus, m.top[questionPane] = answerPane, 0
	return m.Prepare()
}

func (m *Model) otherPane(string) tea.Cmd {
	if m.focus == answerPane {
		m.focus = questionPane
	} else {
		m.focus = answerPane
	}
	return nil
}

// scroll moves the pane that has the focus; a panel has it while it is open.
func (m *Model) scroll(key string) tea.Cmd {
	p := m.measure().focus
	if m.Mode != annotation.Reading {
		p = panelPane
	}
	to := annotation.Scrolled(key, m.top[p], max(1, m.Height/2-2))
	m.top[p] = m.clamp(p, to)
	return nil
}

// clamp brings a scroll position to where a pane's last page is full. An
// answer that is not laid out that far is laid out to there.
func (m *Model) clamp(p pane, to int) int {
	rows, lines := 0, 0
	switch v := m.measure(); p {
	case answerPane:
		pg := m.Body()
		if pg == nil || pg.text == nil {
			return 0
		}
		rows = v.answer
		if far := to + rows; far < 1<<20 {
			pg.text.Reach(far)
		}
		lines, _ = pg.text.Len()
	case questionPane:
		rows, lines = v.question, v.questionLines
	case panelPane:
		rows, lines = v.panel, v.panelLines
	case panes:
	}
	return max(0, min(to, lines-rows))
}
