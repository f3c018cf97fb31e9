package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/home"
	"concord/tui/newqueue"
	"concord/tui/widget"
)

// enrols takes the messages by which queues are made.
func (m *Model) enrols(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case wantLabels:
		return m.enrol("", 0), true
	case home.OpenEnrol:
		return m.enrol(msg.Dataset, msg.Run), true
	case pairsMade:
		return m.pairsMade(msg), true
	case newqueue.Made:
		return m.enrolled(msg), true
	}
	return m.guides(msg)
}

// enrol opens the form of a queue to label, with what it begins with.
func (m *Model) enrol(d eval.DatasetName, run eval.RunID) tea.Cmd {
	if !m.may().May(annotate.MayMakeQueues) {
		return notYours("the owner")
	}
	if m.deps.Enrol == nil {
		return send(widget.Notify{Level: widget.Info, Text: "no queues can be made here: the project is open for reading"})
	}
	return m.push(newqueue.New(m.ctx, newqueue.Deps{Theme: m.theme, Source: m.deps.Enrol, Who: m.who, Dataset: d, Run: run}))
}

// enrolled leaves the form for the review of the queue that was made, if
// somebody still waits for it.
func (m *Model) enrolled(msg newqueue.Made) tea.Cmd {
	told := send(widget.Notify{Level: widget.Info, Text: msg.Said})
	if _, waits := m.top().(*newqueue.Model); !waits {
		return tea.Batch(told, m.lobby.reload())
	}
	m.drop()
	return tea.Batch(told, m.openQueue(msg.Queue), m.runs.Refresh())
}
