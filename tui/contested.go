package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// candidates opens the list of datasets whose experts differ, upon the open tab.
func (m *Model) candidates() tea.Cmd {
	switch {
	case !m.may().May(annotate.MaySettleCuration):
		return notYours("the adjudicators")
	case m.who == "":
		return send(widget.Notify{Level: widget.Info, Text: "who settles it? press " + m.deps.Keys.First("v", keymap.Everywhere) + " and give your name"})
	case m.deps.Compare == nil:
		return nil
	}
	return m.push(m.deps.Compare("", m.who))
}

// settleCuration goes to the desk on which what experts differ on in a dataset
// is settled.
func (m *Model) settleCuration(d eval.DatasetName) tea.Cmd {
	if !m.has(TabCurate) || !m.may().May(annotate.MaySettleCuration) {
		return notYours("the adjudicators")
	}
	m.tab = TabCurate
	m.unwind()
	m.curate.Settle(d)
	return m.curate.Enter()
}

// compare opens the screen on which a queue's disagreements are looked into,
// upon the open tab. What is open of a queue is left: two sessions of one
// person would number their acts alike.
func (m *Model) compare(want wantCompare) tea.Cmd {
	switch {
	case !m.may().May(annotate.MayAdjudicate):
		return notYours("the adjudicators")
	case want.pairs:
		return send(widget.Notify{Level: widget.Info, Text: "it holds pairs: how people and judges vote alike is in the report"})
	case m.who == "":
		return send(widget.Notify{Level: widget.Info, Text: "who settles it? press " + m.deps.Keys.First("v", keymap.Everywhere) + " and give your name"})
	case m.deps.Compare == nil:
		return nil
	}
	m.leaveQueues()
	m.comparing, m.compared = m.deps.Compare(want.queue, m.who), want.queue
	return m.push(m.comparing)
}

// leaveQueues leaves the screens on which a queue is worked through, on
// whatever tab.
func (m *Model) leaveQueues() {
	tab := m.tab
	m.tab = TabReview
	m.unwind()
	for t := range m.stacks {
		if m.comparing != nil && slices.Contains(m.stacks[t], m.comparing) {
			m.tab = Tab(t)
			m.unwind()
		}
	}
	m.tab, m.comparing = tab, nil
}
