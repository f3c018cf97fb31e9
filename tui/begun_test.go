package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/endpoint"
	"concord/tui/home"
	"concord/tui/importer"
	"concord/tui/job"
	"concord/tui/keymap"
)

// wiring is a configuration in which the first model is connected.
type wiring struct{ models []job.ModelChoice }

func (w *wiring) ListServers(context.Context) ([]endpoint.Server, error) {
	return []endpoint.Server{{Name: "lab", URL: "http://lab/v1"}}, nil
}

func (w *wiring) ListModels(context.Context, endpoint.Server) ([]string, error) {
	return []string{"otter-7b"}, nil
}

func (w *wiring) AddServerToConfig(_ context.Context, _ endpoint.Server, models []string) (string, error) {
	w.models = append(w.models, job.ModelChoice{Name: models[0]})
	return "it can be asked now", nil
}

func (w *wiring) FormChoices(context.Context) (home.Choices, error) {
	return home.Choices{Datasets: []home.DatasetChoice{{Name: "demo", Samples: 60}}, Models: w.models}, nil
}

func (w *wiring) Estimate(context.Context, home.Spec) (home.Estimate, error) {
	return home.Estimate{CallsLow: 60, CallsHigh: 60}, nil
}
func (w *wiring) Start(context.Context, home.Spec) (eval.RunID, error) { return 1, nil }
func (w *wiring) Retry(eval.RunID) error                               { return nil }
func (w *wiring) Judge(context.Context, eval.RunID, []string) error    { return nil }
func (w *wiring) ListFolder(context.Context, string) (importer.Folder, error) {
	return importer.Folder{}, nil
}

func (w *wiring) PreviewFile(context.Context, string) (importer.Preview, error) {
	return importer.Preview{}, nil
}

func (w *wiring) DiagnoseConfig(context.Context) (out []importer.Finding, err error) { return out, err }

func (w *wiring) ImportFile(context.Context, importer.Order, func(read, total int64)) (importer.Outcome, error) {
	return importer.Outcome{}, nil
}

// Where no model is known the form of a run leads to where one is connected,
// and from there back to the form; the list of runs goes on to be read.
func TestFromNoModelToARun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := demo()
		a := newApp(t, p, theme(termenv.Ascii, true), "ada")
		w, d := &wiring{}, *a.deps
		d.Scheduler, d.Connect, d.Begin = w, w, w
		a.Model = New(t.Context(), d)
		a.size(80, 24)
		a.do(a.tabs.runs.Init())
		see := func(want string) {
			t.Helper()
			if !strings.Contains(a.View(), want) {
				t.Fatalf("no %q in\n%s", want, a.View())
			}
		}
		a.press("n")
		see("No model is known yet")
		a.press("m")
		see("http://lab/v1")
		a.press("enter")
		see("[x]  otter-7b")
		a.press("enter")
		see("it can be asked now")
		see("‹ demo ›")
		a.press("esc")
		p.rows = p.rows[:1]
		a.send(changed{})
		time.Sleep(time.Second)
		see("Runs  1 ")
		a.fits()
	})
}

// Without a project the server is asked for in front of the ways to begin, and
// esc leads back there.
func TestAModelIsConnectedBeforeThereIsAProject(t *testing.T) {
	w := &wiring{}
	m := NewWelcome(t.Context(), "p.db", nil, importer.Deps{Theme: theme(termenv.Ascii, true), Source: w}, w)
	var send func(tea.Msg)
	send = func(msg tea.Msg) {
		_, cmd := m.Update(msg)
		for cmd != nil {
			got := cmd()
			batch, ok := got.(tea.BatchMsg)
			if !ok {
				if cmd = nil; got != nil {
					_, cmd = m.Update(got)
				}
				continue
			}
			cmd = nil
			for _, c := range batch {
				if c != nil {
					send(c())
				}
			}
		}
	}
	press := func(keys ...string) {
		for _, k := range keys {
			send(keymap.NewKeyMsg(k))
		}
	}
	see := func(want string) {
		t.Helper()
		if !strings.Contains(m.View(), want) {
			t.Fatalf("no %q in\n%s", want, m.View())
		}
	}
	send(tea.WindowSizeMsg{Width: 80, Height: 24})
	press("down", "down", "enter")
	see("What is configured")
	press("enter")
	see("1 of 2: the server")
	press("enter", "esc", "esc")
	see("What is configured")
	press("enter", "enter", "enter")
	see("✓ it can be asked now")
	see("How do you want to begin?")
	if len(w.models) != 1 {
		t.Errorf("connected %v", w.models)
	}
}
