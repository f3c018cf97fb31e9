package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/endpoint"
	"concord/tui/importer"
	"concord/tui/widget"
)

// importFile opens the screen on which a file is chosen, previewed and brought
// in, over the runs.
func (o *opener) importFile() tea.Cmd {
	if o.deps.Begin == nil || !o.nav.can.allows(annotate.MayRun) {
		return o.nav.can.notHere("files are imported")
	}
	o.nav.tab = TabRuns
	o.nav.unwind()
	return o.nav.push(importer.New(o.ctx, importer.Deps{Theme: o.deps.Theme, Source: o.deps.Begin, Open: true}))
}

// begun leaves that screen.
func (o *opener) begun() tea.Cmd {
	o.tabs.report.Stale()
	for tab, stack := range o.nav.stacks {
		if _, ok := stack[len(stack)-1].(*importer.Model); ok {
			putAway(stack[len(stack)-1])
			o.nav.stacks[tab] = stack[: len(stack)-1 : len(stack)-1]
		}
	}
	return tea.Batch(o.nav.top().Refresh(), o.tabs.runs.Refresh())
}

// connect opens the screen on which models are made known, upon the open tab.
func (o *opener) connect() tea.Cmd {
	if !o.nav.can.allows(annotate.MayRun) {
		return notYours("the owner")
	}
	if o.deps.Connect == nil {
		return o.nav.can.notHere("models are made known")
	}
	return o.nav.push(endpoint.New(o.ctx, endpoint.Deps{Theme: o.deps.Theme, Source: o.deps.Connect}))
}

// connected goes on to the run that the models were made known for, if
// somebody still waits for them.
func (o *opener) connected(msg endpoint.Done) tea.Cmd {
	told := send(widget.Notify{Level: widget.Info, Text: msg.Said})
	if _, waits := o.nav.top().(*endpoint.Model); !waits {
		return told
	}
	o.nav.drop()
	o.nav.tab = TabRuns
	o.nav.unwind()
	return tea.Batch(told, o.tabs.runs.Refresh(), o.tabs.runs.NewRun())
}
