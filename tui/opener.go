package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/adjudicate"
	"concord/tui/annotation"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/endpoint"
	"concord/tui/guideline"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/judging"
	"concord/tui/label"
	"concord/tui/newqueue"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/secondlook"
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
