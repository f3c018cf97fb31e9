package vote

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/annotation"
)

func (m *Model) otherPane(string) tea.Cmd {
	order := m.pair.order()
	m.pair.focus = order[(slices.Index(order, m.pair.focus)+1)%len(order)]
	return nil
}

// link switches between answers that scroll together and apart.
func (m *Model) link(string) tea.Cmd {
	p := m.Body()
	for _, n := range []pane{firstPane, secondPane} {
		m.pair.top[n] = min(m.pair.top[n], m.pair.last(p, n))
	}
	m.pair.apart = !m.pair.apart
	if !m.pair.apart {
		to := m.pair.top[firstPane]
		if m.pair.focus == secondPane {
			to, m.pair.focus = m.pair.top[secondPane], firstPane
		}
		m.pair.top[firstPane], m.pair.top[secondPane] = to, to
	}
	return nil
}

// guide opens and closes the guideline.
func (m *Model) guide(key string) tea.Cmd {
	m.pair.top[panelPane] = 0
	return m.Guide.Toggle(key)
}

// scroll moves the pane that has the focus; a panel has it while it is open.
// Answers that scroll together do so until the longer one ends.
func (m *Model) scroll(key string) tea.Cmd {
	at, page := m.pair.focus, max(1, m.Height/2-2)
	if m.Mode != annotation.Reading {
		at = panelPane
	}
	to := annotation.Scrolled(key, m.pair.top[at], page)
	p := m.Body()
	switch at {
	case firstPane, secondPane:
		if p == nil {
			return nil
		}
		m.pair.reach(p, to)
		if m.pair.apart {
			m.pair.top[at] = max(0, min(to, m.pair.last(p, at)))
			return nil
		}
		to = max(0, min(to, max(m.pair.last(p, firstPane), m.pair.last(p, secondPane))))
		m.pair.top[firstPane], m.pair.top[secondPane] = to, to
	case contextPane:
		if p == nil {
			return nil
		}
		g := m.pair.geometry(p)
		m.pair.top[at] = max(0, min(to, len(g.lines)-m.pair.contextRows(g)))
	case panelPane:
		m.pair.top[at] = max(0, min(to, m.pair.panelLast()))
	case panes:
	}
	return nil
}
