package label

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
)

// A long response shows its head and its tail; a key unfolds it, and so does
// scrolling. The next item is folded again.
func TestLongResponsesAreFolded(t *testing.T) {
	b := newBench(2)
	for i := range b.Items {
		b.Items[i].Prediction = "It begins here.\n" + strings.Repeat("It goes on.\n", 80) + "So the answer is B."
	}
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	for _, key := range []string{"enter", "down"} {
		d.CheckShows("It begins here.", "lines collapsed: enter expands", "So the answer is B.")
		d.Press(key)
		d.CheckSeesNot("collapsed", "So the answer is B.")
		d.Press("end")
		d.CheckShows("So the answer is B.")
		if d.Press("enter"); key == "enter" {
			d.CheckShows("collapsed")
		}
		d.Press("2")
	}
}

// After the reveal the part that an extractor matched is marked, and in sight.
func TestWhatAnExtractorMatchedIsMarked(t *testing.T) {
	b := newBench(1)
	before := strings.Repeat("It goes on.\n", 80)
	b.Items[0].Prediction = before + "The answer is B, I think.\n" + before
	b.readings[0].Matched, b.readings[0].From = "answer is B", len(before)+4
	b.readings[0].Extraction = eval.Extraction{Status: eval.Found, Choice: "B"}
	d := sit(t, b, annotationtest.NewTheme(termenv.ANSI256, true), 80, 24)
	d.CheckSeesNot("The answer is B")
	d.Press("2", "left", "ctrl+e")
	d.CheckShows("The answer is B, I think.", "out of “answer is B”")
	if view := d.m.View(); !strings.Contains(view, d.m.Theme.Selected.Render("answer is B")) {
		t.Errorf("what was matched is not marked:\n%s", view)
	}
}

// The guideline stands beside the first item where there is room, and leaves the
// width to the item once something was said; elsewhere a line opens it.
func TestTheGuidelineStandsBesideTheFirstItem(t *testing.T) {
	b := newBench(3)
	b.Queue.Guideline = annotate.Guideline{Version: 2, Text: "Read the last sentence."}
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 160, 40)
	d.CheckShows("Read the last sentence.", "Version 2", "1. Which shape", "4 D", "Model response")
	annotationtest.CheckFrameFits(t, d.m.View(), 160, 37, "beside")
	d.Press("2")
	d.CheckSeesNot("Read the last sentence.")
	d.CheckShows("2. Which shape")
	d = sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckSeesNot("Read the last sentence.")
	d.CheckShows("; opens the guideline", "4 D")
}
