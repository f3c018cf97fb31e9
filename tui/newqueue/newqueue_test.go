package newqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/keymap/keymaptest"
)

// store draws from two datasets in memory.
type store struct {
	empty  bool
	asked  []Order
	made   []Order
	refuse error
}

func (s *store) LoadFormChoices(context.Context) (Stock, error) {
	if s.empty {
		return Stock{}, nil
	}
	return Stock{
		Pools: []DatasetPool{
			{Dataset: "mmbench", Runs: []Run{{1, "otter"}, {2, "lynx\x1b[2J"}}},
			{Dataset: "mme", Runs: []Run{{3, "otter"}}},
		},
		Taken: []annotate.QueueName{"unparsed"},
	}, nil
}

func (s *store) PreviewDraw(_ context.Context, o Order) (Drawn, error) {
	s.asked = append(s.asked, o)
	if o.From == annotate.FromDisagreements {
		return Drawn{}, errors.New("no judge has read these answers")
	}
	if o.From == annotate.FromAll {
		return Drawn{Items: 12, Population: 120, Growing: true, Note: "run 1 is not done"}, nil
	}
	return Drawn{Population: 0}, nil
}

func (s *store) CreateQueue(_ context.Context, o Order) (string, error) {
	s.made = append(s.made, o)
	return "queue made", s.refuse
}

// desk is the form; its commands run on the spot.
type desk struct {
	annotationtest.Harness
	*Model
	store *store
	left  []Made
}

func sit(t *testing.T, s *store, d Deps, width, height int) *desk {
	d.Theme, d.Source, d.Who = annotationtest.NewTheme(termenv.Ascii, true), s, "ada"
	k := &desk{store: s, Model: New(t.Context(), d)}
	k.Harness = annotationtest.Harness{T: t, Screen: k.Model, Root: func(msg tea.Msg) bool {
		made, is := msg.(Made)
		if is {
			k.left = append(k.left, made)
		}
		return is
	}}
	k.Resize(width, height)
	k.Run(k.Init())
	return k
}

// press sends keys; what is due after a rest is due at once.
func (d *desk) press(keys ...string) {
	for _, k := range keys {
		was := d.orderOfForm()
		cmd := d.Update(annotationtest.NewKeyMsg(k))
		if d.orderOfForm() != was {
			cmd = d.drawing.EstimateNow()
		}
		d.Run(cmd)
	}
}

func TestAQueueIsMade(t *testing.T) {
	d := sit(t, &store{}, Deps{Dataset: "mmbench", Run: 2}, 80, 21)
	d.CheckShows("mmbench", "lynx␛[2J", "[unparsed]", "unparsed-2", "This draws nothing: the rules read every answer")
	d.press("down", "right")
	d.press("down", "right")
	d.CheckShows("✗ no judge has read these answers", "disagreements")
	d.press("right", "right", "down", "left", "left", "down", "2", "5", "down", "2", "down")
	d.CheckShows("This draws 12 predictions of 120 now, and more", "run 1 is not done", "25 % of them")
	for range len(d.name) {
		d.press("backspace")
	}
	d.press("enter")
	d.CheckShows("✗ the queue needs a name")
	d.press("unparsed", "enter")
	d.CheckShows("✗ there is a queue of that name")
	d.press("x", "down", "g.md", "enter")
	want := Order{Name: "unparsedx", Dataset: "mmbench", From: annotate.FromAll, Sample: "25%", Overlap: 2, Guideline: "g.md", By: "ada"}
	if len(d.store.made) != 1 || d.store.made[0] != want {
		t.Errorf("made %+v, want %+v", d.store.made, want)
	}
	if len(d.left) != 1 || d.left[0] != (Made{"unparsedx", "queue made"}) {
		t.Errorf("left by %+v", d.left)
	}
}

func TestWhatCannotBeMadeSaysWhy(t *testing.T) {
	d := sit(t, &store{refuse: errors.New("no file g.md")}, Deps{}, 80, 21)
	d.press("enter")
	d.CheckShows("✗ no file g.md")
	if d = sit(t, &store{empty: true}, Deps{}, 80, 21); len(d.Bindings()) != 1 {
		t.Errorf("keys %v", d.Bindings())
	}
	d.CheckShows("nothing to label", "n asks a model", "i imports")
	moved := keymaptest.NewMovedKeymap(t)
	d.SetKeySpeller(func(key string) string { return moved.FirstKeyText(key, keymap.Everywhere) })
	d.CheckShows(moved.FirstKeyText("n", keymap.Runs) + " asks a model")
	d.press("enter")
}

// What was typed since is what is previewed, and a preview of anything else is
// not shown.
func TestAPreviewIsOfWhatStandsThere(t *testing.T) {
	d := sit(t, &store{}, Deps{}, 80, 21)
	d.CheckShows("This draws nothing")
	late := d.drawing.EstimateNow()
	d.Update(tea.KeyMsg{Type: tea.KeyRight})
	d.CheckShows("counting what this would draw…")
	d.Update(late())
	d.CheckShows("counting what this would draw…")
}

func TestGolden(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {120, 37}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := sit(t, &store{}, Deps{Dataset: "mmbench", Run: 1}, size[0], size[1])
			d.press("down", "down", "left", "down", "left")
			golden.RequireEqual(t, d.View())
		})
	}
}

func TestEverySizeFits(t *testing.T) {
	d := sit(t, &store{}, Deps{}, 80, 21)
	for f := range d.formFields() {
		d.at = f
		for w := 1; w <= 130; w += 9 {
			for h := 1; h <= 30; h += 4 {
				d.Resize(w, h)
				lines := strings.Split(d.View(), "\n")
				for _, l := range lines {
					if ansi.StringWidth(l) > w {
						t.Fatalf("%d at %dx%d: %d cells: %q", f, w, h, ansi.StringWidth(l), l)
					}
				}
				if len(lines) > h {
					t.Fatalf("%d at %dx%d: %d lines", f, w, h, len(lines))
				}
			}
		}
	}
}
