package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/guideline"
	"concord/tui/widget"
)

// guideline opens the page of a queue's guideline upon the open tab.
func (o *opener) guideline(q annotate.QueueName) tea.Cmd {
	if o.deps.Guidelines == nil {
		return send(widget.Notify{Level: widget.Info, Text: "guidelines cannot be looked at here beside their items"})
	}
	barred := ""
	if !o.nav.can.allows(annotate.MayGuide) {
		barred = "guidelines are written by curators and owners of the project"
	}
	return o.nav.push(guideline.New(o.ctx, guideline.Deps{
		Queue: q, Who: o.person.who, Barred: barred, Theme: o.deps.Theme, Source: o.deps.Guidelines, Drafts: &o.drafts, Now: o.deps.Now,
	}))
}

// guided tells every screen of a version that came into force.
func (o *opener) guided(msg guideline.Written) tea.Cmd {
	cmd := o.tabs.broadcast(msg)
	if msg.Err != nil {
		return tea.Batch(cmd, send(widget.Notify{Level: widget.Problem, Text: "NOT SAVED, the guideline of " + string(msg.Queue) + ": " + msg.Err.Error()}))
	}
	if !msg.Elsewhere {
		o.drafts.Stored(msg.Queue, msg.Guideline.Text)
	}
	for _, stack := range o.nav.stacks {
		for _, s := range stack {
			if g, ok := s.(guide); ok {
				g.Guided(msg.Queue, msg.Guideline)
			}
		}
	}
	said := fmt.Sprintf("version %d of the guideline of %s is in force", msg.Guideline.Version, msg.Queue)
	return tea.Batch(cmd, send(widget.Notify{Level: widget.Info, Text: said}), o.tabs.queues.reload(), o.tabs.runs.Refresh())
}
