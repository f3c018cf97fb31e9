package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// candidates opens the list of datasets whose experts differ, upon the open tab.
func (o *opener) candidates() tea.Cmd {
	switch {
	case !o.nav.can.allows(annotate.MayAdjudicateCuration):
		return notYours("the adjudicators")
	case o.person.who == "":
		return send(widget.Notify{Level: widget.Info, Text: "to adjudicate, press " + o.nav.keys.First("v", keymap.Everywhere) + " and give your name"})
	case o.deps.Compare == nil:
		return nil
	}
	return o.nav.push(o.deps.Compare("", o.person.who))
}

// compare opens the screen on which a queue's disagreements are looked into,
// upon the open tab. What is open of a queue is left: two sessions of one
// person would number their acts alike.
func (o *opener) compare(want wantCompare) tea.Cmd {
	switch {
	case !o.nav.can.allows(annotate.MayAdjudicate):
		return notYours("the adjudicators")
	case want.pairs:
		return send(widget.Notify{Level: widget.Info, Text: "it holds pairs: how people and judges vote alike is in the report"})
	case o.person.who == "":
		return send(widget.Notify{Level: widget.Info, Text: "to adjudicate, press " + o.nav.keys.First("v", keymap.Everywhere) + " and give your name"})
	case o.deps.Compare == nil:
		return nil
	}
	o.tabs.leaveQueues()
	o.tabs.comparing, o.tabs.compared = o.deps.Compare(want.queue, o.person.who), want.queue
	return o.nav.push(o.tabs.comparing)
}
