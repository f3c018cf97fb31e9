package votes

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/tui/widget"
)

var screens = [][2]int{{60, 24}, {80, 24}, {120, 40}, {200, 50}}

func themes() map[string]*widget.Theme {
	return map[string]*widget.Theme{
		"dark":    theme(termenv.ANSI256, true),
		"nocolor": theme(termenv.Ascii, true),
	}
}

// The screen as it is settled, at the sizes that people have.
func TestGolden(t *testing.T) {
	for name, th := range themes() {
		for _, size := range screens {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := sit(t, newBench(12), th, size[0], size[1])
				d.press("2", "s", "f", "d")
				d.saved(annotate.JournalState{Saved: 3, At: noon}, 3)
				golden.RequireEqual(t, []byte(d.m.View()))
			})
		}
	}
}

// The other things that the screen shows, on the commonest terminal.
func TestGoldenViews(t *testing.T) {
	for name, keys := range map[string][]string{
		"reveal":  {"2", "left", "r"},
		"done":    {"2", "2", "t"},
		"differ":  {"d"},
		"written": {"m"},
		"apart":   {"l", "tab", "j"},
		"beside":  {"c"},
		"stay":    {"o", "w"},
	} {
		t.Run(name, func(t *testing.T) {
			d := sit(t, newBench(3), theme(termenv.Ascii, true), 80, 24)
			d.press(keys...)
			golden.RequireEqual(t, []byte(d.m.View()))
		})
	}
}
