package label

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation/annotationtest"
)

// newScoreBench gives a queue of open answers with their references.
func newScoreBench(n int) *bench {
	b := newBench(n)
	b.Queue.Rule = annotate.Rule{From: annotate.FromAll, Dataset: "vqa"}
	for i := range b.Items {
		it := &b.Items[i]
		it.Kind, it.Options, it.Hint = eval.KindOpen, nil, ""
		it.Question = fmt.Sprintf("%d. What stands to the left of the yellow triangle?", i+1)
		it.Reference = "A blue square"
	}
	b.readings = []blind.MachineReading{
		{Extractor: "judge-7b", Judge: true, Score: 4, Raw: "4", Extraction: eval.Extraction{Status: eval.Missing}},
		{Extractor: "judge-70b", Judge: true, Score: 2, Raw: "2", Extraction: eval.Extraction{Status: eval.Missing}},
	}
	return b
}

func TestScores(t *testing.T) {
	d := sit(t, newScoreBench(3), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.CheckShows("right answer: A blue square", "completely wrong", "completely right", "Answer to score")
	if k := d.m.Bindings()[0].Help(); k.Key != "1-5" || k.Desc != "score" {
		t.Errorf("the first key is %+v", k)
	}
	d.CheckSeesNot("refused", "ambiguous", "option")
	for key, want := range map[string]string{"6": "scores go from 1 to 5", "A": "scores go", "x": "scores go", "0": "this answer is scored", "=": "this answer is scored", "-": "this answer is scored"} {
		d.Press(key)
		d.CheckShows(want)
	}
	if len(d.Journal.Acts) != 0 {
		t.Fatalf("acts %+v", d.Journal.Acts)
	}
	d.Press("4", "5", "ctrl+z", "1", "left")
	var got []annotate.Reading
	for _, a := range d.Journal.Acts {
		if a.Kind == annotate.Labelled {
			got = append(got, a.Reading)
		}
	}
	want := []int{4, 5, 1}
	for i, r := range got {
		if i >= len(want) || r.Kind != annotate.Scored || r.Score != want[i] || r.Choice != "" {
			t.Errorf("readings %+v, want scores %v", got, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("readings %+v", got)
	}
	d.CheckShows("your answer: score 1")
	d.Press("left", "ctrl+e")
	d.CheckShows("you score 4", "= agrees   judge-7b  score 4", "≠ differs  judge-70b  score 2")
	d.CheckSeesNot("no ground truth")
}

func TestScoresAtTheEnd(t *testing.T) {
	d := sit(t, newScoreBench(2), annotationtest.NewTheme(termenv.Ascii, true), 80, 24)
	d.Press("4", "2")
	d.CheckShows("scored 2", "judge-7b", "1 of 2 agree")
}

func TestGoldenScores(t *testing.T) {
	for _, size := range annotationtest.TerminalSizes() {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := sit(t, newScoreBench(3), annotationtest.NewTheme(termenv.Ascii, true), size[0], size[1])
			d.Press("4", "left")
			golden.RequireEqual(t, []byte(d.m.View()))
		})
	}
}

func TestSpan(t *testing.T) {
	check := func(want string, keys ...string) {
		t.Helper()
		if got := formatKeyRange(keys); got != want {
			t.Errorf("%v: %q, want %q", keys, got, want)
		}
	}
	check("A", "A")
	check("A-D", "A", "B", "C", "D")
	check("B D X Z", "B", "D", "X", "Z")
	check("A-I", "A", "B", "C", "D", "E", "F", "I") // too many to be named
}
