package vote

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
)

// order is the panes that tab goes through.
func (m *Model) order() []pane {
	out := []pane{firstPane}
	if m.apart {
		out = append(out, secondPane)
	}
	if p := m.Body(); p != nil {
		if g := m.geometry(p); !g.full && m.contextRows(g) < len(g.lines) {
			out = append(out, contextPane)
		}
	}
	return out
}

func (m *Model) contextRows(g geometry) int {
	_, rows := m.asked(g)
	return rows
}

func (m *Model) otherPane(string) tea.Cmd {
	order := m.order()
	m.focus = order[(slices.Index(order, m.focus)+1)%len(order)]
	return nil
}

// link switches between answers that scroll together and apart.
func (m *Model) link(string) tea.Cmd {
	p := m.Body()
	for _, n := range []pane{firstPane, secondPane} {
		m.top[n] = min(m.top[n], m.last(p, n))
	}
	m.apart = !m.apart
	if !m.apart {
		to := m.top[firstPane]
		if m.focus == secondPane {
			to, m.focus = m.top[secondPane], firstPane
		}
		m.top[firstPane], m.top[secondPane] = to, to
	}
	return nil
}

// guide opens and closes the guideline.
func (m *Model) guide(key string) tea.Cmd {
	m.top[panelPane] = 0
	return m.Guide.Toggle(key)
}

// scroll moves the pane that has the focus; a panel has it while it is open.
// Answers that scroll together do so until the longer one ends.
func (m *Model) scroll(key string) tea.Cmd {
	at, page := m.focus, max(1, m.Height/2-2)
	if m.Mode != annotation.Reading {
		at = panelPane
	}
	to := annotation.Scrolled(key, m.top[at], page)
	p := m.Body()
	switch at {
	case firstPane, secondPane:
		if p == nil {
			return nil
		}
		m.reach(p, to)
		if m.apart {
			m.top[at] = max(0, min(to, m.last(p, at)))
			return nil
		}
		to = max(0, min(to, max(m.last(p, firstPane), m.last(p, secondPane))))
		m.top[firstPane], m.top[secondPane] = to, to
	case contextPane:
		if p == nil {
			return nil
		}
		g := m.geometry(p)
		m.top[at] = max(0, min(to, len(g.lines)-m.contextRows(g)))
	case panelPane:
		m.top[at] = max(0, min(to, m.panelLast()))
	case panes:
	}
	return nil
}

// reach lays a very long answer out as far as it is to be shown.
func (m *Model) reach(p *pair, to int) {
	for i := range p.answers {
		if far := to + m.Height; p.answers[i].text != nil && far < 1<<20 {
			p.answers[i].text.Reach(far)
		}
	}
}

// last is the first line shown of an answer when its end is.
func (m *Model) last(p *pair, n pane) int {
	g := m.geometry(p)
	rows := [2]int{}
	rows[0], rows[1] = m.rows(g, max(0, g.main-m.above(g)))
	lines, _ := m.side(p, int(n)).len()
	return max(0, lines-max(0, rows[n]-1))
}

// above is how many lines stand above the answers.
func (m *Model) above(g geometry) int {
	if g.column {
		return 0
	}
	return m.high(g)
}
