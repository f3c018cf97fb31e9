package label

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/eval"
	"concord/tui/annotation/annotationtest"
)

// What the text does not need is the picture's, at every size.
func TestThePictureTakesWhatTheTextLeaves(t *testing.T) {
	long := strings.Repeat("It may be this or that. ", 200)
	for _, c := range []struct {
		width, height  int
		drawing        [2]int // pixels
		answer         string
		form           pictureForm
		cols, rows     int
		answerSeesMost int // lines of the answer's pane, at most; 0: any
	}{
		{80, 24, [2]int{420, 300}, "The blue one.", corner, 39, 14, 4},
		{80, 24, [2]int{420, 300}, long, corner, 30, 11, 6},
		{60, 24, [2]int{420, 300}, "The blue one.", corner, 29, 11, 0},
		{80, 24, [2]int{40, 300}, "The blue one.", corner, 3, 14, 0},
		{80, 24, [2]int{600, 30}, "The blue one.", corner, 49, 2, 0},
		{100, 30, [2]int{420, 300}, "The blue one.", aside, 53, 23, 0},
		{100, 30, [2]int{420, 300}, long, aside, 40, 23, 0},
		{200, 50, [2]int{420, 300}, "The blue one.", aside, 103, 43, 0},
		{200, 50, [2]int{40, 300}, "The blue one.", aside, leastText, 43, 0},
	} {
		b := newBench(1)
		b.Pictures["pic"] = annotationtest.NewPNG(c.drawing[0], c.drawing[1])
		b.Items[0].Prediction = c.answer
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), c.width, c.height)
		g := d.m.item.newItemLayout(d.m.FrontBody())
		if g.form != c.form || g.picture.cols != c.cols || g.picture.rows != c.rows {
			t.Errorf("%dx%d, %v px: form %d, %dx%d cells, want form %d, %dx%d", c.width, c.height, c.drawing,
				g.form, g.picture.cols, g.picture.rows, c.form, c.cols, c.rows)
		}
		if v := d.m.item.measureExtent(); c.answerSeesMost > 0 && v.answer > c.answerSeesMost {
			t.Errorf("%dx%d: the answer has %d lines", c.width, c.height, v.answer)
		}
		d.CheckShows(c.answer[:10], "4 D   None of the above", "- refused")
	}
}

// Nothing moves while an item is in front, whatever is scrolled or marked.
func TestNothingMovesWithinAnItem(t *testing.T) {
	b := newBench(1)
	b.Items[0].Prediction = strings.Repeat("It may be this or that. ", 200)
	for _, size := range annotationtest.TerminalSizes() {
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), size[0], size[1])
		at := func() (out string) {
			for i, l := range strings.Split(ansi.Strip(d.m.View()), "\n") {
				if strings.Contains(l, "Model response") || strings.Contains(l, "does this response") || strings.Contains(l, "1 A ") {
					out += fmt.Sprint(i, " ")
				}
			}
			return out
		}
		before := at()
		for _, k := range []string{"down", "pgdown", "end", "!", "=", "a", "esc", "home"} {
			d.Press(k)
			if got := at(); got != before {
				t.Errorf("%v: after %s the parts stand at %s, before at %s", size, k, got, before)
			}
		}
	}
}

// Where the answer is seen whole and the question is not, scrolling scrolls
// the question; a picture without room says how it is seen.
func TestScrollingScrollsWhatCanScroll(t *testing.T) {
	b := newBench(1)
	b.Items[0].Prediction = "Hard to say."
	b.Items[0].Options = nil
	for i := range 26 {
		b.Items[0].Options = append(b.Items[0].Options, eval.Option{Letter: eval.Choice(rune('A' + i)), Text: fmt.Sprint("shape ", i)})
	}
	d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("shape 7", "Z shape 25", "- refused", "* shows it")
	d.CheckSeesNot("j k scroll")
	b.Items[0].Question = strings.Repeat("Which of these shapes is it? ", 40)
	d = sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("Z shape 25", "- refused", "Which of these", "lines 1-4")
	d.Press("tab")
	d.CheckShows("all of the answer is shown")
	top := d.m.View()
	if d.Press("end"); d.m.View() == top {
		t.Error("the question does not scroll")
	}
	d.CheckShows("Z shape 25")
}
