package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/adjudicate"
	"concord/tui/criteria"
	"concord/tui/curate"
	"concord/tui/home"
	"concord/tui/judging"
	"concord/tui/keymap"
	"concord/tui/label"
	"concord/tui/report"
	"concord/tui/samples"
	"concord/tui/widget"
)

var _ tea.Model = (*Model)(nil)

// New makes the app. ctx ends its commands; whoever runs the app cancels it
// afterwards.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Model{ctx: ctx, deps: d, theme: d.Theme, keys: newKeys()}
	m.runs = home.New(ctx, d.Theme, home.Deps{Import: d.Begin != nil, Team: d.People != nil, Source: d.Runs, Control: d.Control, Starter: d.Starter, Now: d.Now, Jobs: d.Duels.Source, Arbiter: d.Duels.Control})
	m.toasts.Copy = d.Keys.Of("alt+y", keymap.Everywhere)
	d.Duels.Theme, d.Duels.Now = d.Theme, d.Now
	m.duels = judging.New(ctx, d.Duels)
	m.lobby = newLobby(ctx, d.Theme, d.Runs)
	m.lobby.role = m.may()
	m.report = report.New(ctx, d.Theme, d.Report, d.Now)
	d.Criteria.Theme, d.Criteria.Now = d.Theme, d.Now
	m.criteria = criteria.New(ctx, d.Criteria)
	m.criteria.Open(d.Start.Dataset)
	d.Curate.Theme, d.Curate.Now = d.Theme, d.Now
	d.Curate.Apart, d.Curate.Only = !m.may().May(annotate.MaySettleCuration), !m.may().May(annotate.MayCurate)
	m.curate = curate.New(ctx, d.Curate)
	m.curate.Open(d.Start.Dataset)
	m.stacks = [tabCount][]Screen{TabRuns: {m.runs}, TabReview: {m.lobby}, TabReport: {m.report}, TabCriteria: {m.criteria}, TabCurate: {m.curate}}
	for _, stack := range m.stacks {
		m.spell(stack[0])
	}
	m.setAnnotator(d.Annotator)
	if d.Start.Drafts != nil {
		m.drafts = *d.Start.Drafts
	}
	m.tab = m.home()
	return m
}

// Init starts to read and to wait for news.
func (m *Model) Init() tea.Cmd {
	start := m.deps.Start
	cmds := []tea.Cmd{m.wait(m.deps.Changed, changed{}), m.wait(m.deps.Moved, moved{})}
	if m.has(TabRuns) {
		cmds = append(cmds, m.runs.Init())
	}
	switch {
	case start.Queue != "":
		cmds = append(cmds, m.openQueue(start.Queue))
	case start.Pairs:
		m.tab = TabReview
		cmds = append(cmds, m.lobby.enterPairs())
	case start.Tab != TabRuns:
		cmds = append(cmds, m.show(start.Tab))
	case m.tab != TabRuns:
		cmds = append(cmds, m.show(m.tab))
	}
	if m.deps.Hint != "" {
		cmds = append(cmds, send(widget.Notify{Level: widget.Info, Text: m.deps.Hint}))
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	model, cmd := m.update(msg)
	if _, pressed := msg.(tea.KeyMsg); !pressed && m.touring() { // keys are told one by one
		cmd = tea.Batch(cmd, m.tourOn(msg))
	}
	return model, cmd
}

func (m *Model) update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.resize()
	case tea.KeyMsg:
		return m, m.each(msg)
	case tea.MouseMsg:
		return m, m.mouse(msg)
	case widget.Notify:
		return m, m.notify(msg)
	case offered:
		if msg.to == m.palette {
			m.palette.Add(msg.entries)
		}
		return m, nil
	case faded:
		m.toasts.Fade(m.deps.Now())
		return m, m.resize()
	case flushed:
		return m, m.left(msg)
	case Leave:
		return m, m.leaveNow(msg)
	case tea.ResumeMsg:
		return m, m.redraw()
	}
	if cmd, ok := m.news(msg); ok {
		return m, cmd
	}
	if cmd, ok := m.move(msg); ok {
		return m, cmd
	}
	return m, m.broadcast(msg)
}

// move takes the messages by which screens ask for others.
func (m *Model) move(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case home.OpenQueue:
		return m.openQueue(msg.Queue), true
	case home.OpenReport:
		if msg.Pairs {
			return m.showAgreement(msg.Queue), true
		}
		return m.showReport(msg.Run, msg.Queue), true
	case home.OpenVotes:
		return m.showVotes(msg.Dataset), true
	case home.OpenSamples:
		return m.openSamples(samples.OfRun(m.deps.Samples, msg.Run, msg.Title)), true
	case home.OpenJob:
		m.duels.Open(msg.Job, msg.Errors)
		return m.push(m.duels), true
	case home.NewVotes:
		m.duels.OpenForm(msg.Like)
		return m.push(m.duels), true
	case judging.Started:
		return m.startedVotes(msg), true
	case home.OpenAnswers:
		return m.openAnswers(msg), true
	case chosenFrom:
		return msg.open(), true
	case report.OpenSamples:
		return m.openSamples(m.behind(msg)), true
	case report.OpenPairs:
		return m.openPairs(msg), true
	case criteria.Named:
		m.setAnnotator(msg.Who)
		return tea.Batch(m.remember(msg.Who), m.top().Refresh()), true
	case curate.Named:
		m.setAnnotator(msg.Who)
		return tea.Batch(m.remember(msg.Who), m.curate.Enter()), true
	case named:
		m.setAnnotator(msg.who)
		return m.remember(msg.who), true
	case wantPairs:
		if !m.may().May(annotate.MayMakeQueues) {
			return notYours("the owner"), true
		}
		if m.deps.Pairer == nil {
			return send(widget.Notify{Level: widget.Info, Text: "no queues can be made here: the project is open for reading"}), true
		}
		return m.push(newPairForm(m.ctx, m.theme, m.deps.Pairer, m.who)), true
	case chosen:
		return m.review(msg), true
	case wantCandidates, curate.OpenCompare:
		return m.candidates(), true
	case adjudicate.OpenCuration:
		return m.settleCuration(msg.Dataset), true
	case wantCompare:
		return m.compare(msg), true
	case label.OpenCompare:
		return m.compare(wantCompare{queue: msg.Queue}), true
	case report.OpenCompare:
		return m.compare(wantCompare{queue: msg.Queue}), true
	}
	return m.begins(msg)
}
