package sample

import (
	"math"
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// uncertainCrowd is n candidates of run 1, every fourth of which is uncertain.
func uncertainCrowd(n int) []Candidate {
	out := make([]Candidate, n)
	for i := range out {
		out[i] = Candidate{Key: eval.Key{Run: 1, Sample: eval.Ordinal(i / 2), Pass: eval.Pass(i % 2)}, Uncertain: i%8 < 2}
	}
	return out
}

func drawUncertain(t *testing.T, r *annotate.Rule, cs []Candidate) []annotate.QueueItem {
	t.Helper()
	r.Order, r.Runs = annotate.ByUncertainty, []eval.RunID{1}
	items, n, err := DrawUncertain(r, all(cs))
	if err != nil || n != len(cs) {
		t.Fatalf("population %d, %v", n, err)
	}
	return items
}

// Over many seeds the inverse probabilities of what was drawn, and of any
// beginning of it, add up to the population, of uncertain items and of others.
func TestDrawUncertainHasNoBias(t *testing.T) {
	cs := uncertainCrowd(400)
	for _, beginning := range []int{60, 25} {
		var sum [2]float64
		const seeds = 1000
		for seed := range uint64(seeds) {
			r := annotate.Rule{Seed: seed, Number: 60, Drawing: annotate.Drawing{Uniform: 0.5}}
			items := drawUncertain(t, &r, cs)
			limit := r.Drawing.Limit
			if beginning < len(items) {
				limit = r.DrawRank(items[beginning].Key, items[beginning].Uncertain)
			}
			for _, it := range items[:beginning] {
				at := 0
				if it.Uncertain {
					at = 1
				}
				sum[at] += 1 / r.Drawing.InclusionProbability(limit, it.Uncertain) / seeds
			}
		}
		if math.Abs(sum[0]-300) > 7 || math.Abs(sum[1]-100) > 5 {
			t.Errorf("first %d: %.1f others and %.1f uncertain, want 300 and 100", beginning, sum[0], sum[1])
		}
	}
}

func TestDrawUncertain(t *testing.T) {
	cs := uncertainCrowd(400)
	r := annotate.Rule{Seed: 7, Number: 60, Drawing: annotate.Drawing{Uniform: 0.5}}
	items := drawUncertain(t, &r, cs)
	if d := r.Drawing; len(items) != 60 || d.Lift != 5 || !slices.Equal(d.Sizes, []int{400}) || !slices.Equal(d.Unsure, []int{100}) {
		t.Errorf("%d items, %+v", len(items), d)
	}
	for i, it := range items {
		if it.Index != i || it.Inclusion != r.Drawing.InclusionProbability(r.Drawing.Limit, it.Uncertain) {
			t.Errorf("item %d: %+v", i, it)
		}
	}
	more := annotate.Rule{Seed: 7, Rate: 0.3, Drawing: annotate.Drawing{Uniform: 0.5}}
	if larger := drawUncertain(t, &more, cs); len(larger) != 120 || larger[59].Key != items[59].Key {
		t.Errorf("a larger draw of %d does not begin with the smaller", len(larger))
	}
	every := annotate.Rule{Seed: 7, Drawing: annotate.Drawing{Uniform: 0.5}}
	if items := drawUncertain(t, &every, cs); len(items) != 400 || items[0].Inclusion != 1 || items[399].Inclusion != 1 {
		t.Errorf("%d of all", len(items))
	}
	whole := annotate.Rule{Seed: 7, Number: 30, Whole: true, Drawing: annotate.Drawing{Uniform: 0.5}}
	items = drawUncertain(t, &whole, cs)
	for i := 0; i < len(items); i += 2 {
		if a, b := items[i], items[i+1]; len(items) != 60 || a.Key.Sample != b.Key.Sample || a.Inclusion != b.Inclusion || a.Uncertain != b.Uncertain {
			t.Errorf("passes of a sample: %+v and %+v", a, b)
		}
	}
	if _, _, err := DrawUncertain(&annotate.Rule{Order: annotate.ByUncertainty, PerLevel: 2, Level: 1}, all(cs)); err == nil {
		t.Error("it was drawn per level")
	}
}
