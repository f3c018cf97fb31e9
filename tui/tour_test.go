package tui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/keymap"
)

// The tour goes on by what is done, takes a line of its own, and is ended for
// good by one key, or by its end.
func TestTheTourFollowsWhatIsDone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := demo()
		a := newApp(t, p, theme(termenv.Ascii, true), "")
		ended := 0
		a.tour.tour = &Tour{End: func() error { ended++; return nil }}
		a.spell(choose(t, chose("undo", "f9")))
		a.deps.Review = func(q annotate.QueueName, w annotate.Annotator) Screen {
			return &labelling{reviewing: reviewing{name: q, who: w}}
		}
		a.size(80, 24)
		see := func(want string) {
			t.Helper()
			if !strings.Contains(a.View(), want) {
				t.Fatalf("no %q in\n%s", want, a.View())
			}
			a.fits()
		}
		see("tour ──────── ↓ goes through the runs")
		a.press("enter", "esc")
		see("────────")
		a.press("down")
		see("━─────── tab, enter opens the queue")
		a.press("tab", "enter")
		see("━━────── open a queue, and type your name")
		a.press("x")
		see("━━──────")
		a.press("enter")
		see("━━━───── label three")
		p.acted += 2
		a.send(rested{})
		see("━━━─────")
		p.acted++
		a.send(rested{})
		see("━━━━──── f9 takes the last one back")
		a.send(keymap.NewKeyMsg("f9"))
		a.press("]")
		see("━━━━━━── ctrl+p finds everything")
		a.press("?", "?")
		see("━━━━━━━─ ctrl+p: with-criteria")
		a.press("v")
		p.acted++
		a.send(rested{})
		if ended != 1 || strings.Contains(a.View(), "ends it") {
			t.Errorf("ended %d times:\n%s", ended, a.View())
		}
	})
}

func TestTheTourIsEndedByAKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, size := range [][2]int{{60, 24}, {120, 40}} {
			a := newApp(t, demo(), theme(termenv.Ascii, true), "")
			a.press("ctrl+t")
			ended := 0
			a.tour.tour = &Tour{End: func() error { ended++; return nil }}
			a.size(size[0], size[1])
			a.fits()
			a.press("v") // the name is asked for, and keys are text
			if !strings.Contains(a.View(), "ctrl+t ends it") {
				t.Errorf("no tour:\n%s", a.View())
			}
			a.press("ctrl+t", "ctrl+t")
			if ended != 1 || strings.Contains(a.View(), "tour") {
				t.Errorf("ended %d times:\n%s", ended, a.View())
			}
		}
	})
}

// Who goes straight to the queue, and from it to the report, is not told to
// look at the runs, nor to take back what stands.
func TestTheTourKeepsUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := demo()
		a := newApp(t, p, theme(termenv.Ascii, true), "ada")
		a.tour.tour = &Tour{End: func() error { return nil }}
		a.deps.Review = func(q annotate.QueueName, w annotate.Annotator) Screen {
			return &labelling{reviewing: reviewing{name: q, who: w}}
		}
		a.size(80, 24)
		a.press("tab", "enter")
		if !strings.Contains(a.View(), "━━━───── label three") {
			t.Errorf("after the queue:\n%s", a.View())
		}
		p.acted += enough
		a.send(rested{})
		a.press("]")
		if !strings.Contains(a.View(), "━━━━━━── ctrl+p") {
			t.Errorf("after the report:\n%s", a.View())
		}
	})
}
