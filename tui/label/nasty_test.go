package label

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
)

func TestNastyTextBreaksNoScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("draws much, and nothing at once: the race detector has nothing to see")
	}
	for name, text := range annotationtest.NastyTexts() {
		t.Run(name, func(t *testing.T) {
			b := newBench(2)
			short := text
			if len(short) > 4000 {
				short = short[:4000]
			}
			b.Items[0].Prediction = text
			b.Items[0].Question, b.Items[0].Hint = short, short
			b.Items[0].Options[1].Text = short
			b.Items[0].Sample = eval.SampleID(short)
			b.Items[0].Pictures = append(b.Items[0].Pictures, eval.Picture{Name: short}, eval.Picture{Hash: "gone", Name: short})
			b.readings[1].Raw, b.readings[1].Extractor = short, short
			b.Queue.Guideline = annotate.Guideline{Version: 1, Text: short}
			sizes := [][2]int{{60, 24}, {120, 40}}
			if len(text) > 1<<20 {
				sizes = sizes[:1]
			}
			for _, size := range sizes {
				d := sit(t, b, annotationtest.NewTheme(termenv.ANSI256, true), size[0], size[1])
				annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, name)
				for _, key := range []string{
					"pgdown", "end", "tab", "pgdown", ".", "*", ".", "*", ";", "pgdown", "esc", "1", "left", "ctrl+e", "pgdown",
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

// A random hand at random sizes: no panic, every frame fits, the journal
// holds what was typed, and what is done and undone is as it was.
func TestRandomHand(t *testing.T) {
	keys := []string{
		"1", "2", "3", "4", "5", "A", "B", "c", "d", "Z", "0", "=", "-", "ctrl+n", "!", ",", "ctrl+z", "ctrl+z", "ctrl+y", "ctrl+e", "*",
		".", ";", "left", "right", " ", "enter", "tab", "down", "up", "pgdown", "pgup", "home", "end", "esc", "esc", "ctrl+k", "backspace", "+", "_", ">", "<",
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := newBench(1 + r.IntN(9))
		i := 0
		for _, text := range annotationtest.NastyTexts() {
			if i < len(b.Items) && len(text) < 1<<20 {
				b.Items[i].Prediction = text
				i++
			}
		}
		b.Queue.Growing = r.IntN(2) == 0
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
		for range 120 {
			k := keys[r.IntN(len(keys))]
			what := fmt.Sprintf("seed %d, key %s", seed, k)
			before, at := copyState(d.m.Session), d.m.Session.Walk.Position()
			count := len(d.Journal.Acts)
			d.Press(k)
			annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, what)
			if acts := d.Journal.Acts; len(acts) == count+1 && undoable(&acts[count]) && d.m.Mode != annotation.Noting && r.IntN(4) == 0 {
				d.Press("ctrl+z")
				if got := copyState(d.m.Session); !reflect.DeepEqual(got, before) || d.m.Session.Walk.Position() != at {
					t.Fatalf("%s: do and undo is no identity:\n%+v\n%+v", what, got, before)
				}
			}
			switch r.IntN(12) {
			case 0:
				d.m.Resize(1+r.IntN(220), 1+r.IntN(70))
				d.Run(d.m.Refresh())
				annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, what+", resized")
			case 1:
				front := d.m.FrontIndex()
				b.Items = append(b.Items, newBench(len(b.Items) + 1).Items[len(b.Items)])
				d.Run(d.m.Refresh())
				if front >= 0 && d.m.FrontIndex() != front {
					t.Fatalf("%s: growth moved the cursor", what)
				}
			case 2:
				if n := len(d.Journal.Acts); n > 0 {
					d.TellSaved(annotationtest.NewParkedState(d.Journal.Acts[n-1], 1, errors.New("full\x1b[2J")), n-1)
					annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, what+", failed")
					d.TellSaved(session.JournalState{At: annotationtest.Noon()}, n)
				}
			}
		}
		for i, a := range d.Journal.Acts {
			if a.N != uint32(i+1) {
				t.Fatalf("seed %d: act %d is numbered %d", seed, i+1, a.N)
			}
		}
		if want := annotate.FoldActs(d.Journal.Acts); !reflect.DeepEqual(d.m.Session.Own.State(), want) {
			t.Fatalf("seed %d: the screen's state is not that of its journal", seed)
		}
	}
}

func undoable(a *annotate.Act) bool { return a.Kind != annotate.TookBack && a.Kind != annotate.Looked }

func copyState(s *session.Session) annotate.State {
	st := s.Own.State()
	out := annotate.State{
		Labels: make(map[annotate.ItemKey]annotate.Label), Skipped: make(map[annotate.ItemKey]bool),
		Flagged: make(map[annotate.ItemKey]bool), Notes: make(map[annotate.ItemKey]string), Seen: make(map[annotate.ItemKey]bool),
	}
	for k, v := range st.Labels {
		out.Labels[k] = v
	}
	for k, v := range st.Skipped {
		out.Skipped[k] = v
	}
	for k, v := range st.Flagged {
		out.Flagged[k] = v
	}
	for k, v := range st.Seen {
		out.Seen[k] = v
	}
	for k, v := range st.Notes {
		out.Notes[k] = v
	}
	return out
}

func TestEverySizeFits(t *testing.T) {
	d := sit(t, newBench(4), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("2", "!")
	for w := 1; w <= 200; w += 13 {
		for h := 1; h <= 60; h += 5 {
			d.m.Resize(w, h)
			d.Run(d.m.Refresh())
			annotationtest.CheckFrameFits(t, d.m.View(), d.m.Outer, d.m.Height, fmt.Sprintf("%dx%d", w, h))
		}
	}
}

// The key that labels paints the next item at once: within a frame of 16 ms.
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
