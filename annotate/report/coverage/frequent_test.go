package coverage

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"concord/annotate"
	"concord/annotate/correct"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// frequentSettings are the frequent-choice baseline: the share of whichever answer
// is the most frequent, of questions whose truths have these chances.
func frequentSettings() []setting {
	var out []setting
	for _, c := range []struct {
		n int
		p []float64
	}{{60, []float64{0.25, 0.25, 0.25, 0.25}}, {300, []float64{0.25, 0.25, 0.25, 0.25}}, {300, []float64{0.4, 0.2, 0.2, 0.2}}, {1500, []float64{0.27, 0.26, 0.25, 0.22}}} {
		out = append(out, setting{
			figure: "baselines: frequent choice", what: fmt.Sprintf("%d questions, truths with chances %v", c.n, c.p), method: "bounds: maximum over classes", other: "Wilson of the most frequent", bound: true,
			draw: func(r *rand.Rand) []look {
				t := metric.NewTally(scheme(eval.Vanilla))
				for o := range c.n {
					truth := four[drawn(r, c.p)].Letter
					q := question(o, 1, func(int, eval.Choice) string { return "A" })
					q.Sample.Answer = truth
					t.AddQuestion(&q)
				}
				return rate(slices.Max(c.p), t.TotalCounts().Root.FrequentChoiceBaseline(""))
			},
		})
	}
	for _, p := range [][]float64{{0.25, 0.25, 0.25, 0.25}, {0.34, 0.31, 0.2, 0.15}} {
		out = append(out, setting{
			figure: "baselines: frequent choice", what: fmt.Sprintf("6 dimensions of 250 questions, truths with chances %v in each", p), method: "bounds: maximum over classes in each", other: "Wilson of the most frequent in each", bound: true,
			draw: func(r *rand.Rand) []look {
				t := metric.NewTally(scheme(eval.Vanilla))
				for o := range 1500 {
					q := question(o, 1, func(int, eval.Choice) string { return "A" })
					q.Sample.Answer, q.Sample.Taxonomy = four[drawn(r, p)].Letter, []string{fmt.Sprint("dimension ", o%6)}
					t.AddQuestion(&q)
				}
				return rate(slices.Max(p), t.TotalCounts().Root.FrequentChoiceBaseline(""))
			},
		})
	}
	return out
}

// adjudicatedSettings are alignments by adjudication, of people and a machine who
// make some errors alike: rulings on all disagreements and on a random tenth of
// the agreements.
func adjudicatedSettings() []setting {
	var out []setting
	for _, c := range []struct {
		items       int
		right, same float64 // the machine is right, and people err as it does
	}{{300, 0.9, 0.3}, {1000, 0.9, 0.3}, {1000, 0.8, 0.1}, {3000, 0.97, 0.5}, {1500, 0.8, 0.5}, {3000, 0.7, 0.3}} {
		out = append(out, setting{
			figure: "alignment: adjudicated", what: fmt.Sprintf("%d items, %g read right, people err alike in %g of the errors", c.items, c.right, c.same),
			method: "strata, a random share of the agreements", other: "agreements as they are", warned: 0.1*float64(c.items)*(1-c.right)*c.same < stat.FewRare,
			draw: func(r *rand.Rand) []look {
				var items []annotate.AlignItem
				reads := make(map[eval.Key]eval.Extraction)
				picked := func(l eval.Choice) annotate.Reading {
					return annotate.Reading{Kind: annotate.PickedOption, Choice: l}
				}
				for q := range c.items {
					k, truth := eval.Key{Run: 1, Sample: eval.Ordinal(q)}, four[r.IntN(4)].Letter
					read, said := truth, truth
					if !chance(r, c.right) {
						if read = eval.Choice(wrong(truth)); chance(r, c.same) {
							said = read
						}
					}
					it := annotate.AlignItem{Key: annotate.NewItemKey(k), Audited: chance(r, 0.1), Labels: []annotate.Label{{Annotator: "a", Reading: picked(said)}}}
					if read != said || it.Audited {
						it.Ruling = &annotate.Ruling{Reading: picked(truth)}
					}
					reads[k], items = eval.Extraction{Choice: read, Status: eval.Found}, append(items, it)
				}
				x := []annotate.Extractor{{Name: "x", Read: func(k eval.Key) (eval.Extraction, bool) { return reads[k], true }}}
				a := alignedBy(items, x, annotate.Basis{Policy: annotate.Adjudicated})[0].Adjudicated
				if a.Estimate.WhyUndefined() != "" {
					return nil
				}
				return []look{{c.right, a.Estimate.Low, a.Estimate.High}, {c.right, a.Alignment.Low, a.Alignment.High}}
			},
		})
	}
	return out
}

// strataSettings are corrected shares over strata that are drawn from alike, and
// of one stratum near an end.
func strataSettings() []setting {
	var out []setting
	for _, c := range []struct {
		strata, size, labels int
		wrong, low, high     float64
	}{
		{20, 100, 10, 0.2, 0.05, 0.95},
		{20, 100, 19, 0.2, 0.05, 0.95},
		{20, 100, 20, 0.2, 0.05, 0.95},
		{20, 100, 30, 0.2, 0.05, 0.95},
		{20, 100, 50, 0.2, 0.05, 0.95},
		{50, 100, 20, 0.2, 0.05, 0.95},
		{1, 1000, 50, 0.1, 0.9, 0.9},
		{1, 1000, 100, 0.1, 0.97, 0.97},
		{1, 1000, 100, 0.1, 0.5, 0.5},
		{1, 1000, 200, 0.1, 0.7, 0.7},
	} {
		mean := func(i int) float64 {
			if c.strata == 1 {
				return c.low
			}
			return c.low + (c.high-c.low)*float64(i)/float64(c.strata-1)
		}
		truth := (c.low + c.high) / 2
		out = append(out, setting{
			figure: "corrected: accuracy", what: fmt.Sprintf("%d strata of %d, %d labels each, %g to %g right, %g misread", c.strata, c.size, c.labels, c.low, c.high, c.wrong),
			method: "PPI++, Wilson's at the effective size", other: "people alone", warned: float64(c.strata*c.labels)*(1-truth) < 10,
			draw: func(r *rand.Rand) []look {
				strata := make([]correct.Stratum, c.strata)
				for g := range strata {
					for i := range c.size {
						it := correct.Item{}
						if chance(r, mean(g)) {
							it.People = 1
						}
						if it.Machine = it.People; chance(r, c.wrong) {
							it.Machine = 1 - it.People
						}
						if i < c.labels {
							strata[g].Labelled = append(strata[g].Labelled, it)
						} else {
							strata[g].Unlabelled = append(strata[g].Unlabelled, it.Machine)
						}
					}
				}
				s := correct.ComputeScore(strata, correct.Options{High: 1, Confidence: stat.Confidence})
				return []look{{truth, s.Corrected.Low, s.Corrected.High}, {truth, s.People.Low, s.People.High}}
			},
		})
	}
	return out
}
