package review

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/sitting"
)

// nasty are answers that break screens.
func nasty() map[string]string {
	return map[string]string{
		"escapes":  "\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;QUFB\x07\x1bP+q544e\x1b\\\x1b[?1049h A \x9b31m",
		"controls": "a\rb\x00c\x7fd\x08\x08\x08e\x0b\x0cf\tg\u0085h\u2028i",
		"large":    strings.Repeat("The answer might be A, or B; ", 10<<20/29),
		"line":     strings.Repeat("x", 2<<20),
		"empty":    "",
		"blank":    " \n\t\n   ",
		"invalid":  "A\xff\xfe\xc3( is it \xed\xa0\x80 B",
		"rtl":      "الإجابة هي (B) لأن המשולש הצהוב נמצא \u202emirror\u202c \u2067x",
		"wide":     "答案是選項Ｂ，因為圖中的三角形是黃色的。" + strings.Repeat("寬", 300),
		"emoji":    "👩‍👩‍👧‍👦 the 🟨🔺 is ❤️ 👍🏽 🇩🇪🇫🇷 " + strings.Repeat("🟥", 200),
		"zalgo":    "A" + strings.Repeat("\u0336\u0310\u0489", 500) + " it is",
		"joiners":  strings.Repeat("\u200d\ufe0f\u200b", 1000) + "B\U000E0041\U000E0042",
		"jamo":     strings.Repeat("\u1100\u1161", 200) + strings.Repeat("\u1160", 200),
	}
}

// checkFrame holds what is true of every frame.
func checkFrame(t *testing.T, d *desk, what string) {
	t.Helper()
	view := d.m.View()
	lines := strings.Split(view, "\n")
	if len(lines) != max(d.m.Height, 1) && d.m.Height > 0 {
		t.Fatalf("%s: %d lines on %d", what, len(lines), d.m.Height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > d.m.Width {
			t.Fatalf("%s: line %d is %d wide on %d: %q", what, i, w, d.m.Width, l)
		}
	}
	if !utf8.ValidString(view) {
		t.Fatalf("%s: the frame is no UTF-8", what)
	}
	for _, r := range ansi.Strip(view) {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			t.Fatalf("%s: the frame lets %U through", what, r)
		}
	}
}

func TestNastyTextBreaksNoScreen(t *testing.T) {
	for name, text := range nasty() {
		t.Run(name, func(t *testing.T) {
			b := newBench(2)
			short := text
			if len(short) > 4000 {
				short = short[:4000]
			}
			b.items[0].Prediction = text
			b.items[0].Question, b.items[0].Hint = short, short
			b.items[0].Options[1].Text = short
			b.items[0].Sample = eval.SampleID(short)
			b.items[0].Pictures = append(b.items[0].Pictures, eval.Picture{Name: short}, eval.Picture{Hash: "gone", Name: short})
			b.readings[1].Raw, b.readings[1].Extractor = short, short
			b.queue.Guideline = short
			sizes := [][2]int{{60, 24}, {120, 40}}
			if len(text) > 1<<20 {
				sizes = sizes[:1]
			}
			for _, size := range sizes {
				d := sit(t, b, theme(termenv.ANSI256, true), size[0], size[1])
				checkFrame(t, d, name)
				for _, key := range []string{
					"pgdown", "end", "tab", "pgdown", "p", "z", "p", "z", "i", "pgdown", "esc", "1", "left", "r", "pgdown",
				} {
					start := time.Now()
					d.press(key)
					checkFrame(t, d, name+" "+key)
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
		"1", "2", "3", "4", "5", "0", "A", "B", "C", "D", "Z", "x", "m", "d", "s", "f", "n", "u", "u", "ctrl+r", "r", "z",
		"p", "i", "left", "right", "enter", "tab", "j", "k", "pgdown", "pgup", "g", "e", "esc", "esc", "ctrl+s", "y", "backspace",
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := newBench(1 + r.IntN(9))
		i := 0
		for _, text := range nasty() {
			if i < len(b.items) && len(text) < 1<<20 {
				b.items[i].Prediction = text
				i++
			}
		}
		b.queue.Growing = r.IntN(2) == 0
		d := sit(t, b, theme(termenv.Ascii, true), 80, 24)
		for range 120 {
			k := keys[r.IntN(len(keys))]
			what := fmt.Sprintf("seed %d, key %s", seed, k)
			before, at := copyState(d.m.Session), d.m.Session.At()
			count := len(d.journal.acts)
			d.press(k)
			checkFrame(t, d, what)
			if acts := d.journal.acts; len(acts) == count+1 && undoable(&acts[count]) && d.m.Mode != sitting.Noting && r.IntN(4) == 0 {
				d.press("u")
				if got := copyState(d.m.Session); !reflect.DeepEqual(got, before) || d.m.Session.At() != at {
					t.Fatalf("%s: do and undo is no identity:\n%+v\n%+v", what, got, before)
				}
			}
			switch r.IntN(12) {
			case 0:
				d.m.Resize(1+r.IntN(220), 1+r.IntN(70))
				d.run(d.m.Refresh())
				checkFrame(t, d, what+", resized")
			case 1:
				front := d.m.Front()
				b.items = append(b.items, newBench(len(b.items) + 1).items[len(b.items)])
				d.run(d.m.Refresh())
				if front >= 0 && d.m.Front() != front {
					t.Fatalf("%s: growth moved the cursor", what)
				}
			case 2:
				if n := len(d.journal.acts); n > 0 {
					d.saved(parked(d.journal.acts[n-1], 1, errors.New("full\x1b[2J")), n-1)
					checkFrame(t, d, what+", failed")
					d.saved(annotate.JournalState{At: noon}, n)
				}
			}
		}
		for i, a := range d.journal.acts {
			if a.N != uint32(i+1) {
				t.Fatalf("seed %d: act %d is numbered %d", seed, i+1, a.N)
			}
		}
		if want := annotate.Fold(d.journal.acts); !reflect.DeepEqual(d.m.Session.State(), want) {
			t.Fatalf("seed %d: the screen's state is not that of its journal", seed)
		}
	}
}

func undoable(a *annotate.Act) bool { return a.Kind != annotate.TookBack && a.Kind != annotate.Looked }

func copyState(s *annotate.Session) annotate.State {
	st := s.State()
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
	d := sit(t, newBench(4), theme(termenv.Ascii, true), 80, 24)
	d.press("2", "f")
	for w := 1; w <= 200; w += 13 {
		for h := 1; h <= 60; h += 5 {
			d.m.Resize(w, h)
			d.run(d.m.Refresh())
			checkFrame(t, d, fmt.Sprintf("%dx%d", w, h))
		}
	}
}

// The key that labels paints the next item at once: within a frame of 16 ms.
func BenchmarkNextItem(b *testing.B) {
	bench := newBench(40)
	d := sit(b, bench, theme(termenv.TrueColor, true), 120, 40)
	for b.Loop() {
		if d.m.Session.Open() == 0 {
			b.StopTimer()
			d = sit(b, bench, theme(termenv.TrueColor, true), 120, 40)
			b.StartTimer()
		}
		cmd := d.m.Update(keyOf("2"))
		_ = d.m.View()
		b.StopTimer()
		d.run(cmd)
		b.StartTimer()
	}
}
