package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/annotate"
	"concord/eval"
)

// skeneSettings are alignments with people who err, by Dawid and Skene's model.
// Of hard items everybody takes the same wrong option more often.
func skeneSettings() []setting {
	var out []setting
	for _, c := range []struct {
		items int
		wrong []float64
		hard  float64
	}{{100, []float64{0.05, 0.1, 0.2}, 0}, {300, []float64{0.05, 0.1, 0.2}, 0}, {300, []float64{0.1, 0.1, 0.1, 0.1, 0.1}, 0}, {300, []float64{0.05, 0.1, 0.2}, 0.2}} {
		const right = 0.8
		what := fmt.Sprintf("%d items, people err in %g", c.items, c.wrong)
		if c.hard > 0 {
			what += fmt.Sprintf(", %g hard for everybody", c.hard)
		}
		out = append(out, setting{figure: "alignment: dawid-skene", what: what, method: "resamples with the model fitted anew", other: "majority, labels as exact", fails: c.hard > 0, slow: true, draw: func(r *rand.Rand) []look {
			items, x := erring(r, c.items, c.wrong, c.hard, right)
			soft := annotate.Align(items, x, annotate.Basis{Policy: annotate.DawidSkene, Undecided: annotate.Dropped})[0].Alignment
			most := annotate.Align(items, x, annotate.Basis{Policy: annotate.Majority, Undecided: annotate.Dropped})[0].Alignment
			return []look{{right, soft.Low, soft.High}, {right, most.Low, most.High}}
		}})
	}
	return out
}

// erring draws items that people label with errors, and a reader that is right
// as often as is said.
func erring(r *rand.Rand, n int, wrong []float64, hard, right float64) ([]annotate.AlignItem, []annotate.Extractor) {
	reads := make(map[eval.Key]eval.Extraction)
	var items []annotate.AlignItem
	for q := range n {
		k, truth, trap := eval.Key{Run: 1, Sample: eval.Ordinal(q)}, r.IntN(4), 1+r.IntN(3)
		misled := chance(r, hard)
		read := func(p float64) eval.Choice {
			switch {
			case misled && chance(r, 0.5):
				return four[(truth+trap)%4].Letter
			case chance(r, p):
				return four[(truth+1+r.IntN(3))%4].Letter
			}
			return four[truth].Letter
		}
		it := annotate.AlignItem{Key: annotate.ItemOf(k)}
		for p, e := range wrong {
			it.Labels = append(it.Labels, annotate.Label{Annotator: annotate.Annotator(rune('a' + p)), Reading: annotate.Reading{Verdict: annotate.PickedOption, Choice: read(e)}})
		}
		misled = false
		reads[k] = eval.Extraction{Status: eval.Found, Choice: read(1 - right)}
		items = append(items, it)
	}
	return items, []annotate.Extractor{{Name: "x", Read: func(k eval.Key) (eval.Extraction, bool) {
		e, ok := reads[k]
		return e, ok
	}}}
}
