package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/adjudicate"
	"concord/tui/annotation"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/endpoint"
	"concord/tui/guideline"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/judging"
	"concord/tui/keymap"
	"concord/tui/label"
	"concord/tui/newqueue"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/secondlook"
	"concord/tui/widget"
)

// opener opens the screens that other screens ask for.
type opener struct {
	ctx    context.Context
	deps   *Deps
	nav    *navigation
	tabs   *tabs
	person *person
	pages  *pages
	drafts guideline.Drafts
}

// Update takes the messages by which screens ask for others, and reports
// whether it was one.
func (o *opener) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenQueue:
		return o.tabs.openQueue(msg.Queue), true
	case home.OpenReport:
		if msg.Pairs {
			return o.tabs.showAgreement(msg.Queue), true
		}
		return o.tabs.showReport(msg.Run, msg.Queue), true
	case home.OpenVotes:
		return o.tabs.showVotes(msg.Dataset), true
	case home.OpenSamples:
		return o.openSamples(samples.OfRun(o.deps.Samples, msg.Run, msg.Title)), true
	case home.OpenJob:
		o.tabs.judging.Open(msg.Job, msg.Errors)
		return o.nav.push(o.tabs.judging), true
	case home.NewVotes:
		o.tabs.judging.OpenForm(msg.Like)
		return o.nav.push(o.tabs.judging), true
	case judging.Started:
		return o.tabs.startedVotes(msg), true
	case home.OpenAnswers:
		return o.openAnswers(msg), true
	case chosenFrom:
		return msg.open(), true
	case report.OpenSamples:
		return o.openSamples(o.behind(msg)), true
	case report.OpenPairs:
		return o.openPairs(msg), true
	case criteria.Named:
		return tea.Batch(o.person.named(msg.Who), o.nav.top().Refresh()), true
	case curate.Named:
		return tea.Batch(o.person.named(msg.Who), o.tabs.curate.Enter()), true
	case named:
		return o.person.named(msg.who), true
	case chosen:
		return o.review(msg), true
	case wantCandidates, curate.OpenCompare:
		return o.candidates(), true
	case adjudicate.OpenCuration:
		return o.tabs.settleCuration(msg.Dataset), true
	case wantCompare:
		return o.compare(msg), true
	case annotation.OpenDisputed:
		return o.disputed(msg.Dataset), true
	case report.OpenDisputed:
		return o.disputed(""), true
	case label.OpenCompare:
		return o.compare(wantCompare{queue: msg.Queue}), true
	case report.OpenCompare:
		return o.compare(wantCompare{queue: msg.Queue}), true
	}
	return o.makes(msg)
}

// makes takes the messages by which something is added to the project.
func (o *opener) makes(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenImport:
		return o.importFile(), true
	case importer.Done:
		return o.begun(), true
	case home.OpenConnect, importer.OpenConnect:
		return o.connect(), true
	case endpoint.Done:
		return o.connected(msg), true
	case wantLabels:
		return o.newQueue("", 0), true
	case home.OpenNewQueue:
		return o.newQueue(msg.Dataset, msg.Run), true
	case newqueue.Made:
		return o.queueMade(msg), true
	case wantPairs:
		return o.pair(), true
	case pairsMade:
		return o.pairsMade(msg), true
	case annotation.OpenGuideline:
		return o.guideline(msg.Queue), true
	case secondlook.OpenItem:
		return o.openItem(&msg.Entry), true
	case guideline.Written:
		return o.guided(msg), true
	}
	return o.pages.Update(msg)
}

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

// disputed goes to the criteria of a dataset on which people differ.
func (o *opener) disputed(d eval.DatasetName) tea.Cmd {
	o.tabs.criteria.OpenDisputed(d)
	return o.tabs.show(TabCriteria)
}

// wantCompare asks for what people and machines read differently in a queue.
type wantCompare struct {
	queue annotate.QueueName
	pairs bool
}

// wantCandidates asks for what experts differ on, of whatever dataset.
type wantCandidates struct{}

// wantLabels asks for a new queue of predictions to label.
type wantLabels struct{}

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

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
