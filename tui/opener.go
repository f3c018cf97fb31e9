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
	"concord/tui/workshop"
)

// screenOpener opens the screens that other screens ask for.
type screenOpener struct {
	ctx    context.Context
	deps   *Deps
	nav    *screenStacks
	tabs   *tabScreens
	person *currentPerson
	pages  *pages
	drafts guideline.Drafts
}

// Update takes the messages by which screens ask for others, and reports whether it was one.
func (o *screenOpener) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenQueue:
		return o.tabs.openQueue(msg.Queue), true
	case home.OpenReport:
		if msg.Pairs {
			return o.tabs.showAgreement(msg.Queue), true
		}
		return o.tabs.showReport(msg.Run, msg.Queue), true
	case home.OpenVotes:
		o.tabs.enterReport()
		return o.tabs.report.ShowVotes(msg.Dataset), true
	case home.OpenSamples:
		return o.openSamples(samples.NewRunQuery(o.deps.Samples, msg.Run, msg.Title)), true
	case home.OpenJob:
		o.tabs.judging.OpenJob(msg.Job, msg.Errors)
		return o.nav.pushScreen(o.tabs.judging), true
	case home.NewVotes:
		o.tabs.judging.OpenForm(msg.Like)
		return o.nav.pushScreen(o.tabs.judging), true
	case judging.Started:
		return o.tabs.showStartedJob(msg), true
	case home.OpenAnswers:
		return o.openAnswers(msg), true
	case chosenFrom:
		return tea.Batch(msg.list.Update(msg.page), msg.list.Update(tea.KeyMsg{Type: tea.KeyEnter})), true
	case report.OpenSamples:
		return o.openSamples(o.newSamplesQuery(msg)), true
	case workshop.OpenAnswers:
		return o.openSamples(o.newSamplesQuery(report.NewChangesQuery(msg.Title, msg.Extractor, msg.Fixed, msg.Broken))), true
	case report.OpenPairs:
		return o.openPairs(msg), true
	case criteria.Named:
		return tea.Batch(o.person.workUnderName(msg.Who), o.nav.topScreen().Refresh()), true
	case curate.Named:
		return tea.Batch(o.person.workUnderName(msg.Who), o.tabs.curate.Enter()), true
	case named:
		return o.person.workUnderName(msg.who), true
	case chosen:
		return o.openReview(msg), true
	case wantCandidates, curate.OpenCompare:
		return o.openExpertDisagreements(), true
	case adjudicate.OpenCuration:
		return o.tabs.openCurationAdjudication(msg.Dataset), true
	case wantCompare:
		return o.openDisagreements(msg), true
	case annotation.OpenDisputed:
		return o.openDisputedCriteria(msg.Dataset), true
	case report.OpenDisputed:
		return o.openDisputedCriteria(""), true
	case label.OpenCompare:
		return o.openDisagreements(wantCompare{queue: msg.Queue}), true
	case report.OpenCompare:
		return o.openDisagreements(wantCompare{queue: msg.Queue}), true
	}
	return o.handleAddingMessage(msg)
}

// handleAddingMessage takes the messages by which something is added to the project.
func (o *screenOpener) handleAddingMessage(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenImport:
		return o.openImporter(), true
	case importer.Done:
		return o.closeImporter(), true
	case home.OpenConnect, importer.OpenConnect:
		return o.openEndpoints(), true
	case endpoint.Done:
		return o.returnToRunForm(msg), true
	case wantLabels:
		return o.openQueueForm("", 0), true
	case home.OpenNewQueue:
		return o.openQueueForm(msg.Dataset, msg.Run), true
	case newqueue.Made:
		return o.leaveQueueForm(msg), true
	case wantPairs:
		return o.openPairForm(), true
	case pairsMade:
		return o.leavePairForm(msg), true
	case annotation.OpenGuideline:
		return o.openGuideline(msg.Queue), true
	case secondlook.OpenItem:
		return o.openItemOfEntry(&msg.Entry), true
	case guideline.Written:
		return o.broadcastGuideline(msg), true
	case home.OpenWorkshop:
		if o.deps.findPageOfMessage(msg) == nil {
			return o.nav.can.notifyNotHere("prompts of judges are tried"), true
		}
	}
	return o.pages.Update(msg)
}

// openQueueForm opens the form of a queue to label, with what it begins with.
func (o *screenOpener) openQueueForm(d eval.DatasetName, run eval.RunID) tea.Cmd {
	if !o.nav.can.allows(annotate.MayMakeQueues) {
		return notifyNotAllowed("the owner")
	}
	if o.deps.NewQueues == nil {
		return widget.NotifyCmd(widget.Info, "no queues can be made here: the project is open read-only")
	}
	return o.nav.pushScreen(newqueue.New(o.ctx, newqueue.Deps{Theme: o.deps.Theme, Source: o.deps.NewQueues, Who: o.person.who, Dataset: d, Run: run}))
}

// leaveQueueForm leaves the form for the review of the queue that was made, if it is still open.
func (o *screenOpener) leaveQueueForm(msg newqueue.Made) tea.Cmd {
	told := widget.NotifyCmd(widget.Info, msg.Said)
	if _, waits := o.nav.topScreen().(*newqueue.Model); !waits {
		return tea.Batch(told, o.tabs.queues.readQueues())
	}
	o.nav.closeTopScreen()
	return tea.Batch(told, o.tabs.openQueue(msg.Queue), o.tabs.runs.Refresh())
}

// openGuideline opens the page of a queue's guideline upon the open tab.
func (o *screenOpener) openGuideline(q annotate.QueueName) tea.Cmd {
	if o.deps.Guidelines == nil {
		return widget.NotifyCmd(widget.Info, "guidelines cannot be looked at here beside their items")
	}
	barred := eval.Either(o.nav.can.allows(annotate.MayGuide), "", "guidelines are written by curators and owners of the project")
	return o.nav.pushScreen(guideline.New(o.ctx, guideline.Deps{
		Queue: q, Who: o.person.who, Barred: barred, Theme: o.deps.Theme, Source: o.deps.Guidelines, Drafts: &o.drafts, Now: o.deps.Now,
	}))
}

// broadcastGuideline tells every screen of a version that came into force.
func (o *screenOpener) broadcastGuideline(msg guideline.Written) tea.Cmd {
	cmd := o.tabs.broadcastMessage(msg)
	if msg.Err != nil {
		return tea.Batch(cmd, widget.NotifyCmd(widget.Problem, "NOT SAVED, the guideline of "+string(msg.Queue)+": "+msg.Err.Error()))
	}
	if !msg.Elsewhere {
		o.drafts.DropStored(msg.Queue, msg.Guideline.Text)
	}
	for _, stack := range o.nav.stacks {
		for _, s := range stack {
			if g, ok := s.(guide); ok {
				g.SetGuideline(msg.Queue, msg.Guideline)
			}
		}
	}
	said := fmt.Sprintf("version %d of the guideline of %s is in force", msg.Guideline.Version, msg.Queue)
	return tea.Batch(cmd, widget.NotifyCmd(widget.Info, said), o.tabs.queues.readQueues(), o.tabs.runs.Refresh())
}

// openExpertDisagreements opens the list of datasets whose experts differ, upon the open tab.
func (o *screenOpener) openExpertDisagreements() tea.Cmd {
	switch {
	case !o.nav.can.allows(annotate.MayAdjudicateCuration):
		return notifyNotAllowed("the adjudicators")
	case o.person.who == "":
		return widget.NotifyCmd(widget.Info, "to adjudicate, press "+o.nav.keys.FirstKeyText("v", keymap.Everywhere)+" and give your name")
	case o.deps.Compare == nil:
		return nil
	}
	return o.nav.pushScreen(o.deps.Compare("", o.person.who))
}

// openDisagreements opens the screen on which a queue's disagreements are looked into, upon the open
// tab. What is open of a queue is left: two sessions of one person would number their acts alike.
func (o *screenOpener) openDisagreements(want wantCompare) tea.Cmd {
	switch {
	case !o.nav.can.allows(annotate.MayAdjudicate):
		return notifyNotAllowed("the adjudicators")
	case want.pairs:
		return widget.NotifyCmd(widget.Info, "it holds pairs: how people and judges vote alike is in the report")
	case o.person.who == "":
		return widget.NotifyCmd(widget.Info, "to adjudicate, press "+o.nav.keys.FirstKeyText("v", keymap.Everywhere)+" and give your name")
	case o.deps.Compare == nil:
		return nil
	}
	o.tabs.closeQueueScreens()
	o.tabs.comparing, o.tabs.compared = o.deps.Compare(want.queue, o.person.who), want.queue
	return o.nav.pushScreen(o.tabs.comparing)
}

// openDisputedCriteria goes to the criteria of a dataset on which people differ.
func (o *screenOpener) openDisputedCriteria(d eval.DatasetName) tea.Cmd {
	o.tabs.criteria.OpenDisputed(d)
	return o.tabs.showTab(TabCriteria)
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

// openImporter opens the screen on which a file is chosen, previewed and brought in, over the runs.
func (o *screenOpener) openImporter() tea.Cmd {
	if o.deps.Begin == nil || !o.nav.can.allows(annotate.MayRun) {
		return o.nav.can.notifyNotHere("files are imported")
	}
	o.nav.tab = TabRuns
	o.nav.closeToFirst()
	return o.nav.pushScreen(importer.New(o.ctx, importer.Deps{Theme: o.deps.Theme, Source: o.deps.Begin, Open: true}))
}

func (o *screenOpener) closeImporter() tea.Cmd {
	o.tabs.report.MarkStale()
	for tab, stack := range o.nav.stacks {
		if _, ok := stack[len(stack)-1].(*importer.Model); ok {
			closeScreen(stack[len(stack)-1])
			o.nav.stacks[tab] = stack[: len(stack)-1 : len(stack)-1]
		}
	}
	return tea.Batch(o.nav.topScreen().Refresh(), o.tabs.runs.Refresh())
}

// openEndpoints opens the screen on which models are made known, upon the open tab.
func (o *screenOpener) openEndpoints() tea.Cmd {
	if !o.nav.can.allows(annotate.MayRun) {
		return notifyNotAllowed("the owner")
	}
	if o.deps.Connect == nil {
		return o.nav.can.notifyNotHere("models are made known")
	}
	return o.nav.pushScreen(endpoint.New(o.ctx, endpoint.Deps{Theme: o.deps.Theme, Source: o.deps.Connect}))
}

// returnToRunForm goes on to the run that the models were made known for, if somebody still waits for them.
func (o *screenOpener) returnToRunForm(msg endpoint.Done) tea.Cmd {
	told := widget.NotifyCmd(widget.Info, msg.Said)
	if _, waits := o.nav.topScreen().(*endpoint.Model); !waits {
		return told
	}
	o.nav.closeTopScreen()
	o.nav.tab = TabRuns
	o.nav.closeToFirst()
	return tea.Batch(told, o.tabs.runs.Refresh(), o.tabs.runs.OpenRunForm())
}
