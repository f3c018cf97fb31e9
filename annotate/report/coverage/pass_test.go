package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// letters reads a text that is a letter as that option.
type letters struct{}

func (letters) Name() string    { return "letters" }
func (letters) Version() string { return "1" }

func (letters) Read(_ eval.Kind, _ []eval.Option, text string) eval.Extraction {
	if len(text) == 1 {
		return eval.Extraction{Choice: eval.Choice(text), Status: eval.Found}
	}
	return eval.Extraction{Status: eval.Missing}
}

var four = []eval.Option{{Letter: "A", Text: "a"}, {Letter: "B", Text: "b"}, {Letter: "C", Text: "c"}, {Letter: "D", Text: "d"}}

func scheme(s eval.Strategy) *metric.Scheme {
	return &metric.Scheme{Run: eval.Run{ID: 1, Config: eval.Config{Strategy: s, Origin: eval.Imported}}, Rules: letters{}}
}

// question has a prediction a pass; said gives its text, and gets the letter of
// the right option.
func question(o int, passes int, said func(pass int, truth eval.Choice) string) eval.Question {
	q := eval.Question{Sample: eval.Sample{Ordinal: eval.Ordinal(o), Kind: eval.KindChoice, Options: four, Answer: four[o%4].Letter}}
	for p := range passes {
		truth := q.Sample.ShowInPass(eval.Pass(p)).Answer
		q.Predictions = append(q.Predictions, eval.Prediction{
			Key: eval.Key{Run: 1, Sample: eval.Ordinal(o), Pass: eval.Pass(p)}, Text: said(p, truth),
		})
	}
	return q
}

func wrong(truth eval.Choice) string { return string("ABCD"[(truth[0]-'A'+1)%4]) }

// rate is a rate beside its truth, and beside the interval of units on their own.
func rate(truth float64, r stat.Rate) []look {
	alone := stat.NewRate(r.K, r.N)
	return []look{{truth, r.Low, r.High}, {truth, alone.Low, alone.High}}
}

const (
	robust      = "cluster-robust Wilson"
	independent = "Wilson over rows"
)

// passSettings are figures over all passes of a circular run. A question is
// known or not in most cases, and answered by chance in each pass in the others.
func passSettings() []setting {
	var out []setting
	for _, c := range []struct {
		n    int
		p    float64
		sure float64 // share of the questions whose passes all say the same
	}{{50, 0.7, 0.8}, {200, 0.7, 0.8}, {200, 0.95, 0.8}, {1000, 0.9, 0.6}} {
		run := func(r *rand.Rand) *metric.RunCounts {
			t := metric.NewTally(scheme(eval.Circular))
			for o := range c.n {
				same, hit, read := chance(r, c.sure), chance(r, c.p), chance(r, c.p)
				q := question(o, 4, func(_ int, truth eval.Choice) string {
					if !same {
						hit, read = chance(r, c.p), chance(r, c.p)
					}
					switch {
					case hit:
						return string(truth)
					case read:
						return wrong(truth)
					}
					return "I cannot tell."
				})
				t.AddQuestion(&q)
			}
			return t.TotalCounts()
		}
		what := fmt.Sprintf("%d questions, 4 passes, %g right, %g alike", c.n, c.p, c.sure)
		few := float64(c.n)*(1-c.p) < 10
		out = append(out,
			setting{figure: "accuracy: all passes", what: what, method: robust, other: independent, warned: few, draw: func(r *rand.Rand) []look {
				return rate(c.p, run(r).Positions.Right.Rate(""))
			}},
			setting{figure: "steps: step 1", what: what, method: robust, other: independent, warned: float64(c.n)*(1-c.p)*(1-c.p) < 10, draw: func(r *rand.Rand) []look {
				return rate(1-(1-c.p)*(1-c.p), run(r).Steps.Rules.Rate(""))
			}},
		)
	}
	for _, c := range []struct {
		n      int
		always float64 // share of the questions of which every pass says A
	}{{50, 0.3}, {300, 0.1}} {
		out = append(out, setting{
			figure: "positions: label A", what: fmt.Sprintf("%d questions, 4 passes, %g always A", c.n, c.always), method: robust, other: independent,
			draw: func(r *rand.Rand) []look {
				t := metric.NewTally(scheme(eval.Circular))
				for o := range c.n {
					always := chance(r, c.always)
					q := question(o, 4, func(_ int, truth eval.Choice) string {
						if always {
							return "A"
						}
						return string(truth)
					})
					t.AddQuestion(&q)
				}
				p := &t.TotalCounts().Positions
				return rate(c.always+(1-c.always)/4, p.Predicted.Rate("A", ""))
			},
		})
	}
	return out
}

// imageSettings are accuracies of questions that share an image: a model that
// cannot make it out is wrong in all of them.
func imageSettings() []setting {
	var out []setting
	for _, c := range []struct {
		images, each int
		p            float64
	}{{40, 5, 0.6}, {200, 3, 0.8}} {
		what := fmt.Sprintf("%d images of %d questions, %g right", c.images, c.each, c.p)
		out = append(out, setting{figure: "accuracy: shared images", what: what, method: robust, other: "Wilson over questions", draw: func(r *rand.Rand) []look {
			t := metric.NewTally(scheme(eval.Vanilla))
			for i := range c.images {
				clear := chance(r, 0.5)
				p := 2*c.p - 1 // mean of the two is p
				if clear {
					p = 1
				}
				for j := range c.each {
					hit := chance(r, p)
					q := question(i*c.each+j, 1, func(_ int, truth eval.Choice) string {
						if hit {
							return string(truth)
						}
						return wrong(truth)
					})
					q.Sample.Pictures = []eval.Picture{{Hash: eval.PictureHash(fmt.Sprint("image ", i))}}
					t.AddQuestion(&q)
				}
			}
			return rate(c.p, t.TotalCounts().Root.Vanilla.Rate())
		}})
	}
	return out
}
