package home

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation/annotationtest"
	"concord/tui/form"
	"concord/tui/widget"
)

func TestARunIsStarted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("n", "down", "q", "w") // the model
		d.Press("down", "down", "v", "down", "left")
		d.Press("down", "down", "g", "p", "t", "-", "j", " ", "down", " ", "down", "3", "2", "down", "backspace", "1", ".", "5")
		d.CheckShows("‹ 1.5 ›", "‹", "judge calls 0 to 875")
		if len(d.Notices) != 1 || d.Notices[0] != "all passes: with circular only" {
			t.Errorf("notices %q", d.Notices)
		}
		d.Press("enter")
		d.CheckShows("This costs 1.91 to 7.12. enter starts it")
		if len(b.begun) != 0 {
			t.Fatal("it started before the cost was confirmed")
		}
		d.Press("enter")
		want := Spec{
			Dataset: "mmbench_dev", Model: "qwen2-vl-7b", Strategy: eval.Vanilla, Modality: eval.WithImage,
			Judges: []string{"gpt-judge"}, Fallback: true, Concurrency: 32, Budget: 1.5,
		}
		if len(b.begun) != 1 || fmt.Sprint(b.begun[0]) != fmt.Sprint(want) {
			t.Fatalf("started %+v, want %+v", b.begun, want)
		}
		if r, _ := d.runs.currentRow(); d.composer.form != nil || r.Run.ID != 6 {
			t.Errorf("the form is open (%v) or the cursor is on %d", d.composer.form != nil, r.Run.ID)
		}
	})
}

func TestWhatIsNotOfferedSaysWhy(t *testing.T) {
	check := func(want string, keys ...string) {
		t.Helper()
		bubble(t, func(t *testing.T) {
			b := project()
			d := sit(t, b, termenv.Ascii, 80, 24)
			d.Press(append([]string{"n"}, keys...)...)
			d.Press("enter", "enter")
			if len(b.begun) > 0 || len(d.Notices) == 0 || d.Notices[0] != want {
				t.Errorf("%q: %q, started %d", keys, d.Notices, len(b.begun))
			}
		})
	}
	check("gpt-4o: OPENAI_API_KEY is not set: export OPENAI_API_KEY=…", "down", "left")
	check("half: its import has not finished: concord import dataset continues", "h", "a", "l")
	check("a_dataset_with_a_very_long_name_20260214_filtered has no images: ask it with text, or base", "down", "down", "i", "up", "up", "a", "_")
	check("circular rotates options, and mme has none (yesno): take vanilla", "down", "down", "down", "c", "up", "up", "up", "right")
	bubble(t, func(t *testing.T) {
		b := project()
		d := New(t.Context(), theme(termenv.Ascii), Deps{Source: b})
		got := fmt.Sprint(d.handleKey(annotationtest.NewKeyMsg("n"))()) + fmt.Sprint(d.composer.openForm()())
		if want := fmt.Sprint(widget.NotifyCmd(1, noStarter)()); got != want+want {
			t.Errorf("without a starter: %s", got)
		}
	})
}

func TestStrategySuitsTheDataset(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := sit(t, project(), termenv.Ascii, 80, 24)
		d.Press("n")
		d.CheckShows("[image] text grey base", "vanilla [circular]")
		d.Press("right") // yes/no questions
		d.CheckShows("[image] text grey base", "[vanilla] circular")
		d.Press("right") // no pictures
		d.CheckShows("image [text] grey base", "[vanilla] circular")
		d.Press("down", "down", "g", "up", "up", "left") // chosen by hand: it stays
		d.CheckShows("image text [grey] base")
	})
}

// Keys that come fast make one estimate, and none of them waits for it.
func TestEstimatesRest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("n")
		before := len(b.estimates)
		got := make(chan tea.Msg, 20)
		d.Press("down", "down", "down", "down", "down", "down", "down", "down") // in parallel
		for _, k := range []string{"1", "2", "8", "backspace", "5"} {
			cmd := d.Update(annotationtest.NewKeyMsg(k))
			go func() { got <- cmd() }()
			time.Sleep(30 * time.Millisecond)
		}
		d.CheckShows("‹ 125 ›", "estimating…")
		time.Sleep(time.Second)
		synctest.Wait()
		for range 5 {
			d.Run(d.Update(<-got))
		}
		if n := len(b.estimates) - before; n != 1 || b.estimates[before].Concurrency != 125 {
			t.Errorf("%d estimates: %+v", n, b.estimates[before:])
		}
		d.CheckShows("calls       1,176 to 4,377")
	})
}

func TestOtherSettingsAreADecision(t *testing.T) {
	look := func(t *testing.T, keys ...string) (Spec, *desk) {
		t.Helper()
		b := project()
		b.existing = &Existing{Run: 5, Differences: []eval.Difference{{Field: "edge", Was: "1024", Is: "512"}}}
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("n", "enter")
		d.CheckShows("run 5", "edge", "1024", "512")
		d.Press(keys...)
		if len(b.begun) == 0 {
			return Spec{}, d
		}
		return b.begun[0], d
	}
	bubble(t, func(t *testing.T) {
		s, d := look(t, "enter")
		d.CheckShows("Run 5 continues.", "This costs")
		if s.Resume != 0 {
			t.Error("it continues without the cost being confirmed")
		}
		d.Press("enter")
		if b := d.Scheduler.(*bench); len(b.begun) != 1 || b.begun[0].Resume != 5 || b.begun[0].New {
			t.Errorf("continues: %+v", b.begun)
		}
	})
	bubble(t, func(t *testing.T) {
		if s, _ := look(t, "2", "enter"); !s.New || s.Resume != 0 {
			t.Errorf("a new run: %+v", s)
		}
	})
	bubble(t, func(t *testing.T) {
		s, d := look(t, "3", "esc")
		if d.composer.form != nil || s.New || s.Resume != 0 {
			t.Errorf("back: %+v", s)
		}
	})
	bubble(t, func(t *testing.T) { // a decision is of the spec that it was made on
		_, d := look(t, "2", "esc", "down", "right", "enter")
		d.CheckShows("start a new run with these settings")
	})
}

func TestGoingOnWithACompleteRunIsNoDeadEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		b.complete, b.existing = true, &Existing{Run: 5, Differences: []eval.Difference{{Field: "edge", Was: "1024", Is: "512"}}}
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("n", "enter", "1")
		if want := "[run 5: nothing is left to ask: there are answers to all of it]"; fmt.Sprint(d.Notices) != want {
			t.Errorf("said %q", d.Notices)
		}
		d.CheckShows("calls       1,176 to 4,377", "enter shows them")
		d.Press("enter", "2", "enter")
		if len(b.begun) != 1 || !b.begun[0].New {
			t.Errorf("started %+v", b.begun)
		}
	})
}

func TestTheFormKeepsWhatWasPutIn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("n", "down", "q")
		d.CheckShows("“q” 1 of 1")
		d.Press("esc") // the filter
		d.CheckShows("‹ qwen2-vl-7b ›")
		d.Press("esc") // the form
		if d.composer.form != nil {
			t.Fatal("esc does not leave the form")
		}
		d.Press("n")
		d.CheckShows("‹ qwen2-vl-7b › 3 of 4")
		b.broken = errors.New("the endpoint is closed")
		d.Press("enter", "enter")
		d.CheckShows("✗ the endpoint is closed")
	})
}

func TestAnUnknownPriceIsConfirmedToo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		b.unpriced = true
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("n", "enter")
		d.CheckShows("up to 4,377 calls at a price", "cost        not known", "! without every price the budget")
		d.Press("down", "up") // another key is no yes
		if d.composer.form.Phase != form.Editing {
			t.Error("still confirming")
		}
	})
}

func TestRetry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("t", "down", "down", "down", "t", "down", "t")
		if len(b.retried) != 1 || b.retried[0] != 4 || len(d.Notices) != 3 {
			t.Errorf("asked %v again, and said %q", b.retried, d.Notices)
		}
	})
}

// A long answer has as many lines as leave room for ten; on the page of a run, where
// one is chosen, it has one.
func TestLongAnswersUseTheRoom(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		b.latest[0].Text = strings.Repeat("It turns left at the first corner. ", 20) + "END"
		d := sit(t, b, termenv.Ascii, 200, 50)
		if n := strings.Count(d.View(), "It turns left"); n < 5 {
			t.Errorf("%d sentences of the answer are seen:\n%s", n, d.View())
		}
		d.CheckShows("1820.0", "1812.0")
		d.Press("d")
		if n := strings.Count(d.View(), "It turns left"); n > 4 {
			t.Errorf("%d sentences of the answer are seen:\n%s", n, d.View())
		}
	})
}

func TestAnswersStandStillUnderTheCursor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		d.Press("d", "tab", "down", "down", "down")
		d.CheckShows("› 1817.0")
		fresh := Answer{Key: eval.Key{Run: 1, Sample: 900}, Sample: "1900", Visibility: b.latest[0].Visibility, Text: "new"}
		b.latest = append([]Answer{fresh}, b.latest...)
		d.Run(d.Refresh())
		d.CheckShows("› 1817.0", "1 new · ctrl+r shows them")
		d.Press("enter")
		open, ok := d.asked[0].(OpenAnswers)
		if !ok || open.Keys[0] != b.latest[4].Key || len(open.Keys) != 37 {
			t.Errorf("opens %+v", d.asked)
		}
		d.Press("ctrl+r")
		d.CheckShows("› 1900.0")
		d.Press("e")
		d.CheckShows("Errors  3 of 7", "3 times")
		d.Press("esc", "esc")
		if d.side.page.open {
			t.Error("the page is open")
		}
	})
}

// TestAnyKeys presses what it likes in panes of any size, while facts change.
func TestAnyKeys(t *testing.T) {
	keys := []string{
		"n", "n", "d", "e", "t", "J", "p", "c", "y", "R", "enter", "enter", "esc", "tab", "shift+tab", "up", "down", "down", "left",
		"right", "backspace", " ", "1", "9", ".", "g", "G", "q", "é", "你", "\x1b", "j", "k",
	}
	bubble(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		b := project()
		d := sit(t, b, termenv.Ascii, 80, 24)
		for i := range 600 {
			switch rng.IntN(12) {
			case 0:
				d.Resize(1+rng.IntN(200), 1+rng.IntN(60))
			case 1:
				b.existing = &Existing{Run: 5, Same: i%2 == 0}
				b.latest = b.latest[1:]
				if len(b.latest) < 2 {
					b.latest = project().latest
				}
				d.Run(d.Refresh())
			default:
				d.Press(keys[rng.IntN(len(keys))])
			}
			d.CheckFits(d.width)
			d.Bindings()
			d.HelpGroups()
		}
	})
}
