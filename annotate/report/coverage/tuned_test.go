package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/eval"
)

// tunedPrompts draws labels, and ten prompts of a judge that read them: how often the
// first reads as people do and how much more often each next one does. Prompts of one
// judge err on the same answers: half of what one reads right is by chance its own. What
// belongs to one sample, as criteria of a response do, is alike in a third of the cases.
func tunedPrompts(r *rand.Rand, answers, per int, least, step float64) (items []annotate.AlignItem, prompts []annotate.Extractor, truths []float64) {
	const n = 10
	right := make([]map[eval.Key]bool, n)
	for x := range n {
		right[x] = make(map[eval.Key]bool)
		truths = append(truths, least+step*float64(x))
		prompts = append(prompts, annotate.Extractor{Name: fmt.Sprint("judge~", x), Read: func(k eval.Key) (eval.Extraction, bool) {
			e := eval.Extraction{Choice: "A", Status: eval.Found}
			if !right[x][k] {
				e.Choice = "B"
			}
			return e, true
		}})
	}
	shared := 0.0
	for i := range answers {
		k := eval.Key{Run: 1, Sample: eval.Ordinal(i / per), Pass: eval.Pass(i % per)}
		items = append(items, annotate.AlignItem{Key: annotate.NewItemKey(k), Labels: []annotate.Label{{Annotator: "a", Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}}}})
		common := r.Float64()
		if per > 1 && i%per == 0 {
			shared = r.Float64()
		}
		if per > 1 && chance(r, 0.3) {
			common = shared
		}
		for x := range n {
			at := common
			if chance(r, 0.5) {
				at = r.Float64()
			}
			right[x][k] = at < truths[x]
		}
	}
	return items, prompts, truths
}

// tuningSettings are agreement with people of the one of ten prompts that was promoted: it
// was chosen on the development part, or is the best of ten looks at the held-out one.
func tuningSettings() []setting {
	var out []setting
	for _, c := range []struct {
		answers, per int
		least, step  float64
	}{{200, 1, 0.85, 0}, {600, 1, 0.85, 0}, {200, 1, 0.7, 0.02}, {600, 1, 0.8, 0.01}, {300, 3, 0.85, 0}, {900, 3, 0.8, 0.01}} {
		what := fmt.Sprintf("ten prompts that read %.2g to %.2g right, %d labels in two halves", c.least, c.least+9*c.step, c.answers)
		if c.per > 1 {
			what += fmt.Sprintf(", %d of a sample", c.per)
		}
		draw := func(r *rand.Rand, fromLooks bool) []look {
			items, prompts, truths := tunedPrompts(r, c.answers, c.per, c.least, c.step)
			var halves [2][]annotate.AlignItem // development, held out
			seed := r.Uint64()
			for _, it := range items {
				at := 0
				if alignment.IsHeldOut(seed, it.ClusterNumber()) {
					at = 1
				}
				halves[at] = append(halves[at], it)
			}
			best, at, chosenOn, among := -1.0, 0, halves[0], 1
			if fromLooks {
				chosenOn, among = halves[1], len(prompts)
			}
			for x := range prompts {
				if seen := alignment.RateOfAlignment(chosenOn, unanimous, &prompts[x], false, among); seen.Value > best {
					best, at = seen.Value, x
				}
			}
			look := rate(truths[at], alignment.RateOfAlignment(halves[1], unanimous, &prompts[at], false, among))
			return append(look[:1], rate(truths[at], alignment.RateOfAlignment(halves[1], unanimous, &prompts[at], false, 1))[0])
		}
		out = append(out,
			setting{figure: "judge tune: chosen on development", what: what, method: robust, other: "the same", draw: func(r *rand.Rand) []look { return draw(r, false) }},
			setting{figure: "judge tune: best of ten looks", what: what, method: "simultaneous over ten (Bonferroni)", other: "pointwise", bound: true, draw: func(r *rand.Rand) []look { return draw(r, true) }})
	}
	return out
}
