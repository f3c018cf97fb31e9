package coverage

import (
	"context"
	"fmt"
	"math/rand/v2"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/correct"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/stat"
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
			soft := alignedBy(items, x, annotate.Basis{Policy: annotate.DawidSkene, Undecided: annotate.Dropped})[0].Alignment
			most := alignedBy(items, x, annotate.Basis{Policy: annotate.Majority, Undecided: annotate.Dropped})[0].Alignment
			return []look{{right, soft.Low, soft.High}, {right, most.Low, most.High}}
		}})
	}
	return append(out, correctedSkeneSettings()...)
}

// correctedSkeneSettings are shares corrected by labels of people who err: the
// share of answers that mean A, one of four letters.
func correctedSkeneSettings() []setting {
	var out []setting
	for _, c := range []struct {
		labels, of int
		wrong      []float64
	}{{100, 1000, []float64{0.05, 0.1, 0.2}}, {300, 1000, []float64{0.1, 0.2, 0.2}}} {
		what := fmt.Sprintf("%d labels of %d, people err in %g", c.labels, c.of, c.wrong)
		out = append(out, setting{figure: "corrected: dawid-skene", what: what, method: "PPI++, resamples with the model fitted anew", other: "majority, labels as exact", slow: true, draw: func(r *rand.Rand) []look {
			items, x := erring(r, c.labels, c.wrong, 0, 0.8)
			_, rest := erring(r, c.of-c.labels, nil, 0, 0.8)
			var out []look
			for _, policy := range []annotate.Policy{annotate.DawidSkene, annotate.Majority} {
				s := correctedBy(policy, items, &x[0], &rest[0], c.of-c.labels)
				out = append(out, look{0.25, s.Corrected.Low, s.Corrected.High})
			}
			return out
		}})
	}
	return out
}

// correctedBy is the share of A by people's labels of items under a policy, and by
// what a machine reads in the rest.
func correctedBy(policy annotate.Policy, items []annotate.AlignItem, x, rest *annotate.Extractor, unlabelled int) *report.Correction {
	isA := func(r annotate.Reading) bool { return r.Choice == "A" }
	machine := func(x *annotate.Extractor, q int) float64 {
		e, _ := x.Read(eval.Key{Run: 1, Sample: eval.Ordinal(q)})
		return float64(report.OneIf(e.Choice == "A"))
	}
	basis, s := fitted(annotate.Basis{Policy: policy, Undecided: annotate.Dropped}, items), report.NewStrata()
	for q := range items {
		people, why := basis.ResolveItem(&items[q])
		if why != "" {
			s.AddMissing("", machine(x, q))
			continue
		}
		value := float64(report.OneIf(isA(people)))
		if p, again, ok := basis.ReadingChance(items[q].Key, isA); ok {
			value, s.Again = p, again
		}
		s.AddLabelled("", machine(x, q), value)
	}
	for q := range unlabelled {
		s.AddUnlabelled("", machine(rest, q))
	}
	return report.NewCorrection(&report.Correcting{Policy: policy}, s.ListStrata(), correct.Options{High: 1, Confidence: stat.Confidence}, stat.NewUndefinedEstimate("not told"), report.CountedLabels{})
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
		it := annotate.AlignItem{Key: annotate.NewItemKey(k)}
		for p, e := range wrong {
			it.Labels = append(it.Labels, annotate.Label{Annotator: annotate.Annotator(rune('a' + p)), Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: read(e)}})
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

func fitted(b annotate.Basis, items []annotate.AlignItem) annotate.Basis {
	b, err := b.FitModel(context.Background(), items, nil)
	if err != nil {
		panic(err)
	}
	return b
}

func alignedBy(items []annotate.AlignItem, x []annotate.Extractor, b annotate.Basis) []annotate.AlignmentRow {
	rows, err := annotate.AlignExtractors(context.Background(), items, x, fitted(b, items))
	if err != nil {
		panic(err)
	}
	return rows
}

func summary(p *agree.Panel, b agree.Bootstrap) agree.Summary {
	s, err := p.Summarize(context.Background(), b)
	if err != nil {
		panic(err)
	}
	return s
}
