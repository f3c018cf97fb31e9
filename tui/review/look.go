package review

import (
	tea "github.com/charmbracelet/bubbletea"
)

// zoom lets the picture fill the screen.
func (m *Model) zoom(string) tea.Cmd {
	m.mode = zooming
	return m.draw(m.page())
}

func (m *Model) unzoom(string) tea.Cmd {
	m.mode = reading
	return nil
}

func (m *Model) nextPicture(string) tea.Cmd {
	m.picture = (m.picture + 1) % len(m.page().pictures)
	return m.draw(m.page())
}

// guide opens and closes the guideline.
func (m *Model) guide(string) tea.Cmd {
	if m.mode == guiding {
		m.mode = reading
	} else {
		m.mode, m.top[panelPane] = guiding, 0
	}
	return nil
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
	if m.mode != reading {
		p = panelPane
	}
	page := max(1, m.height/2-2)
	to := m.top[p]
	switch key {
	case "j", "down":
		to++
	case "k", "up":
		to--
	case "pgdown", "ctrl+d":
		to += page
	case "pgup", "ctrl+u":
		to -= page
	case "g", "home":
		to = 0
	case "e", "end":
		to = 1 << 30
	}
	m.top[p] = m.clamp(p, to)
	return nil
}

// clamp brings a scroll position to where a pane's last page is full. An
// answer that is not laid out that far is laid out to there.
func (m *Model) clamp(p pane, to int) int {
	rows, lines := 0, 0
	switch v := m.measure(); p {
	case answerPane:
		pg := m.page()
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
