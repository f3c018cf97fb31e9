package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/newqueue"
	"concord/tui/widget"
)

// newQueue opens the form of a queue to label, with what it begins with.
func (o *opener) newQueue(d eval.DatasetName, run eval.RunID) tea.Cmd {
	if !o.nav.can.allows(annotate.MayMakeQueues) {
		return notYours("the owner")
	}
	if o.deps.NewQueues == nil {
		return send(widget.Notify{Level: widget.Info, Text: "no queues can be made here: the project is open read-only"})
	}
	return o.nav.push(newqueue.New(o.ctx, newqueue.Deps{Theme: o.deps.Theme, Source: o.deps.NewQueues, Who: o.person.who, Dataset: d, Run: run}))
}

// queueMade leaves the form for the review of the queue that was made, if
// it is still open.
func (o *opener) queueMade(msg newqueue.Made) tea.Cmd {
	told := send(widget.Notify{Level: widget.Info, Text: msg.Said})
	if _, waits := o.nav.top().(*newqueue.Model); !waits {
		return tea.Batch(told, o.tabs.queues.reload())
	}
	o.nav.drop()
	return tea.Batch(told, o.tabs.openQueue(msg.Queue), o.tabs.runs.Refresh())
}
