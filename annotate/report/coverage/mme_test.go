package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/eval"
	"concord/eval/metric"
)

// yesNo reads a text that is yes or no.
type yesNo struct{ letters }

func (yesNo) Read(_ eval.Kind, _ []eval.Option, text string) eval.Extraction {
	return eval.Extraction{Choice: eval.Choice(text), Status: eval.Found}
}

// mmeSettings are figures of a subtask of MME: two questions about each image,
// of which one is to be answered yes. A model that leans to yes is right in one
// of two wherever it guesses.
func mmeSettings() []setting {
	var out []setting
	for _, c := range []struct {
		images      int
		knows, lean float64
	}{{30, 0.5, 0.9}, {100, 0.7, 0.95}, {200, 0.3, 0.6}, {200, 0.95, 0.5}, {200, 0.1, 0.95}} {
		run := func(r *rand.Rand) metric.Subtask {
			s := scheme(eval.Vanilla)
			s.Rules = yesNo{}
			t := metric.NewTally(s)
			for i := range c.images {
				knows := chance(r, c.knows)
				for j, truth := range []eval.Choice{eval.Yes, eval.No} {
					said := truth
					if !knows {
						said = eval.No
						if chance(r, c.lean) {
							said = eval.Yes
						}
					}
					o := eval.Ordinal(2*i + j)
					t.AddQuestion(&eval.Question{
						Sample:      eval.Sample{Ordinal: o, Kind: eval.KindYesNo, Answer: truth, Taxonomy: []string{eval.Perception, "OCR"}, Pictures: []eval.Picture{{Name: fmt.Sprint(i)}}},
						Predictions: []eval.Prediction{{Key: eval.Key{Run: 1, Sample: o}, Text: string(said)}},
					})
				}
			}
			f := t.TotalCounts()
			return f.MME.Subtasks()[0]
		}
		what := fmt.Sprintf("%d images, %g known, %g yes", c.images, c.knows, c.lean)
		accuracy := c.knows + (1-c.knows)/2
		plus := c.knows + (1-c.knows)*c.lean*(1-c.lean)
		out = append(out,
			setting{figure: "mme: accuracy", what: what, method: robust, other: "Wilson over questions", draw: func(r *rand.Rand) []look {
				s := run(r)
				return rate(accuracy, s.Rates().Accuracy)
			}},
			setting{figure: "mme: score", what: what, method: robust + " of accuracy and accuracy+ together", other: "sum of two Wilson intervals", draw: func(r *rand.Rand) []look {
				s := run(r)
				e, a, p := s.Score(), s.Accuracy.Rate(""), s.Plus.Rate("")
				truth := 100 * (accuracy + plus)
				return []look{{truth, e.Low, e.High}, {truth, 100 * (a.Low + p.Low), 100 * (a.High + p.High)}}
			}})
	}
	return out
}
