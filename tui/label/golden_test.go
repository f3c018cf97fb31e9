package label

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/session"
	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

func themes() map[string]*widget.Theme {
	return map[string]*widget.Theme{
		"dark":    annotationtest.NewTheme(termenv.ANSI256, true),
		"nocolor": annotationtest.NewTheme(termenv.Ascii, true),
	}
}

// The screen as it is settled, at the sizes that people have.
func TestGolden(t *testing.T) {
	for name, th := range themes() {
		for _, size := range annotationtest.TerminalSizes() {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := sit(t, newBench(12), th, size[0], size[1])
				d.Press("2", "ctrl+n", "!")
				d.TellSaved(session.JournalState{Saved: 3, At: annotationtest.Noon()}, 3)
				golden.RequireEqual(t, []byte(d.m.View()))
			})
		}
	}
}

// The other things that the screen shows, on the commonest terminal.
func TestGoldenViews(t *testing.T) {
	for name, keys := range map[string][]string{
		"reveal": {"2", "left", "ctrl+e"},
		"done":   {"2", "2", "0"},
		"guide":  {";"},
		"zoom":   {"*"},
		"note":   {",", "o", "d", "d"},
		"pick":   {"=", "a", "3"},
		"end":    {"1", "right", "right"},
		"half":   {">"},
		"full":   {">", ">", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
			d.Press(keys...)
			golden.RequireEqual(t, []byte(d.m.View()))
		})
	}
}

// How one does on the items whose answer is known stands in the header, faint,
// once ten labels are behind one.
func TestGoldenChecks(t *testing.T) {
	for _, width := range []int{80, 120} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := newBench(30)
			for i := range 6 {
				b.GoldItems = append(b.GoldItems, annotate.Gold{Key: b.Items[i].Key, Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "B"}})
			}
			b.Queue.GoldItems = len(b.GoldItems)
			d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), width, 24)
			d.Press("2", "2", "1", "2", "2", "1", "2", "2", "2")
			if c := d.m.Session.Own.CountGoldHits(); c.N > 0 {
				t.Errorf("after nine labels: %+v", c)
			}
			d.Press("2")
			golden.RequireEqual(t, []byte(d.m.View()))
		})
	}
}
