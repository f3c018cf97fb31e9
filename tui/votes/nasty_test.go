package votes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
)

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
			few := text
			if len(few) > 4000 {
				few = few[:4000]
			}
			b.items[0].Prediction, b.items[0].Against = text, few
			b.items[0].Question, b.items[0].Hint, b.items[0].Criteria = few, few, few
			b.items[0].Sample = eval.SampleID(few)
			b.items[0].Pictures = append(b.items[0].Pictures, eval.Picture{Name: few}, eval.Picture{Hash: "gone", Name: few})
			b.judges[1].Raw, b.judges[1].Judge = few, few
			b.queue.Guideline = few
			sizes := [][2]int{{60, 24}, {160, 40}}
			if len(text) > 1<<20 {
				sizes = sizes[:1]
			}
			for _, size := range sizes {
				d := sit(t, b, theme(termenv.ANSI256, true), size[0], size[1])
				checkFrame(t, d, name)
				for _, key := range []string{
					"pgdown", "G", "tab", "pgdown", "p", "z", "p", "z", "i", "pgdown", "esc", "d", "m", "l", "tab", "G", "c", "1", "left", "r", "pgdown",
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

// A random hand at random sizes: no panic, every frame fits, and the journal
// holds votes in the order that was shown.
func TestRandomHand(t *testing.T) {
	keys := []string{
		"1", "2", "t", "w", "s", "f", "n", "u", "u", "ctrl+r", "r", "z", "p", "i", "left", "right", "enter", "tab", "j", "k",
		"pgdown", "pgup", "g", "G", "esc", "esc", "ctrl+s", "d", "m", "c", "l", "o", "y", "backspace",
	}
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := newBench(1 + r.IntN(9))
		i := 0
		for _, text := range nasty() {
			if i < len(b.items) && len(text) < 1<<20 {
				b.items[i].Prediction = text
				b.sides[b.items[i].Key] = i%3 - 1
				i++
			}
		}
		d := sit(t, b, theme(termenv.Ascii, true), 80, 24)
		for range 150 {
			k := keys[r.IntN(len(keys))]
			what := fmt.Sprintf("seed %d, key %s", seed, k)
			_, key, _ := d.m.Session.Current()
			swapped, count := d.m.swapped, len(d.journal.acts)
			d.press(k)
			checkFrame(t, d, what)
			if acts := d.journal.acts; len(acts) == count+1 && acts[count].Kind == annotate.Labelled &&
				(acts[count].Reading.Swapped != swapped || acts[count].Item != key) {
				t.Fatalf("%s: shown swapped %v of %s, stored %+v", what, swapped, key, acts[count])
			}
			switch r.IntN(10) {
			case 0:
				d.m.Resize(1+r.IntN(220), 1+r.IntN(70))
				d.run(d.m.Refresh())
				checkFrame(t, d, what+", resized")
			case 1:
				if n := len(d.journal.acts); n > 0 {
					d.saved(parked(d.journal.acts[n-1], 1, errors.New("full\x1b[2J")), n-1)
					checkFrame(t, d, what+", failed")
					d.saved(annotate.JournalState{At: noon}, n)
				}
			}
		}
	}
}

// Every size has a frame of exactly that size, in every form and mode.
func TestEverySizeFits(t *testing.T) {
	for _, keys := range [][]string{{"2", "f"}, {"1", "left", "r"}, {"c", "d", "l"}, {"m"}} {
		d := sit(t, newBench(4), theme(termenv.Ascii, true), 80, 24)
		d.press(keys...)
		for w := 1; w <= 200; w += 7 {
			for h := 1; h <= 60; h += 4 {
				d.m.Resize(w, h)
				d.run(d.m.Refresh())
				checkFrame(t, d, fmt.Sprintf("%v %dx%d", keys, w, h))
			}
		}
	}
}

// What is in front does not move while it is scrolled.
func TestNothingMovesWithinAnItem(t *testing.T) {
	b := newBench(1)
	b.items[0].Prediction = strings.Repeat("It may be this or that. ", 200)
	b.items[0].Criteria = strings.Repeat("It should say which. ", 60)
	for _, size := range screens {
		d := sit(t, b, theme(termenv.Ascii, true), size[0], size[1])
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
			d.press(k)
			if got := at(); got != before {
				t.Errorf("%v: after %s the parts stand at %s, before at %s", size, k, got, before)
			}
		}
	}
}

// The key that votes paints the next pair at once: within a frame of 16 ms.
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
