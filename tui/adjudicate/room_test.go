package adjudicate

import (
	"strings"
	"testing"

	"concord/tui/widget"
)

// The answer and what was made of it take the room of picture and question, and
// a line of the question and one of the options stay, from item to item.
func TestWhatWasMadeOfItFillsTheDesk(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {80, 21}, {120, 37}, {200, 47}} {
		d := sit(t, newCourt(), "eve", size[0], size[1])
		d.press("tab", "d", " ", "A")
		rule := func() int { return strings.Index(strings.Split(d.m.View(), "\n")[8], "│") }
		fits := func() {
			t.Helper()
			for _, l := range strings.Split(d.m.View(), "\n") {
				if widget.TextWidth(l) != size[0] {
					t.Errorf("%v: %d cells in %q", size, widget.TextWidth(l), l)
				}
			}
		}
		normal := rule()
		d.press(">")
		fits()
		half := rule()
		d.press(">")
		fits()
		if wide := size[0] >= wideFrom; wide && (half >= normal || half < 0) || rule() >= 0 {
			t.Errorf("%v: the rule stands at %d, then %d, then %d", size, normal, half, rule())
		}
		d.sees("Model response", "People", "A a")
		d.press("right")
		d.sees("Model response")
		d.press("<", "<")
		d.sees("0 none")
		if rule() != normal {
			t.Errorf("%v: the rule stands at %d again", size, rule())
		}
	}
}
