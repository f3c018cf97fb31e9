package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// reviewing stands for the review screen.
type reviewing struct {
	name   annotate.QueueName
	who    annotate.Annotator
	pushed string
	closed *bool
}

func (r *reviewing) Init() tea.Cmd { return nil }
func (r *reviewing) Update(m tea.Msg) tea.Cmd {
	if k, ok := m.(tea.KeyMsg); ok {
		r.pushed += k.String()
	}
	return nil
}

func (r *reviewing) View() string {
	return fmt.Sprintf("reviewing %s as %s: %s", r.name, r.who, r.pushed)
}
func (r *reviewing) Resize(int, int)            {}
func (r *reviewing) Refresh() tea.Cmd           { return nil }
func (r *reviewing) GoBack() bool               { return false }
func (r *reviewing) IsTyping() bool             { return false }
func (r *reviewing) Bindings() []key.Binding    { return nil }
func (r *reviewing) HelpGroups() []widget.Group { return nil }
func (r *reviewing) Close() {
	if r.closed != nil {
		*r.closed = true
	}
}

func theme(p termenv.Profile, dark bool) *widget.Theme { return annotationtest.NewTheme(p, dark) }

// app is the root model on a project, driven without a terminal.
type app struct {
	t *testing.T
	*Model
	project *project
	news    chan struct{}
	closed  bool
	quits   bool
}

func newApp(t *testing.T, p *project, th *widget.Theme, who annotate.Annotator) *app {
	a := &app{t: t, project: p, news: make(chan struct{}, 1)}
	a.Model = New(t.Context(), Deps{
		Project: "demo.db", Synthetic: true, Annotator: who, Theme: th, Now: func() time.Time { return clock },
		Runs: homeRows{p}, Control: p, Report: p, Samples: behind{p}, Pairs: paired{p}, Changed: a.news, Saver: p,
		Review: func(q annotate.QueueName, w annotate.Annotator) Screen {
			return &reviewing{name: q, who: w, closed: &a.closed}
		},
		Votes: func(q annotate.QueueName, w annotate.Annotator) Screen {
			return &reviewing{name: "votes on " + q, who: w, closed: &a.closed}
		},
	})
	t.Cleanup(a.Close)
	a.do(a.tabs.runs.Init()) // as Init, without waiting for news
	return a
}

func (a *app) size(w, h int) { a.send(tea.WindowSizeMsg{Width: w, Height: h}) }

func (a *app) send(msg tea.Msg) {
	_, cmd := a.Update(msg)
	a.do(cmd)
}

// do runs commands until there are none, except those that wait for time.
func (a *app) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		switch msg := msg.(type) {
		case nil:
		case tea.QuitMsg:
			a.quits = true
		case tea.BatchMsg:
			for _, c := range msg {
				a.do(c)
			}
		default:
			a.send(msg)
		}
	case <-time.After(50 * time.Millisecond): // a timer: it is not waited for
	}
}

func (a *app) press(keys ...string) {
	a.t.Helper()
	for _, k := range keys {
		a.send(keymap.NewKeyMsg(k))
	}
}

// fits checks that the frame is no larger than the terminal.
func (a *app) fits() {
	a.t.Helper()
	lines := strings.Split(a.View(), "\n")
	if len(lines) > max(a.height, 1) {
		a.t.Fatalf("%dx%d: %d lines", a.width, a.height, len(lines))
	}
	for _, l := range lines {
		if w := widget.TextWidth(l); w > a.width {
			a.t.Fatalf("%dx%d: a line is %d wide: %q", a.width, a.height, w, l)
		}
	}
}

// spell gives the person keys of their own.
func (a *app) spell(k *keymap.Keymap) { a.nav.keys, a.tour.keys = k, k }
