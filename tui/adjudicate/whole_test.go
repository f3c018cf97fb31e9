package adjudicate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A key that settles counts for what the frame shows: the question, all options
// or the page with the one that is meant, and the response.
func TestNoKeySettlesWhatIsNotShown(t *testing.T) {
	for _, size := range [][2]int{{40, 9}, {59, 21}, {60, 17}, {80, 20}, {100, 10}, {120, 37}, {200, 57}} {
		c := newCourt()
		d := sit(t, c, "cy", size[0], size[1])
		d.press(" ")
		for i, k := range []string{"end", "b", "home", "1", "-", " ", "end", "0", "left", "down", "c", "ctrl+x", "2"} {
			frame := strings.Join(strings.Fields(ansi.Strip(d.m.View())), " ")
			if d.m.ItemInFront() == nil { // the root drops the key
				continue
			}
			before := len(c.acts)
			d.press(k)
			if len(c.acts) == before || k == " " {
				continue
			}
			for _, want := range []string{"Which animal", "A a cat", "B a dog", "0 none", "- refused", "┃"} {
				if !strings.Contains(frame, want) {
					t.Fatalf("%v: %s (%d) settled without %q in sight:\n%s", size, k, i, want, fmt.Sprint(d.m.View()))
				}
			}
		}
		if len(c.acts) == 0 {
			t.Errorf("%v: nothing was settled:\n%s", size, d.m.View())
		}
	}
}
