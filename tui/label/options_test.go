package label

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
)

// At every size the frame has something of the question and of the answer, and
// no key chooses an option that it does not show: it turns to the page with it.
func TestOptionsNeverScrollAway(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 11))
	for range 150 {
		n, width, height := 2+rnd.IntN(25), 40+rnd.IntN(161), 11+rnd.IntN(50) // three lines of which are the root's
		b := newBench(1)
		b.Items[0].Question = "Qst " + strings.Repeat("which of these it is ", rnd.IntN(60))
		b.Items[0].Prediction = "Rsp " + strings.Repeat("it may be this or that ", rnd.IntN(200))
		b.Items[0].Options = nil
		if rnd.IntN(2) == 0 {
			b.Items[0].Pictures = nil
		}
		for i := range n {
			b.Items[0].Options = append(b.Items[0].Options, eval.Option{Letter: eval.Choice(rune('A' + i)), Text: fmt.Sprintf("o%02d %s", i, strings.Repeat("words ", rnd.IntN(30)))})
		}
		d := sit(t, b, annotationtest.NewTheme(termenv.Ascii, true), width, height)
		for range rnd.IntN(3) {
			d.Press(">")
		}
		d.Press("down", "down", "up", "home", "tab", "home")
		d.CheckShows("Qst", "Rsp", "0 none")
		pick := rnd.IntN(n)
		shown := func() bool { return strings.Contains(ansi.Strip(d.m.View()), fmt.Sprintf("o%02d", pick)) }
		key := string(rune('A' + pick))
		if !shown() {
			if d.Press(key); len(d.Journal.Acts) > 0 || !shown() {
				t.Fatalf("%dx%d, %d options: %s recorded %d acts of an option out of sight:\n%s", width, height, n, key, len(d.Journal.Acts), d.m.View())
			}
		}
		if d.Press(key); len(d.Journal.Acts) != 1 || string(d.Journal.Acts[0].Reading.Choice) != key {
			t.Fatalf("%dx%d, %d options: %s recorded %+v:\n%s", width, height, n, key, d.Journal.Acts, d.m.View())
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

// The notice of an undo has the word of a label, where the queue has labels of its own.
func TestUndoNamesALabelOfItsOwn(t *testing.T) {
	d := sit(t, newBench(2), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	q := d.m.Session.Own.Queue()
	q.Labels, _ = annotate.NewLabelSet("quality", []string{"good", "blurred"}, nil)
	d.m.Session.Own.SetQueue(q)
	d.Press("A", "ctrl+z")
	if want := []string{"undid: label good on item 1"}; !slices.Equal(d.Notices, want) {
		t.Errorf("notices %q", d.Notices)
	}
}
