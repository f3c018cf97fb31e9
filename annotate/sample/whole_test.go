package sample

import (
	"fmt"
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// Two runs of 200 questions with four passes, of which the filter finds some:
// a draw of whole questions has all of them or none.
func TestDrawWhole(t *testing.T) {
	var population []Candidate
	of := make(map[eval.Ordinal]int)
	for run := range eval.RunID(2) {
		for o := range eval.Ordinal(200) {
			for p := range eval.Pass(4) {
				if (int(o)+int(p)+int(run))%3 == 0 {
					continue
				}
				of[o]++
				population = append(population, Candidate{
					Key: eval.Key{Run: run + 1, Sample: o, Pass: p}, Sample: eval.SampleID(fmt.Sprint(o)), Taxonomy: []string{fmt.Sprint(o % 2)},
				})
			}
		}
	}
	backwards := slices.Clone(population)
	slices.Reverse(backwards)
	check := func(name string, r annotate.Rule, samples int, inclusion float64) []eval.Ordinal {
		t.Helper()
		r.Whole, r.From, r.Seed = true, annotate.FromUnparsable, 4
		items := draw(t, r, population)
		if !slices.Equal(draw(t, r, backwards), items) {
			t.Errorf("%s: the draw depends on the order of the population", name)
		}
		var drawn []eval.Ordinal
		for i, it := range items {
			switch {
			case it.Inclusion != inclusion:
				t.Fatalf("%s: inclusion %v, want %v", name, it.Inclusion, inclusion)
			case i == 0 || items[i-1].Key.Sample != it.Key.Sample:
				drawn = append(drawn, it.Key.Sample)
			case items[i-1].Key.Compare(it.Key) >= 0:
				t.Errorf("%s: %v before %v", name, items[i-1].Key, it.Key)
			}
		}
		want := 0
		for _, o := range drawn {
			want += of[o]
		}
		if len(items) != want || len(drawn) != samples {
			t.Errorf("%s: %d items of %d samples, want %d of %d", name, len(items), len(drawn), want, samples)
		}
		return drawn
	}
	hundred := check("number", annotate.Rule{Number: 100}, 100, 0.5)
	if fifty := check("fewer", annotate.Rule{Number: 50}, 50, 0.25); !slices.Equal(fifty, hundred[:50]) {
		t.Error("the smaller draw is not the beginning of the larger one")
	}
	check("per level", annotate.Rule{Level: 1, PerLevel: 20}, 40, 0.2)
	check("everything", annotate.Rule{}, 200, 1)
	rate := annotate.Rule{Rate: 0.3, Whole: true, From: annotate.FromUnparsable, Seed: 4}
	drawn := check("rate", rate, 58, rate.Rate)
	for _, c := range population {
		if rate.DrawsByRate(annotate.NewItemKey(c.Key)) != slices.Contains(drawn, c.Key.Sample) {
			t.Fatalf("%v: a growing queue and a draw differ", c.Key)
		}
	}
}
