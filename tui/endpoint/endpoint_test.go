package endpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
)

// net is servers in memory.
type net struct {
	models  []string
	refused error
	asked   []Server
	wrote   []string
}

func (n *net) ListServers(context.Context) ([]Server, error) {
	return []Server{{Name: "openai", URL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY"}, {Name: "other"}}, nil
}

func (n *net) ListModels(_ context.Context, s Server) ([]string, error) {
	n.asked = append(n.asked, s)
	return n.models, n.refused
}

func (n *net) AddServerToConfig(_ context.Context, s Server, models []string) (string, error) {
	n.wrote = append(n.wrote, s.Name+": "+strings.Join(models, ","))
	return "written", nil
}

// desk is the screen; its commands run on the spot.
type desk struct {
	annotationtest.Harness
	*Model
	done []string
}

func sit(t *testing.T, n *net, width, height int) *desk {
	d := &desk{Model: New(t.Context(), Deps{Theme: annotationtest.NewTheme(termenv.Ascii, true), Source: n})}
	d.Harness = annotationtest.Harness{T: t, Screen: d.Model, Root: func(msg tea.Msg) bool {
		done, is := msg.(Done)
		if is {
			d.done = append(d.done, done.Said)
		}
		return is
	}}
	d.Resize(width, height)
	d.Run(d.Init())
	return d
}

func TestModelsAreChosenFromWhatTheServerLists(t *testing.T) {
	n := &net{models: []string{"a-vl", "b\x1b[2J", "c"}}
	d := sit(t, n, 80, 21)
	d.CheckShows("openai", "OPENAI_API_KEY")
	d.Press("right", "enter")
	d.CheckShows("✗ the server needs an address")
	d.Press("down", "http://h/v1", "enter")
	if want := (Server{Name: "other", URL: "http://h/v1"}); !slices.Equal(n.asked, []Server{want}) {
		t.Errorf("asked %+v", n.asked)
	}
	d.CheckShows("3 models", "b␛[2J", "None is in yet")
	d.Press("down", " ", "down", " ", "enter")
	if !slices.Equal(n.wrote, []string{"other: b\x1b[2J,c"}) || !slices.Equal(d.done, []string{"written"}) {
		t.Errorf("wrote %q, done %q", n.wrote, d.done)
	}
}

// A server that cannot be asked says why, can be corrected, and can be written
// down all the same.
func TestAServerThatCannotBeAsked(t *testing.T) {
	n := &net{refused: errors.New("the environment variable OPENAI_API_KEY is not set (export OPENAI_API_KEY=...)")}
	d := sit(t, n, 80, 21)
	d.Press("enter")
	d.CheckShows("✗ the environment variable OPENAI_API_KEY is not set", "To write it down all the same")
	d.Press("enter")
	d.CheckShows("✗ type the name")
	if !d.GoBack() {
		t.Error("esc does not go back to the server")
	}
	d.CheckShows("1 of 2")
	d.Press("enter", "gpt-x", "enter")
	if !slices.Equal(n.wrote, []string{"openai: gpt-x"}) {
		t.Errorf("wrote %q", n.wrote)
	}
	if d = sit(t, n, 80, 21); d.GoBack() {
		t.Error("there is a level to leave")
	}
}

func TestGolden(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {120, 37}} {
		for name, keys := range map[string][]string{"server": nil, "key": {"down", "down"}, "models": {"enter", "down", " "}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := sit(t, &net{models: []string{"a-vl", "b-vl", "judge"}}, size[0], size[1])
				d.Press(keys...)
				golden.RequireEqual(t, d.View())
			})
		}
	}
}

func TestEverySizeFits(t *testing.T) {
	for _, refused := range []error{nil, errors.New(strings.Repeat("no ", 80))} {
		for _, keys := range [][]string{nil, {"down"}, {"enter", " "}} {
			d := sit(t, &net{models: []string{strings.Repeat("x", 200)}[:map[bool]int{true: 1}[refused == nil]], refused: refused}, 80, 21)
			d.Press(keys...)
			for w := 1; w <= 130; w += 9 {
				for h := 1; h <= 30; h += 4 {
					d.Resize(w, h)
					lines := strings.Split(d.View(), "\n")
					for _, l := range lines {
						if ansi.StringWidth(l) > w {
							t.Fatalf("%v at %dx%d: %d cells: %q", keys, w, h, ansi.StringWidth(l), l)
						}
					}
					if len(lines) > h {
						t.Fatalf("%v at %dx%d: %d lines", keys, w, h, len(lines))
					}
				}
			}
		}
	}
}
