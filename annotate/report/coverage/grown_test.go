package coverage

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"concord/annotate"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/reporttest"
	"concord/eval"
)

// grownSettings are corrected accuracies by a queue that grew while a run over a
// sorted dataset went on, in which the first questions are easy and the last ones
// hard. An annotator keeps pace with a part of the run, and labels in the order
// offered after it. While the run goes on the truth is that of the answered part,
// and after it that of questions like these.
func grownSettings() []setting {
	var out []setting
	for _, c := range []struct {
		pace, share float64 // share of the queue that is labelled; 0: looked at in the middle of the run
	}{{1, 0}, {0, 0.25}, {0, 0.5}, {0, 1}, {1, 0.6}, {1, 1}} {
		what := fmt.Sprintf("400 sorted questions, pace kept with %g of the first half, %g labelled after the run", c.pace, c.share)
		if c.share == 0 {
			what = fmt.Sprintf("400 sorted questions, pace kept with %g of the first half, looked at there", c.pace)
		}
		method := "labels before the first open item"
		if c.share < 1 {
			method += ", one look at a confidence sequence"
		}
		out = append(out, setting{
			figure: "corrected: growing queue", what: what, method: method, other: "people's share of all labels", bound: c.share < 1,
			warned: c.share < 0.5 || c.share == 0.6, // fewer than 30 labels count
			draw: func(r *rand.Rand) []look {
				g := newGrown(r)
				for o := range 400 {
					g.answer(r, eval.Ordinal(o))
					if float64(o) < c.pace*200 {
						g.label(1)
					}
					if c.share == 0 && o == 200 {
						break
					}
				}
				if c.share > 0 {
					g.AllQueues[0].Growing = false
					g.label(int(c.share*float64(len(g.Items["q"]))) - g.labels)
				}
				return g.look()
			},
		})
	}
	return out
}

// grown is a project whose queue grows with its run.
type grown struct {
	*reporttest.Memory
	chances []float64 // of right answers
	people  []bool
	waiting []eval.Ordinal
	labels  int
	said    int // of the labels, right
}

func newGrown(r *rand.Rand) *grown {
	g := &grown{Memory: reporttest.New()}
	for o := range 400 {
		g.AllSamples["d"] = append(g.AllSamples["d"], reporttest.NewABCDSample(o, "A"))
		g.AllSamples["d"][o].Ordinal = eval.Ordinal(o)
		g.chances = append(g.chances, 0.05+0.9*r.Float64())
	}
	slices.SortFunc(g.chances, func(a, b float64) int { return cmp.Compare(b, a) })
	g.AllDatasets = []eval.Dataset{{Name: "d", Samples: 400}}
	g.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Origin: eval.Asked, Rules: "letters"})
	g.AddQueue(annotate.FromUnparsable, 0)
	g.AllQueues[0].Growing, g.AllQueues[0].Rule.Rate, g.AllQueues[0].Rule.Seed = true, 0.7, r.Uint64()
	return g
}

// answer is the run's next answer.
func (g *grown) answer(r *rand.Rand, o eval.Ordinal) {
	right := chance(r, g.chances[o])
	g.people = append(g.people, right)
	text := wrong("A")
	if right {
		text = "A"
	}
	if chance(r, 0.4) {
		text = "hm"
	}
	g.AddResponse(1, o, 0, text)
	if text != "hm" {
		return
	}
	g.AllQueues[0].Population++
	if k := annotate.NewItemKey(eval.Key{Run: 1, Sample: o}); g.AllQueues[0].Rule.DrawsByRate(k) {
		g.AddItem(k.Key, g.AllQueues[0].Rule.Rate)
		g.waiting = append(g.waiting, o)
	}
}

// label has so many items labelled, in the order in which they are offered.
func (g *grown) label(n int) {
	rule := &g.AllQueues[0].Rule
	hash := func(o eval.Ordinal) uint64 { return rule.DrawHash(annotate.NewItemKey(eval.Key{Run: 1, Sample: o})) }
	slices.SortFunc(g.waiting, func(a, b eval.Ordinal) int { return cmp.Compare(hash(a), hash(b)) })
	n = min(max(0, n), len(g.waiting))
	for _, o := range g.waiting[:n] {
		said := eval.Choice("C")
		if g.people[o] {
			said = "A"
			g.said++
		}
		g.labels++
		g.Acts["q"] = append(g.Acts["q"], annotate.Act{
			Queue: "q", Annotator: "ann", N: uint32(g.labels), Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: o}), Kind: annotate.Labelled,
			Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: said},
		})
	}
	g.waiting = g.waiting[n:]
}

// look is what the report prints, beside what people would say of all that is
// answered.
func (g *grown) look() []look {
	r, err := accuracy.ReportAccuracy(context.Background(), g, report.Options{Reader: reporttest.NewReaders("1"), Corrected: &report.Correcting{}})
	if err != nil {
		panic(err)
	}
	c := r.Rows[0].(*accuracy.Row).Corrected
	if c.WhyUndefined() != "" {
		return nil
	}
	truth, found := 0.0, 0.0
	for o, right := range g.people {
		n := float64(len(g.people))
		if right {
			truth += 1 / n
		}
		switch text := g.AllPredictions[1][eval.Ordinal(o)][0].Text; text {
		case "A":
			found += 1 / n
		case "hm": // as the labels are on average
			found += float64(g.said) / float64(g.labels) / n
		}
	}
	if !g.AllQueues[0].Growing {
		truth = 0.5
	}
	half := (c.High - c.Low) / 2
	return []look{{truth, c.Low, c.High}, {truth, found - half, found + half}}
}
