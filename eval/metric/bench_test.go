package metric

import (
	"strconv"
	"testing"

	"concord/eval"
)

// A million predictions, counted with intervals and without: what clusters cost
// beside reading and counting. Questions have no image, one each, or one for
// two, or share a template by tens.
func BenchmarkTally(b *testing.B) {
	const questions = 250_000
	for name, share := range map[string]int{"no images": 0, "images": 1, "shared images": 2, "templates": -10} {
		all := make([]eval.Question, questions)
		for i := range all {
			q := ask([]string{"++++", "+-+-", "?+++", "----"}[i%4])
			q.Sample.Taxonomy = []string{"x", strconv.Itoa(i % 6), strconv.Itoa(i % 20)}
			if share > 0 {
				q.Sample.Pictures = []eval.Picture{{Hash: eval.PictureHash("image " + strconv.Itoa(i/share))}}
			}
			if share < 0 {
				q.Sample.Cluster = "template " + strconv.Itoa(-i/share)
			}
			all[i] = q
		}
		count := func() *Tally {
			t := NewTally(scheme(eval.Circular, eval.Imported))
			for i := range all {
				t.AddQuestion(&all[i])
			}
			return t
		}
		b.Run(name+"/count", func(b *testing.B) {
			for b.Loop() {
				if count().TotalCounts().Root.Vanilla.Accuracy.N != questions {
					b.Fatal("questions are lost")
				}
			}
		})
		tallied := count().TotalCounts()
		b.Run(name+"/intervals", func(b *testing.B) {
			for b.Loop() {
				for _, l := range append(tallied.Root.Descendants(), tallied.Root) {
					if l.Vanilla.Rate().N == 0 || l.Circular.Rate().N == 0 || l.CircularDifference("").N == 0 {
						b.Fatal("no questions")
					}
				}
				p := &tallied.Positions
				if p.Right.Rate("").N == 0 || p.Predicted.Rate("A", "").N == 0 || tallied.Steps.Rules.Rate("").N == 0 {
					b.Fatal("no predictions")
				}
			}
		})
	}
}
