package label

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

// bench is a queue with everything else that the screen asks for.
type bench struct {
	annotationtest.Bench
	readings []blind.MachineReading
	revealed int
}

func (b *bench) ReadMachinesForTotals(ctx context.Context, q annotate.QueueName, k annotate.ItemKey) (blind.Revealed, error) {
	return b.Reveal(ctx, q, k, false)
}

func (b *bench) Reveal(context.Context, annotate.QueueName, annotate.ItemKey, bool) (blind.Revealed, error) {
	b.revealed++
	return blind.Revealed{Model: "llava-v1.5", Truth: "C", Readings: b.readings}, nil
}

func newBench(n int) *bench {
	b := &bench{Bench: annotationtest.Bench{
		Queue:    annotate.Queue{Name: "unparsable", Overlap: 1, Items: n, Rule: annotate.Rule{From: annotate.FromUnparsable, Rules: "concord@1"}},
		Pictures: map[eval.PictureHash][]byte{"pic": annotationtest.NewPNG(64, 48)},
	}, readings: []blind.MachineReading{
		{Extractor: "rules:concord", Extraction: eval.Extraction{Status: eval.Missing}},
		{Extractor: "judge-7b", Judge: true, Extraction: eval.Extraction{Status: eval.Found, Choice: "B"}, Raw: "B, since it says\nthe second one"},
	}}
	for i := range n {
		b.Items = append(b.Items, annotate.Item{
			Queue: "unparsable", Index: i, Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}),
			Kind: eval.KindChoice, Sample: eval.SampleID(fmt.Sprint(100 + i)),
			Question: fmt.Sprintf("%d. Which shape stands to the left of the yellow triangle?", i+1),
			Hint:     "Look at the lower row.",
			Options: []eval.Option{
				{Letter: "A", Text: "A red circle"},
				{Letter: "B", Text: "A blue square"},
				{Letter: "C", Text: "A green star"},
				{Letter: "D", Text: "None of the above"},
			},
			Pictures: []eval.Picture{{Hash: "pic", Name: "shapes.png"}},
			Prediction: "Let me look at the image. There are two shapes in the lower row, and the one on the left of the " +
				"triangle has four sides of the same length.\n\nSo it would be the blue one, I think.",
		})
	}
	return b
}

// desk is the screen with its surroundings.
type desk struct {
	annotationtest.Harness
	m *Model
}

// closed is a desk whose queue is not open yet.
func closed(t testing.TB, b *bench, th *widget.Theme) *desk {
	t.Helper()
	d := &desk{Harness: annotationtest.Harness{T: t, Journal: &annotationtest.Notebook{}}}
	d.m = New(t.Context(), Deps{Deps: annotation.Deps{Queue: "unparsable", Annotator: "ann", Theme: th, Items: b, Pictures: b, Journal: d.Journal, Now: annotationtest.Noon}, Revealer: b})
	d.Screen = d.m
	return d
}

// sit opens the screen on a terminal of this size; the root takes three lines.
func sit(t testing.TB, b *bench, th *widget.Theme, width, height int) *desk {
	t.Helper()
	d := closed(t, b, th)
	d.m.Resize(width, height-3)
	d.Run(d.m.OpenQueue())
	return d
}
