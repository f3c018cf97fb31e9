package vote

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

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
				d.Press("2", "ctrl+n", "!", "$")
				d.TellSaved(session.JournalState{Saved: 3, At: annotationtest.Noon()}, 3)
				golden.RequireEqual(t, []byte(d.m.View()))
			})
		}
	}
}

// The other things that the screen shows, on the commonest terminal.
func TestGoldenViews(t *testing.T) {
	for name, keys := range map[string][]string{
		"reveal":  {"2", "left", "ctrl+e"},
		"done":    {"2", "2", "="},
		"differ":  {"$"},
		"written": {"#"},
		"apart":   {"&", "tab", "down"},
		"beside":  {"|"},
		"stay":    {"ctrl+f", "0"},
		"half":    {">"},
		"full":    {">", ">", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := sit(t, newBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
			d.Press(keys...)
			golden.RequireEqual(t, []byte(d.m.View()))
		})
	}
}
