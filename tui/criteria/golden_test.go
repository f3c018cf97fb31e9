package criteria

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// busy is a project on which much was done.
func busy() *project {
	p := newProject(16)
	cs := func(text string) func(*criteria.Act) {
		return func(a *criteria.Act) {
			a.Criteria = []criteria.Criterion{{Type: criteria.SoftReference, Text: text}, {Type: criteria.Range, Text: "Between two and five things, 三つでもよい."}}
			a.Reason, a.Text = "as was asked", "Say which of the things matter."
		}
	}
	for o := range eval.Ordinal(5) {
		p.another(o, criteria.Drafted, "bob", cs("Names what stands there."))
	}
	for o := range eval.Ordinal(4) {
		p.another(o, criteria.Submitted, "bob", nil)
	}
	p.another(1, criteria.RequestedChanges, "eve", cs(""))
	p.another(1, criteria.Revised, "bob", cs("Names the things that stand there, and why."))
	p.another(2, criteria.Accepted, "eve", nil)
	p.another(3, criteria.RequestedChanges, "eve", cs(""))
	p.another(5, criteria.Assigned, "bob", func(a *criteria.Act) { a.Assignee = "ann" })
	p.another(6, criteria.Discarded, "eve", func(a *criteria.Act) { a.Reason = "needs no image" })
	p.another(7, criteria.Commented, "e\x1b[31mve\u202e", func(a *criteria.Act) { a.Text = "red \x1b[31m and \u202e back" })
	return p
}

var scenes = map[string][]string{
	"list":    nil,
	"page":    {" "},
	"review":  {" ", "tab", "1", "2", "2"},
	"history": {"j", "j", "enter", "<"},
	"guide":   {" ", ";"},
	"edit":    {" ", "e", "ctrl+n", "ctrl+t", "b", "o", "l", "d"},
	"request": {" ", "tab", "x", "w", "h", "y"},
	"replace": {"/", "1", "0", "6", "enter", "j", "j", "+"},
}

func TestFrames(t *testing.T) {
	for name, keys := range scenes {
		for _, s := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
			bubble(t, fmt.Sprintf("%s-%dx%d", name, s[0], s[1]), func(t *testing.T) {
				frame := func(th *widget.Theme) string {
					d := sit(t, busy(), th, "ann", s[0], s[1])
					d.press(keys...)
					d.wait(2 * time.Second)
					d.fits(s[0], s[1])
					return d.m.View()
				}
				plain := frame(theme(termenv.Ascii, true))
				if ansi.Strip(plain) != plain {
					t.Error("NO_COLOR draws escapes")
				}
				golden.RequireEqual(t, []byte(annotationtest.TrimRight(plain)))
			})
		}
	}
}

// fits checks that the frame is no larger than the terminal, and lets no
// control character through.
func (d *desk) fits(width, height int) {
	d.t.Helper()
	view := d.m.View()
	lines := strings.Split(view, "\n")
	if len(lines) > height {
		d.t.Fatalf("%dx%d: %d lines", width, height, len(lines))
	}
	for _, l := range lines {
		if w := widget.TextWidth(l); w > width {
			d.t.Fatalf("%dx%d: a line is %d wide: %q", width, height, w, l)
		}
	}
	if bare := ansi.Strip(view); strings.ContainsAny(bare, "\x1b\u202e") {
		d.t.Fatalf("control characters reach the terminal: %q", bare)
	}
}

// Whatever keys come, in whatever size: nothing overflows, nothing panics, and
// what is shown is what is stored, once it is stored.
func TestAnyKeys(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "enter", "enter", "esc", "tab", "shift+tab", "pgup", "pgdown", "n", "e", "s", "y", "x", "f", "m",
		"o", "l", "p", "w", "d", "+", "u", "u", "ctrl+r", "ctrl+s", "i", "<", ">", "z", "/", " ", "c", "R", "1", "3", "6", "g", "G", "é", "你",
		"ctrl+t", "ctrl+n", "ctrl+x", "ctrl+z", "ctrl+g", "alt+up", "alt+down", "backspace", "home",
	}
	for seed := range uint64(3) {
		bubble(t, fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			p := busy()
			d := sit(t, p, theme(termenv.Ascii, true), "ann", 80, 24)
			w, h := 80, 24
			for range 150 {
				switch rng.IntN(12) {
				case 0:
					w, h = 1+rng.IntN(200), 1+rng.IntN(60)
					d.m.Resize(w, h)
				case 1:
					p.breaks(errors.New("disk full"))
				case 2:
					p.breaks(nil)
				case 3:
					d.wait(time.Second)
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
				d.fits(w, h)
			}
			p.breaks(nil)
			for range 5 {
				d.m.GoBack()
			}
			if err := d.writer.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			d.settle()
			for i := range d.m.rows {
				shown, stored := d.m.rows[i].Set, d.stored(d.m.rows[i].Sample.Ordinal)
				if len(shown.History.Acts) != len(stored.History.Acts) || shown.State != stored.State {
					t.Errorf("sample %d: shown %d acts, %s; stored %d, %s", i, len(shown.History.Acts), shown.State, len(stored.History.Acts), stored.State)
				}
			}
		})
	}
}

// News moves nothing; it says that there is some.
func TestNewsMovesNothing(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		p := busy()
		d := sit(t, p, theme(termenv.Ascii, true), "ann", 80, 24)
		d.press("j", "j", "j")
		before := d.m.browser.list.cursor
		if _, err := p.Add(t.Context(), "bench", Addition{Sample: eval.Sample{ID: "new", Taxonomy: []string{"Perception", "Objects"}, Kind: eval.KindOpen}}); err != nil {
			t.Fatal(err)
		}
		d.run(d.m.Refresh())
		d.settle()
		if d.m.browser.list.cursor != before || len(d.m.rows) != 16 {
			t.Error("the list moved")
		}
		d.sees("1 new · ctrl+r")
		d.press("ctrl+r")
		if len(d.m.rows) != 17 {
			t.Errorf("%d rows", len(d.m.rows))
		}
	})
}

func TestEmptyAndNameless(t *testing.T) {
	bubble(t, "all", func(t *testing.T) {
		p := newProject(4)
		p.datasets = nil
		d := sit(t, p, theme(termenv.Ascii, true), "", 80, 24)
		d.sees("Who is annotating?")
		d.write("ann")
		d.press("enter")
		d.sees("concord import dataset")
		p.datasets = []eval.Dataset{{Name: "a", Samples: 4, Complete: true}, {Name: "b", Samples: 4, Complete: true}}
		d.run(d.m.Enter())
		d.settle()
		d.sees("Criteria of which dataset?", "3 with · 1 without", "For you: 0 revise", "all samples  4 samples")
		d.press("down", "enter")
		d.sees("Criteria of b")
	})
}

// BenchmarkList is a key and a frame on a list of 10,000 samples.
func BenchmarkList(b *testing.B) {
	p := newProject(10_000)
	m := New(b.Context(), Deps{Source: p, Writer: criteria.NewWriter(p.Append, nil), Theme: theme(termenv.ANSI256, true)})
	m.SetAnnotator("ann")
	m.Resize(200, 50)
	rows, err := p.Rows(b.Context(), "bench")
	if err != nil {
		b.Fatal(err)
	}
	m.handleDatasetRead("bench", rows, nil)
	b.Run("move", func(b *testing.B) {
		for b.Loop() {
			m.Update(keymap.NewKeyMsg("pgdown"))
			_ = m.View()
		}
	})
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			m.Update(keymap.NewKeyMsg(" "))
			_ = m.View()
		}
	})
	b.Run("survey", func(b *testing.B) {
		for b.Loop() {
			m.browser.recountGroups()
		}
	})
	m.GoBack()
	m.Update(keymap.NewKeyMsg("/"))
	b.Run("filter", func(b *testing.B) {
		for b.Loop() {
			m.Update(keymap.NewKeyMsg("7"))
			_ = m.View()
			m.Update(keymap.NewKeyMsg("ctrl+u"))
		}
	})
}
