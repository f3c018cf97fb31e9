package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// The recipes "add a screen" and "add a key" of ARCHITECTURE.md, followed: what
// would be a package (the screen, its source, the message that opens it), its
// section in the keymap, and its page, which whoever builds the app lists.

// openToy asks for the toy.
type openToy struct{}

type toySource interface {
	Datasets(ctx context.Context) ([]eval.DatasetName, error)
}

const toyPlace keymap.Place = "toy"

// toyKeys are what keys do on the toy. To add one: a row here, and its binding.
func toyKeys() keymap.Section {
	return keymap.Section{Place: toyPlace, Actions: []keymap.Action{{Name: "count_again", Desc: "count again", Keys: []string{"x"}}}}
}

// toyScreen lists the names of datasets.
type toyScreen struct {
	ctx           context.Context
	source        toySource
	theme         *widget.Theme
	count         key.Binding
	names         []eval.DatasetName
	counted       int
	width, height int
}

type toyRead struct {
	of    *toyScreen
	names []eval.DatasetName
}

func (s *toyScreen) Init() tea.Cmd { return s.Refresh() }

func (s *toyScreen) Refresh() tea.Cmd {
	return func() tea.Msg {
		names, _ := s.source.Datasets(s.ctx)
		return toyRead{s, names}
	}
}

func (s *toyScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case toyRead:
		if msg.of == s {
			s.names = msg.names
		}
	case tea.KeyMsg:
		if key.Matches(msg, s.count) {
			s.counted++
			return s.Refresh()
		}
	}
	return nil
}

func (s *toyScreen) View() string {
	lines := []string{s.theme.MarkActivePane(fmt.Sprintf("Toy: %d datasets", len(s.names)), s.width)}
	for _, n := range s.names {
		lines = append(lines, widget.CleanLine(string(n)))
	}
	return strings.Join(widget.FitBox(lines, s.width, s.height), "\n")
}

func (s *toyScreen) Resize(width, height int) { s.width, s.height = width, height }
func (*toyScreen) GoBack() bool               { return false }
func (*toyScreen) IsTyping() bool             { return false }
func (s *toyScreen) Bindings() []key.Binding  { return []key.Binding{s.count} }
func (s *toyScreen) HelpGroups() []widget.Group {
	return []widget.Group{{Title: "Toy", Keys: s.Bindings()}}
}
func (*toyScreen) KeymapPlace() keymap.Place { return toyPlace }

func toyOf(a *app) (s *toyScreen, seen bool) {
	s, seen = a.nav.topScreen().(*toyScreen)
	return s, seen
}

func (a *app) toyIs(t *testing.T, ok func(*toyScreen) bool) {
	t.Helper()
	if s, seen := toyOf(a); !seen || !ok(s) {
		t.Errorf("it is not so:\n%s", a.View())
	}
}

func (a *app) toyCounted(t *testing.T, n int) {
	t.Helper()
	a.toyIs(t, func(s *toyScreen) bool { return s.counted == n })
}

// toyPage is its row in the list of pages.
func toyPage(source toySource) Page {
	return Page{
		Message: openToy{}, May: annotate.MayRun, Whose: "the owner", Key: widget.NewBinding("D", "datasets", "D"),
		Name: "Toy datasets", Words: "count", Hint: "which there are",
		New: func(ctx context.Context, o Opening) Screen {
			return &toyScreen{ctx: ctx, source: source, theme: o.Theme, count: widget.NewBinding("x", "count again", "x")}
		},
	}
}

// A page that is listed opens by its message, from the palette and by its key on
// the runs; its keys are in its help and in the palette, and can be other ones.
func TestAPageIsARow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		var asked []string
		d := *a.deps
		d.Pages = []Page{toyPage(shelf{&asked})}
		keys, bad := keymap.New([]keymap.Choice{{Action: "count_again", Keys: []string{"ctrl+x"}}}, toyKeys())
		if len(bad) > 0 {
			t.Fatal(bad)
		}
		d.Keys = keys
		a.Model = New(t.Context(), d)
		a.size(100, 30)
		a.do(a.tabs.runs.Init())

		find := func(name string) {
			t.Helper()
			a.send(keymap.NewKeyMsg("ctrl+p"))
			a.press(strings.Split(name, "")...)
			a.press("enter")
		}
		a.press("v")
		a.send(openToy{})
		a.toyIs(t, func(s *toyScreen) bool { return len(s.names) > 0 && a.nav.tab == TabRuns })
		first, _ := toyOf(a)
		a.send(openToy{})
		a.toyIs(t, func(s *toyScreen) bool { return s == first })

		a.press("x") // it has been moved
		a.toyCounted(t, 0)
		a.send(keymap.NewKeyMsg("ctrl+x"))
		a.toyCounted(t, 1)
		if got := a.View(); !strings.Contains(got, "ctrl+x count again") {
			t.Errorf("the footer:\n%s", got)
		}
		a.press("?")
		if got := a.View(); !strings.Contains(got, "ctrl+x") || !strings.Contains(got, "count again") {
			t.Errorf("help:\n%s", got)
		}
		a.press("esc")
		find("count again")
		a.toyCounted(t, 2)
		a.press("esc")
		if _, seen := toyOf(a); seen {
			t.Errorf("esc stays:\n%s", a.View())
		}
		a.press("D")
		a.toyCounted(t, 0)
		a.press("esc")
		find("Toy")
		a.toyCounted(t, 0)
	})
}

// A page that is for another role does not open, and is not offered.
func TestAPageIsForItsRole(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := newApp(t, demo(), theme(termenv.Ascii, true), "ada")
		d := *a.deps
		d.Pages, d.Role = []Page{toyPage(nil)}, annotate.RoleCurator
		a.Model = New(t.Context(), d)
		a.size(100, 30)
		a.send(openToy{})
		if _, seen := toyOf(a); seen || !strings.Contains(a.View(), "that is for the owner") || len(a.opener.pages.listPages()) > 0 {
			t.Errorf("a curator is shown it:\n%s", a.View())
		}
	})
}
