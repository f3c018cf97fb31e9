package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/tui/authoring"
	"concord/tui/keymap"
	"concord/tui/widget"
)

var _ tea.Model = (*Model)(nil)

// New makes the app. ctx ends its commands; whoever runs the app cancels it afterwards.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	can := access{role: d.Role, elsewhere: d.Role != annotate.RoleUnset, curation: d.Curate.Source != nil}
	m := &Model{deps: &d, theme: d.Theme, keys: newKeys()}
	m.toasts.Copy = d.Keys.FormatKeysOf("alt+y", keymap.Everywhere)
	m.nav = &screenStacks{can: can, keys: d.Keys}
	m.tabs = newTabScreens(ctx, &d, m.nav)
	m.nav.left = m.tabs.noteScreenLeft
	m.person = &currentPerson{tabs: m.tabs, store: d.Remember, role: d.RoleOf, roles: make(map[annotate.Annotator]annotate.Role)}
	m.opener = &screenOpener{ctx: ctx, deps: m.deps, nav: m.nav, tabs: m.tabs, person: m.person}
	m.opener.pages = &pages{ctx: ctx, deps: m.deps, nav: m.nav, person: m.person}
	if d.Start.Drafts != nil {
		m.opener.drafts = *d.Start.Drafts
	}
	m.finder = &paletteFinder{ctx: ctx, theme: d.Theme, nav: m.nav, person: m.person, queues: d.Runs, source: d.Search, commands: d.Commands, tabs: m.keys.tabs, reports: m.tabs.report.PageNames, pages: m.opener.pages}
	m.news = &changeMarks{ctx: ctx, calm: d.Calm, changed: d.Changed, moved: d.Moved}
	m.quit = &quitSequence{ctx: ctx, saver: d.Saver, nav: m.nav}
	m.tour = tourState{theme: d.Theme, keys: d.Keys, tour: d.Tour, saver: d.Saver}
	if d.RoleOf != nil {
		m.person.roles[d.Annotator] = d.RoleOf(d.Annotator)
	}
	m.person.setAnnotator(d.Annotator)
	m.nav.tab = m.nav.can.homeTab()
	return m
}

// Init starts to read and to wait for news.
func (m *Model) Init() tea.Cmd {
	start := m.deps.Start
	cmds := []tea.Cmd{m.news.waitForMark(m.news.changed, changed{}), m.news.waitForMark(m.news.moved, moved{})}
	if m.nav.can.hasTab(TabRuns) {
		cmds = append(cmds, m.tabs.runs.Init())
	}
	switch {
	case start.Queue != "":
		cmds = append(cmds, m.tabs.openQueue(start.Queue))
	case start.Pairs:
		m.nav.tab = TabReview
		cmds = append(cmds, m.tabs.queues.enterForPairs())
	case start.Written:
		cmds = append(cmds, widget.SendCmd(authoring.Open{Dataset: start.Dataset}))
	case start.Tab != TabRuns:
		cmds = append(cmds, m.tabs.showTab(start.Tab))
	case m.nav.tab != TabRuns:
		cmds = append(cmds, m.tabs.showTab(m.nav.tab))
	}
	if m.deps.Hint != "" {
		cmds = append(cmds, widget.NotifyCmd(widget.Info, m.deps.Hint))
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	model, cmd := m.updateModel(msg)
	if _, pressed := msg.(tea.KeyMsg); !pressed && m.tour.isTouring() { // keys are told one by one
		cmd = tea.Batch(cmd, m.advanceTour(msg))
	}
	return model, cmd
}

func (m *Model) updateModel(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, m.resizeScreens()
	case roleKnown:
		m.person.roles[msg.who] = msg.role
		m.person.applyRole()
		return m, nil
	case tea.KeyMsg:
		return m, m.handleEachKey(msg)
	case tea.MouseMsg:
		return m, m.handleMouse(msg)
	case widget.Notify:
		return m, m.showNotice(msg)
	case offered:
		return m, m.finder.Update(msg)
	case faded:
		m.toasts.FadeInfo(m.deps.Now())
		return m, m.resizeScreens()
	case tea.ResumeMsg:
		return m, redrawAll(m.deps.Resend)
	case changed:
		m.tabs.report.MarkStale()
	}
	if cmd, ok := m.quit.Update(msg); ok {
		return m, cmd
	}
	if cmd, mark := m.news.Update(msg); mark {
		return m, tea.Batch(m.nav.topScreen().Refresh(), cmd)
	} else if cmd != nil {
		return m, cmd
	}
	if cmd, ok := m.opener.Update(msg); ok {
		return m, cmd
	}
	return m, tea.Batch(m.tabs.broadcastMessage(msg), m.finder.Update(msg))
}

// flushed tells that saving has ended.
type flushed struct{ err error }

// Leave is a message that has the app save and end. Then is called first.
type Leave struct{ Then func() }

// quitSequence is the way out: save first, then leave.
type quitSequence struct {
	ctx   context.Context
	saver Saver // nil: nothing is ever unsaved
	nav   *screenStacks

	saving bool
	failed bool // saving failed: the next time leaves without
	told   bool // to leave, by somebody else: nothing keeps the person in
}

// saveThenQuit saves what is unsaved and then quits. Asked again while it saves, or
// after saving has failed, it quits at once.
func (q *quitSequence) saveThenQuit() tea.Cmd {
	q.nav.keepAllDrafts()
	saver := q.saver
	if saver == nil || q.saving || q.failed || saver.State().Pending == 0 {
		return q.closeScreensAndQuit()
	}
	q.saving = true
	ctx := q.ctx
	return func() tea.Msg { return flushed{saver.Flush(ctx)} }
}

// Update takes the messages by which the app ends, and reports whether it was one. Drafts go along in
// Where, and what cannot be saved here is for whoever closes the journal.
func (q *quitSequence) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case flushed:
		return q.quitAfterSaving(msg), true
	case Leave:
		q.nav.keepAllDrafts()
		q.told = true
		if msg.Then != nil {
			msg.Then()
		}
		return q.saveThenQuit(), true
	}
	return nil, false
}

func (q *quitSequence) quitAfterSaving(msg flushed) tea.Cmd {
	q.saving = false
	if msg.err == nil || q.told {
		return q.closeScreensAndQuit()
	}
	q.failed = true
	return widget.SendCmd(widget.Notify{
		Level: widget.Problem,
		Text:  "NOT SAVED, ctrl+c once more leaves and keeps it in a file beside the project: " + msg.err.Error(),
	})
}

// closeScreensAndQuit puts the screens away and quits.
func (q *quitSequence) closeScreensAndQuit() tea.Cmd {
	q.nav.closeScreens()
	return tea.Quit
}

// formatUnsaved gives what the way out says while it saves.
func (q *quitSequence) formatUnsaved() string {
	if !q.saving {
		return ""
	}
	return "saving " + widget.FormatPlural(q.saver.State().Pending, "act") + "…"
}

// pause is how long the screen rests between two looks at the facts: ten times a second is as often as anybody reads.
const pause = time.Second / 10

type (
	changed struct{} // facts have changed
	moved   struct{} // somebody else has sat down, left or moved on
	// rested is that marks may be waited for again.
	rested struct {
		mark <-chan struct{}
		then tea.Msg
	}
)

// changeMarks waits for marks that something has changed.
type changeMarks struct {
	ctx     context.Context
	calm    func() time.Duration // how long a mark waits to be looked at; nil: not at all
	changed <-chan struct{}      // one-slot mark that facts have changed; nil: they do not
	moved   <-chan struct{}      // the same, that somebody else has sat down, left or moved on
}

func (n *changeMarks) waitForMark(mark <-chan struct{}, then tea.Msg) tea.Cmd {
	ctx, calm := n.ctx, n.calm
	if mark == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case _, ok := <-mark:
			if !ok {
				return nil
			}
			if calm != nil {
				return sendLater(ctx, calm(), then)
			}
			return then
		case <-ctx.Done():
			return nil
		}
	}
}

// sendLater gives a message when a while has passed; nil when that ends before.
func sendLater(ctx context.Context, d time.Duration, then tea.Msg) tea.Msg {
	waiting, stop := context.WithTimeout(ctx, d)
	defer stop()
	if <-waiting.Done(); ctx.Err() != nil {
		return nil
	}
	return then
}

// Update reports whether a message is a mark, by which the visible screen reads again, and looks for
// the next one only then: marks that come in between are one mark.
func (n *changeMarks) Update(msg tea.Msg) (cmd tea.Cmd, mark bool) {
	switch msg := msg.(type) {
	case changed:
		return waitBeforeNext(n.changed, msg), true
	case moved:
		return waitBeforeNext(n.moved, msg), true
	case rested:
		return n.waitForMark(msg.mark, msg.then), false
	}
	return nil, false
}

// waitBeforeNext lets a while pass before the next mark is looked for.
func waitBeforeNext(mark <-chan struct{}, then tea.Msg) tea.Cmd {
	return tea.Tick(pause, func(time.Time) tea.Msg { return rested{mark, then} })
}
