package vote

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
)

func TestNastyTextBreaksNoScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("draws much, and nothing at once: the race detector has nothing to see")
	}
	for name, text := range annotationtest.NastyTexts() {
		t.Run(name, func(t *testing.T) {
			b := newBench(2)
			few := text
			if len(few) > 4000 {
				few = few[:4000]
			}
			b.Items[0].Prediction, b.Items[0].Against = text, few
			b.Items[0].Question, b.Items[0].Hint, b.Items[0].Criteria = few, few, few
			b.Items[0].Sample = eval.SampleID(few)
			b.Items[0].Pictures = append(b.Items[0].Pictures, eval.Picture{Name: few}, eval.Picture{Hash: "gone", Name: few})
			b.judges[1].Raw, b.judges[1].Judge = few, few
			b.Queue.Guideline = annotate.Guideline{Version: 1, Text: few}
			sizes := [][2]int{{60, 24}, {160, 40}}
			if len(text) > 1<<20 {
				sizes = sizes[:1]
			}
			for _, size := range sizes {
				d := sit(t, b, annotationtest.NewTheme(termenv.ANSI256, true), size[0], size[1])
				annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, name)
				for _, key := range []string{
					"pgdown", "end", "tab", "pgdown", ".", "*", ".", "*", ";", "pgdown", "esc", "$", "#", ">", "&", "tab", "end", "|", "1", "left", "ctrl+e", "pgdown",
				} {
					start := time.Now()
					d.Press(key)
					annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, name+" "+key)
					if took := time.Since(start); took > 2*time.Second {
						t.Errorf("%s took %v", key, took)
					}
				}
			}
		})
	}
}

// A random hand at random sizes: no panic, every frame fits, and the journal
// holds votes in the order that was shown.
func TestRandomHand(t *testing.T) {
	keys := []string{
		"1", "2", "=", "0", "ctrl+n", "!", ",", "ctrl+z", "ctrl+z", "ctrl+y", "ctrl+e", "*", ".", ";", "left", "right", " ", "enter", "tab", "down", "up",
		"pgdown", "pgup", "home", "end", "esc", "esc", "ctrl+k", "$", "#", "+", "_", ">", "<", "|", "&", "ctrl+f", "ctrl+x", "backspace",
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := newBench(1 + r.IntN(9))
		i := 0
		for _, text := range annotationtest.NastyTexts() {
			if i < len(b.Items) && len(text) < 1<<20 {
				b.Items[i].Prediction = text
				b.Sides[b.Items[i].Key] = i%3 - 1
				i++
			}
		}
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
		for range 150 {
			k := keys[r.IntN(len(keys))]
			what := fmt.Sprintf("seed %d, key %s", seed, k)
			_, key, _ := d.m.Session.Walk.Current()
			swapped, count := d.m.pair.swapped, len(d.Journal.Acts)
			d.Press(k)
			annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, what)
			if acts := d.Journal.Acts; len(acts) == count+1 && acts[count].Kind == annotate.Labelled &&
				(acts[count].Reading.Swapped != swapped || acts[count].Item != key) {
				t.Fatalf("%s: shown swapped %v of %s, stored %+v", what, swapped, key, acts[count])
			}
			switch r.IntN(10) {
			case 0:
				d.m.Resize(1+r.IntN(220), 1+r.IntN(70))
				d.Run(d.m.Refresh())
				annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, what+", resized")
			case 1:
				if n := len(d.Journal.Acts); n > 0 {
					d.TellSaved(annotationtest.NewParkedState(d.Journal.Acts[n-1], 1, errors.New("full\x1b[2J")), n-1)
					annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, what+", failed")
					d.TellSaved(session.JournalState{At: annotationtest.Noon()}, n)
				}
			}
		}
	}
}

// Every size has a frame of exactly that size, in every form and mode.
func TestEverySizeFits(t *testing.T) {
	if testing.Short() {
		t.Skip("draws much, and nothing at once: the race detector has nothing to see")
	}
	for _, keys := range [][]string{{"2", "!"}, {"1", "left", "ctrl+e"}, {"|", "$", "&"}, {"#"}} {
		d := sit(t, newBench(4), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
		d.Press(keys...)
		for w := 1; w <= 200; w += 7 {
			for h := 1; h <= 60; h += 4 {
				d.m.Resize(w, h)
				d.Run(d.m.Refresh())
				annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, fmt.Sprintf("%v %dx%d", keys, w, h))
			}
		}
	}
}

// What is in front does not move while it is scrolled.
func TestNothingMovesWithinAnItem(t *testing.T) {
	b := newBench(1)
	b.Items[0].Prediction = strings.Repeat("It may be this or that. ", 200)
	b.Items[0].Criteria = strings.Repeat("It should say which. ", 60)
	for _, size := range annotationtest.TerminalSizes() {
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), size[0], size[1])
		at := func() (out string) {
			for i, l := range strings.Split(ansi.Strip(d.m.View()), "\n") {
				if strings.Contains(l, "Answer 1 ") || strings.Contains(l, "Answer 2 ") {
					out += fmt.Sprint(i, " ")
				}
			}
			return out
		}
		before := at()
		for _, k := range []string{"j", "pgdown", "G", "f", "tab", "j", "G", "l", "tab", "G", "g"} {
			d.Press(k)
			if got := at(); got != before {
				t.Errorf("%v: after %s the parts stand at %s, before at %s", size, k, got, before)
			}
		}
	}
}

// The key that votes paints the next pair at once: within a frame of 16 ms.
func BenchmarkNextItem(b *testing.B) {
	bench := newBench(40)
	d := sit(b, bench, annotationtest.NewTheme(termenv.TrueColor, true), 120, 40)
	for b.Loop() {
		if d.m.Session.Walk.CountOpen() == 0 {
			b.StopTimer()
			d = sit(b, bench, annotationtest.NewTheme(termenv.TrueColor, true), 120, 40)
			b.StartTimer()
		}
		cmd := d.m.Update(annotationtest.NewKeyMsg("2"))
		_ = d.m.View()
		b.StopTimer()
		d.Run(cmd)
		b.StartTimer()
	}
}
