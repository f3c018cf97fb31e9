package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/eval/stat"
)

const prompts = 10

// tuned draws a queue of several models' answers to each question, one label of
// each, and what a judge reads by ten prompts: of an answer to a hard question each
// prompt is right by chance, and over all answers as often as told.
func tuned(r *rand.Rand, questions, models int, right [prompts]float64) ([]annotate.AlignItem, [prompts]annotate.Extractor) {
	var items []annotate.AlignItem
	var reads [prompts]map[eval.Key]eval.Extraction
	var out [prompts]annotate.Extractor
	for j := range reads {
		reads[j] = make(map[eval.Key]eval.Extraction)
		out[j].Read = func(k eval.Key) (eval.Extraction, bool) { e, ok := reads[j][k]; return e, ok }
	}
	for q := range questions {
		hard := r.Float64() // of the question, for all prompts and models alike
		for m := range models {
			k := eval.Key{Run: eval.RunID(m + 1), Sample: eval.Ordinal(q)}
			said := four[r.IntN(4)].Letter
			items = append(items, annotate.AlignItem{Key: annotate.NewItemKey(k), Labels: []annotate.Label{{Annotator: "a", Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: said}}}})
			for j, p := range right {
				u := hard
				if chance(r, 0.5) {
					u = r.Float64()
				}
				e := eval.Extraction{Choice: said, Status: eval.Found}
				if u >= p {
					e.Choice = eval.Choice(wrong(said))
				}
				reads[j][k] = e
			}
		}
	}
	return items, out
}

// partSettings are the held-out figure of the prompt that was best on the
// development part, and of the best of ten looks at the held-out part.
func partSettings() []setting {
	var out []setting
	for _, c := range []struct {
		questions, models int
		from, to          float64 // of the prompts
	}{{200, 1, 0.8, 0.8}, {200, 1, 0.9, 0.95}, {80, 4, 0.8, 0.85}, {600, 1, 0.7, 0.75}} {
		var right [prompts]float64
		for j := range right {
			right[j] = c.from + (c.to-c.from)*float64(j)/(prompts-1)
		}
		draw := func(r *rand.Rand) (figures func(heldOut bool, j, of int) stat.Rate, best func(heldOut bool) int) {
			items, all := tuned(r, c.questions, c.models, right)
			seed, parts := r.Uint64(), make(map[bool][]annotate.AlignItem)
			for _, it := range items {
				held := alignment.IsHeldOut(seed, uint64(it.Key.Sample))
				parts[held] = append(parts[held], it)
			}
			figures = func(heldOut bool, j, of int) stat.Rate {
				return alignment.RateAmong(parts[heldOut], unanimous, &all[j], false, of)
			}
			return figures, func(heldOut bool) (best int) {
				top := -1.0
				for j := range all {
					if v := figures(heldOut, j, 1).Value; v > top {
						best, top = j, v
					}
				}
				return best
			}
		}
		what := fmt.Sprintf("%d questions, %d models, ten prompts, %g to %g right", c.questions, c.models, c.from, c.to)
		out = append(out,
			setting{figure: "judge tuned: chosen", what: what + ", held out once", method: robust, other: "the figure by which it was chosen", bound: true, draw: func(r *rand.Rand) []look {
				figures, best := draw(r)
				j := best(false)
				return beside(right[j], figures(true, j, 1), figures(false, j, 1))
			}},
			setting{figure: "judge tuned: best look", what: what + ", best of ten held out", method: "Bonferroni over looks", other: "at the level of one look", bound: true, draw: func(r *rand.Rand) []look {
				figures, best := draw(r)
				j := best(true)
				return beside(right[j], figures(true, j, prompts), figures(true, j, 1))
			}})
	}
	return out
}

// beside is a figure beside another one of the same truth.
func beside(truth float64, a, b stat.Rate) []look {
	return []look{{truth, a.Low, a.High}, {truth, b.Low, b.High}}
}
