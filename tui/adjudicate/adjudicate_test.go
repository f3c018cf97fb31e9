package adjudicate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"concord/annotate"
	"concord/tui/widget"
)

// An adjudicator who labelled nothing is shown nobody's word before their own,
// settles with two keys, and goes on.
func TestAnAdjudicatorIsBlindUntilTheyAnswer(t *testing.T) {
	c := newCourt()
	d := sit(t, c, "cy", 80, 24)
	d.press("tab")
	d.sees("blind: you first", "101", "!ann", "!llava")
	d.press("enter")
	d.sees("item 1 of", "Say so first", "!ann", "!gpt", "!llava")
	if c.exhibits != 0 {
		t.Error("what others said was loaded before the answer")
	}
	d.press("b")
	d.sees("ben", "50 % sure", "it says so at the end", "The answer settles on it.", "RIGHT?")
	d.press(" ")
	if got := c.kinds("cy"); got != "ruling, reveal, ruling judge_right" {
		t.Errorf("acts: %s", got)
	}
	d.sees("item 2 of", "Say so first")
	d.press("ctrl+z")
	d.sees("item 1 of")
	if r := c.folded("cy").Rulings[keyOf(1)]; r.Cause != annotate.CauseUnset || r.Reading.Choice != "B" {
		t.Errorf("after undo: %+v", r)
	}
	d.press("ctrl+z")
	d.sees("Say so first")
	if n := len(c.folded("cy").Rulings); n != 0 {
		t.Errorf("%d adjudications after two undos", n)
	}
}

// One key goes to what is contested and open, then to what else the person has
// not answered.
func TestOneKeySettlesTheNext(t *testing.T) {
	c := newCourt()
	d := sit(t, c, "cy", 80, 24)
	d.sees("blind until you answer")
	d.press(" ")
	d.sees("item 1 of 1", "Say so first") // what people agree on is accepted
	d.press("esc", "esc", "d", " ")
	d.sees("item 1 of 4", "Say so first") // the filter stays
	for range 4 {
		d.press("B", " ")
	}
	d.sees("They are adjudicated")
	if d.press("esc", " "); d.m.desk != nil {
		t.Error("what is adjudicated is offered again")
	}
	if got := len(c.folded("cy").Rulings); got != 4 {
		t.Errorf("%d adjudications", got)
	}
}

// With auto-advance an item takes one key.
func TestOneKeyAnItem(t *testing.T) {
	c := newCourt()
	d := sit(t, c, "cy", 80, 24)
	d.m.deps.Stay = false
	d.press("tab", "d", " ", "B", "B", "B", "B")
	d.sees("They are adjudicated")
	if got := len(c.folded("cy").Rulings); got != 4 {
		t.Errorf("%d adjudications", got)
	}
}

// Beside the disagreements some agreed items are adjudicated, drawn by the queue, and
// nothing on the screen tells them apart before the adjudicator's word.
func TestAgreedItemsAreAdjudicatedUnmarked(t *testing.T) {
	c := newCourt()
	c.addAgreed(60)
	q := theQueue(c.samples)
	want := map[string]bool{"104": true, "166": true} // people differ
	for i := 6; i < 66; i++ {
		if q.IsAudited(keyOf(i)) {
			want[fmt.Sprint(100+i)] = true
		}
	}
	if len(want) < 4 {
		t.Fatalf("the queue draws too few agreed items to compare: %v", want)
	}
	d := sit(t, c, "cy", 80, 24)
	d.m.deps.Stay = false
	place := regexp.MustCompile(`(?m)^ contested.*\n item \d+ of \d+  sample (\d+)`)
	got, frames := make(map[string]bool), make(map[string]bool)
	for d.press(" "); len(got) <= len(want) && place.MatchString(d.m.View()); d.press("B") {
		v := d.m.View()
		sample := place.FindStringSubmatch(v)[1]
		if got[sample] = true; sample != "104" { // its response is another one
			frames[place.ReplaceAllString(v, "")] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("adjudicated %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	if len(frames) != 1 {
		t.Errorf("%d frames differ by more than the place:\n%s", len(frames), strings.Join(slices.Collect(maps.Keys(frames)), "\n"))
	}
}

// Who was right cannot contradict the adjudication, but the answer may bear
// both readings.
func TestTheCauseFollowsTheChoice(t *testing.T) {
	c := newCourt()
	d := sit(t, c, "ann", 80, 24)
	d.press("tab", "enter") // who has labelled it sees all at once
	d.sees("ben", "gpt")
	d.press("A", "2")
	d.sees("the adjudication says otherwise: person right")
	d.press("3")
	if r := c.folded("ann").Rulings[keyOf(1)]; r.Cause != annotate.AmbiguousCause || !r.Informed {
		t.Errorf("adjudication %+v", r)
	}
	d.press("left", "ctrl+x", "1")
	if r := c.folded("ann").Rulings[keyOf(1)]; r.Cause != annotate.PersonRight {
		t.Errorf("changed to %+v", r)
	}
}

// The matrix leads to its items, the lists narrow down, and what was settled
// shows when the item view is left.
func TestEveryCellOpensItsItems(t *testing.T) {
	c := newCourt()
	d := sit(t, c, "ann", 100, 30)
	d.sees("gpt", "20.0 %", "[1]", "people ↓")
	d.press("right")
	d.sees("people read A, the machine B: 2 items")
	d.press("enter")
	d.sees("people A, machine B", "101", "105", "!102")
	d.press("enter", "B", " ", "esc")
	d.sees("✓  101", "judge right", "with adjudications")
	d.press("esc")
	d.sees("disagree (Case II): people right 0, judge right 1, ambiguous 0, both wrong 0, open 2")
	d.press("tab", "d")
	d.sees("people and extractor disagree", "!104")
	d.press("d")
	d.sees("people disagree", "104", "!101")
	d.press("d", "d", "c", "c")
	d.sees("disagree (Case II)", "102", "!103")
	d.press("o")
	d.sees("not adjudicated", "!101")
	d.press("esc", "t", "t")
	d.sees("perception / shapes", "105", "!101")
	d.press("esc", "w", "s", "s")
	d.sees("ann", "less sure than 60 %", "101")
	d.press("m", "y", "y")
	d.sees("llava", "judge right", "101", "!102")
}

func TestGolden(t *testing.T) {
	for _, size := range [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}} {
		for name, keys := range map[string][]string{
			"matrix": {"down"}, "list": {"tab"}, "blind": {"tab", "enter"},
			"settling": {"tab", "down", "enter", "B"}, "settled": {"tab", "enter", "B", " ", "left", ","},
		} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				who := annotate.Annotator("ann")
				if name == "blind" {
					who = "cy"
				}
				d := sit(t, newCourt(), who, size[0], size[1])
				d.press(keys...)
				golden.RequireEqual(t, []byte(d.m.View()))
			})
		}
	}
}

// A frame is never larger than its terminal, whatever is open.
func TestFramesFit(t *testing.T) {
	for _, keys := range [][]string{{}, {"right"}, {"tab"}, {"tab", "enter"}, {"tab", "enter", "B"}, {"tab", "enter", "B", ","}} {
		d := sit(t, newCourt(), "ann", 80, 24)
		d.press(keys...)
		for _, size := range [][2]int{{1, 1}, {3, 2}, {20, 5}, {59, 10}, {60, 24}, {99, 24}, {100, 12}, {200, 60}} {
			d.m.Resize(size[0], size[1])
			lines := strings.Split(d.m.View(), "\n")
			if len(lines) > size[1] {
				t.Errorf("%v at %v: %d lines", keys, size, len(lines))
			}
			for _, l := range lines {
				if w := widget.TextWidth(l); w > size[0] {
					t.Fatalf("%v at %v: a line of %d cells: %q", keys, size, w, l)
				}
			}
		}
	}
}
