package curate

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/widget"
)

// The text of a sample takes the room of picture and balance, half of it and
// all, from sample to sample.
func TestTheTextOfASampleFillsTheScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {80, 21}, {120, 37}, {200, 47}} {
		k := sit(t, newPool(), termenv.Ascii, nil)
		k.m.Resize(size[0], size[1])
		k.Harness.Run(k.m.Refresh())
		rule := func() int {
			lines := strings.Split(k.m.View(), "\n")
			for _, l := range lines {
				if widget.TextWidth(l) != size[0] {
					t.Errorf("%v: %d cells in %q", size, widget.TextWidth(l), l)
				}
			}
			return strings.Index(lines[4], "│")
		}
		normal := rule()
		k.press(">")
		half := rule()
		k.press(">")
		if half >= normal || half < 0 || rule() >= 0 {
			t.Errorf("%v: the text begins at %d, then %d, then %d", size, normal, half, rule())
		}
		k.press("1")
		if rule() >= 0 {
			t.Errorf("%v: the next sample has an image", size)
		}
		k.press("<", "<")
		if rule() != normal {
			t.Errorf("%v: the text begins at %d again", size, rule())
		}
	}
}
