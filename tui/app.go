package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

var _ tea.Model = (*Model)(nil)

// New makes the app. ctx ends its commands; whoever runs the app cancels it
// afterwards.
func New(ctx context.Context, d Deps) *Model {
	if d.Now == nil {
		d.Now = time.Now
	}
	can := access{role: d.Role, curation: d.Curate.Source != nil}
	m := &Model{deps: &d, theme: d.Theme, keys: newKeys()}
	m.toasts.Copy = d.Keys.Of("alt+y", keymap.Everywhere)
	m.nav = &navigation{can: can, keys: d.Keys}
	m.tabs = newTabs(ctx, &d, m.nav)
	m.nav.left = m.tabs.left
	m.person = &person{tabs: m.tabs, store: d.Remember}
	m.opener = &opener{ctx: ctx, deps: m.deps, nav: m.nav, tabs: m.tabs, person: m.person}
	m.opener.pages = &pages{ctx: ctx, deps: m.deps, nav: m.nav, person: m.person}
	if d.Start.Drafts != nil {
		m.opener.drafts = *d.Start.Drafts
	}
	m.finder = &finder{ctx: ctx, theme: d.Theme, nav: m.nav, person: m.person, queues: d.Runs, source: d.Search, commands: d.Commands, tabs: m.keys.tabs, reports: m.tabs.report.Pages, pages: m.opener.pages}
	m.news = &news{ctx: ctx, calm: d.Calm, changed: d.Changed, moved: d.Moved}
	m.quit = &quitting{ctx: ctx, saver: d.Saver, nav: m.nav}
	m.tour = touring{theme: d.Theme, keys: d.Keys, tour: d.Tour, saver: d.Saver}
	m.person.set(d.Annotator)
	m.nav.tab = can.home()
	return m
}

// Init starts to read and to wait for news.
func (m *Model) Init() tea.Cmd {
	start := m.deps.Start
	cmds := []tea.Cmd{m.news.Init()}
	if m.nav.can.has(TabRuns) {
		cmds = append(cmds, m.tabs.runs.Init())
	}
	switch {
	case start.Queue != "":
		cmds = append(cmds, m.tabs.openQueue(start.Queue))
	case start.Pairs:
		m.nav.tab = TabReview
		cmds = append(cmds, m.tabs.queues.enterPairs())
	case start.Tab != TabRuns:
		cmds = append(cmds, m.tabs.show(start.Tab))
	case m.nav.tab != TabRuns:
		cmds = append(cmds, m.tabs.show(m.nav.tab))
	}
	if m.deps.Hint != "" {
		cmds = append(cmds, send(widget.Notify{Level: widget.Info, Text: m.deps.Hint}))
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	model, cmd := m.update(msg)
	if _, pressed := msg.(tea.KeyMsg); !pressed && m.tour.on() { // keys are told one by one
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
		return m, m.finder.Update(msg)
	case faded:
		m.toasts.Fade(m.deps.Now())
		return m, m.resize()
	case tea.ResumeMsg:
		return m, redraw(m.deps.Resend)
	case changed:
		m.tabs.report.Stale()
	}
	if cmd, ok := m.quit.Update(msg); ok {
		return m, cmd
	}
	if cmd, mark := m.news.Update(msg); mark {
		return m, tea.Batch(m.nav.top().Refresh(), cmd)
	} else if cmd != nil {
		return m, cmd
	}
	if cmd, ok := m.opener.Update(msg); ok {
		return m, cmd
	}
	return m, tea.Batch(m.tabs.broadcast(msg), m.finder.Update(msg))
}
