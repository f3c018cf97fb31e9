package annotate

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"concord/eval"
)

func TestDisagreement(t *testing.T) {
	check := func(classes string, want float64) {
		t.Helper()
		var list []eval.Choice
		for _, c := range strings.Fields(classes) {
			list = append(list, eval.Choice(c))
		}
		got := Disagreement(list)
		slices.Reverse(list)
		if back := Disagreement(list); math.Abs(got-want) > 1e-12 || back != got {
			t.Errorf("%q: %v and backwards %v, want %v", classes, got, back, want)
		}
	}
	check("", 0)
	check("A", 0)
	check("A A", 0)
	check("A B", 1)
	check("A x", 1)
	check("x x x", 0)
	check("A A B", 2.0/3)
	check("A B C", 1)
	check("A A B B", 4.0/6)
	check("A A A B", 3.0/6)
}

func TestDrawByDisagreement(t *testing.T) {
	differ := []float64{0, 0.5, 1, 0.5, 0.5, 0, 1, 0}
	pop := func(yield func(Candidate, error) bool) {
		for i, d := range differ {
			k := eval.Key{Run: 1, Sample: eval.Ordinal(i)}
			if !yield(Candidate{Key: k, Sample: eval.SampleID(fmt.Sprint(i)), Differ: d}, nil) {
				return
			}
		}
	}
	check := func(number int, wantDiffer, wantInclusion []float64) {
		t.Helper()
		rule := Rule{From: FromAll, Order: ByDisagreement, Number: number, Seed: 7}
		items, size, err := Draw(rule, pop)
		if err != nil || size != len(differ) {
			t.Fatal(size, err)
		}
		var got, inclusion []float64
		var last uint64
		for i, it := range items {
			d := differ[it.Key.Sample]
			h := it.Key.Hash(7)
			if i > 0 && got[i-1] == d && h < last {
				t.Errorf("item %d: not by hash among equals", i)
			}
			last = h
			got, inclusion = append(got, d), append(inclusion, it.Inclusion)
		}
		if !slices.Equal(got, wantDiffer) || !slices.Equal(inclusion, wantInclusion) {
			t.Errorf("%d: %v with inclusion %v, want %v with %v", number, got, inclusion, wantDiffer, wantInclusion)
		}
	}
	check(0, []float64{1, 1, .5, .5, .5, 0, 0, 0}, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	check(3, []float64{1, 1, .5}, []float64{1, 1, 1.0 / 3}) // one of the three that tie is drawn by hash
	check(1, []float64{1}, []float64{.5})
}

func TestOrderIsRefused(t *testing.T) {
	none := func(func(Candidate, error) bool) {}
	for _, rule := range []Rule{{From: FromPairs, Order: ByDisagreement}, {From: FromAll, Whole: true, Order: ByDisagreement}} {
		if _, _, err := Draw(rule, none); err == nil {
			t.Errorf("samples come in an order of predictions: %+v", rule)
		}
	}
}
