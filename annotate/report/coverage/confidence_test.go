package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/annotate/report/alignment"
)

// tooSure draws readings of a judge that tells a confidence from .5 to 1 and is right as
// often as its square. Readings of one question are right together where shared says so.
func tooSure(r *rand.Rand, questions, models int, shared float64) (items []alignment.SureItem) {
	for q := range questions {
		common := r.Float64()
		for range models {
			at := common
			if !chance(r, shared) {
				at = r.Float64()
			}
			told := 0.5 + r.Float64()/2
			items = append(items, alignment.SureItem{Cluster: uint64(q), Told: told, Agrees: at < told*told})
		}
	}
	return items
}

// confidenceSettings are the agreement in one of the bins of a judge's confidence, and
// its Brier score.
func confidenceSettings() []setting {
	const brier = 2 * (1.0/6 - 5.0/96) // of (c - y)^2 over c from .5 to 1, where y is 1 as often as c^2
	var out []setting
	for _, c := range []struct {
		questions, models int
		shared            float64
	}{{200, 1, 0}, {400, 1, 0}, {150, 4, 0.7}} {
		what := fmt.Sprintf("%d questions, %d models, %g right together", c.questions, c.models, c.shared)
		out = append(out,
			setting{figure: "confidence: agreement in a bin", what: what, method: robust, other: "Wilson over answers", warned: c.questions*c.models <= 200, draw: func(r *rand.Rand) []look {
				items := tooSure(r, c.questions, c.models, c.shared)
				_, bins := alignment.MeasureConfidence(items, false)
				bin, truth, n := bins[r.IntN(len(bins))], 0.0, 0.0
				for _, it := range items {
					if it.Told >= *bin.From && it.Told <= *bin.To {
						truth, n = truth+it.Told*it.Told, n+1
					}
				}
				return rate(truth/n, bin.Agreement)
			}},
			setting{figure: "confidence: Brier score", what: what, method: "Wilson's for a mean", draw: func(r *rand.Rand) []look {
				all, _ := alignment.MeasureConfidence(tooSure(r, c.questions, c.models, c.shared), false)
				return []look{{brier, all.Brier.Low, all.Brier.High}}
			}})
	}
	return out
}
