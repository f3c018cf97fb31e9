package vote

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/annotation"
	"concord/tui/annotation/annotationtest"
	"concord/tui/widget"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // goldens show the time of day
	os.Exit(m.Run())
}

// bench is a queue of pairs with everything else that the screen asks for.
type bench struct {
	annotationtest.Bench
	judges   []eval.Preference
	revealed int
}

func (b *bench) RevealPair(context.Context, annotate.QueueName, annotate.ItemKey) (blind.RevealedPair, error) {
	b.revealed++
	return blind.RevealedPair{Model: "qwen-vl", Against: "llava-v1.5", Judges: b.judges}, nil
}

// long and short are the answers of the two runs to every question.
const (
	long = `The image shows **two shapes** in the lower row:

1. A blue square, to the left of the triangle.
2. A green star, to the right of it.

So the shape to the left is the *blue square*. It has four sides of the same length, and its colour stands out from the yellow of the triangle. Nothing else in the image is blue.`
	short = "The shape to the left of the triangle is a red circle."
)

func newBench(n int) *bench {
	b := &bench{Bench: annotationtest.Bench{
		Queue:    annotate.Queue{Name: "pairs", Overlap: 2, Items: n, Criteria: true, Rule: annotate.Rule{From: annotate.FromPairs, Seed: 1}},
		Pictures: map[eval.PictureHash][]byte{"pic": annotationtest.NewPNG(64, 48)},
		Sides:    make(map[annotate.ItemKey]int),
	}}
	for i := range n {
		k := annotate.ItemKey{Key: eval.Key{Run: 2, Sample: eval.Ordinal(i)}, Against: 1}
		b.Sides[k] = 1 // others have seen it swapped
		b.Items = append(b.Items, annotate.Item{
			Queue: "pairs", Index: i, Key: k,
			Kind: eval.KindOpen, Type: eval.ClosedEnded, Sample: eval.SampleID(fmt.Sprint(100 + i)),
			Question:   fmt.Sprintf("%d. Which shape stands to the left of the yellow triangle, and how can you tell?", i+1),
			Hint:       "Look at the lower row.",
			Pictures:   []eval.Picture{{Hash: "pic", Name: "shapes.png"}},
			Prediction: long, Against: short,
			Criteria: "1. The answer names the blue square.\n2. It says by what the shape is known: its colour, or its four equal sides.",
			Revision: "rev",
		})
	}
	b.judges = []eval.Preference{
		{Pair: eval.Pair{First: 2, Second: 1}, Ballot: eval.Ballot{Judge: "judge-x", Criteria: true}, Vote: eval.Answer1, Raw: "Both see it.\nAnswer1"},
		{Pair: eval.Pair{First: 1, Second: 2}, Ballot: eval.Ballot{Judge: "judge-x", Criteria: true}, Vote: eval.Answer1, Raw: "Answer1"},
	}
	return b
}

// desk is the screen with its surroundings.
type desk struct {
	annotationtest.Harness
	m *Model
}

// sit opens the screen on a terminal of this size; the root takes three lines.
func sit(t testing.TB, b *bench, th *widget.Theme, width, height int) *desk {
	t.Helper()
	d := &desk{Harness: annotationtest.Harness{T: t, Journal: &annotationtest.Notebook{}}}
	d.m = New(t.Context(), Deps{Deps: annotation.Deps{Queue: "pairs", Annotator: "ann", Theme: th, Items: b, Pictures: b, Journal: d.Journal, Now: annotationtest.Noon}, Revealer: b})
	d.Screen = d.m
	d.m.Resize(width, height-3)
	d.Run(d.m.OpenQueue())
	return d
}
