package label

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/tui/annotation/annotationtest"
)

// The answer takes the room of picture, question and options, half and whole,
// and keeps a line of the question and one of the options, from item to item
// and when the screen is opened again.
func TestTheAnswerFillsTheScreen(t *testing.T) {
	for _, size := range annotationtest.TerminalSizes() {
		th, b := annotationtest.NewTheme(termenv.Ascii, true), newBench(3)
		for i := range b.Items {
			b.Items[i].Prediction = strings.Repeat("one more line of the answer\n", 80)
		}
		d := sit(t, b, th, size[0], size[1])
		lines := func() int { return strings.Count(d.m.View(), "one more line") }
		normal := lines()
		d.Press(">")
		half := lines()
		d.Press(">")
		full := lines()
		if full <= normal || half < normal || half > full || full < size[1]-12 {
			t.Errorf("%v: %d lines of the answer, then %d, then %d", size, normal, half, full)
		}
		d.CheckShows("1. Which shape", "1 A ")
		d.Press("tab")
		d.CheckShows("the answer has the whole screen")
		d.Press("1")
		d.CheckShows("2. Which shape")
		if lines() != full {
			t.Errorf("%v: the next answer has %d lines", size, lines())
		}
		again := sit(t, b, th, size[0], size[1])
		if n := strings.Count(again.m.View(), "one more line"); n != full {
			t.Errorf("%v: opened again, the answer has %d lines", size, n)
		}
		d.Press("<", "<")
		if lines() != normal {
			t.Errorf("%v: %d lines again", size, lines())
		}
	}
}
