package agree

import (
	"math"
	"testing"

	"concord/eval/stat"
)

// lcg is a stream of numbers that any language draws alike.
type lcg uint64

func (x *lcg) draw(p ...float64) int {
	*x = (1103515245**x + 12345) % 2147483648
	v := float64(*x) / 2147483648
	for k, q := range p {
		if v -= q; v < 0 {
			return k
		}
	}
	return len(p) - 1
}

// The words of four people on 120 items: one hardly errs, two by a known
// confusion, one says anything. What is wanted is from an implementation in
// Python that loops over items, raters and classes as the paper writes it, until
// nothing moves by 1e-15.
func TestSkene(t *testing.T) {
	x := lcg(12345)
	confusion := [][]float64{{.9, .07, .03}, {.1, .8, .1}, {.2, .1, .7}}
	var items [][]RaterWord
	for range 120 {
		truth := x.draw(.5, .3, .2)
		var words []RaterWord
		for r := range 4 {
			if x.draw(.15, .85) == 0 {
				continue
			}
			p := confusion[truth]
			switch r {
			case 0:
				p = []float64{.015, .015, .015}
				p[truth] = .97
			case 3:
				p = []float64{1. / 3, 1. / 3, 1. / 3}
			}
			words = append(words, RaterWord{r, x.draw(p...)})
		}
		if len(words) == 0 {
			words = append(words, RaterWord{0, truth})
		}
		items = append(items, words)
	}
	crowd := NewSkeneItems(items, 4, 3)
	f := crowd.FitModel()
	check := func(what string, got []float64, want ...float64) {
		t.Helper()
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-6 {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	check("prior", f.Prior, 0.48120638, 0.354754566, 0.164039054)
	check("the careful one", []float64{f.Confusion[0][0][0], f.Confusion[0][1][1], f.Confusion[0][2][2]}, 0.945348133, 0.974607041, 0.877143717)
	check("the other one", f.Confusion[1][2], 0.379138848, 0.039405265, 0.581455887)
	check("who says anything", f.Confusion[3][0], 0.447074509, 0.224905701, 0.32801979)
	check("item 0", f.ClassChances(crowd.PatternNumber(0)), 0.002057127, 0.992365258, 0.005577615)
	check("item 17", f.ClassChances(crowd.PatternNumber(17)), 0.00062924, 0.000278969, 0.999091791)
	check("item 108", f.ClassChances(crowd.PatternNumber(108)), 0.463532708, 0.424497996, 0.111969296)
	check("item 119", f.ClassChances(crowd.PatternNumber(119)), 0.077441103, 0.322807583, 0.599751314)
	if !f.Converged || f.Iterations > 200 {
		t.Errorf("%d steps, converged %t", f.Iterations, f.Converged)
	}
	// An item that counts twice is two items.
	more := NewSkeneItems(append(items, items[119]), 4, 3)
	twice := more.FitModel()
	var units []uint64
	resample := stat.NewResample(0, 0)
	for u := uint64(0); len(units) < len(items); u++ {
		want := int32(1)
		if len(units) == 119 {
			want = 2
		}
		if resample.DrawCount(u) == want {
			units = append(units, u)
		}
	}
	got, err := f.RefitResamples(t.Context(), Bootstrap{Times: 1}, units)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range got[0].ClassChances(crowd.PatternNumber(108)) {
		if want := twice.ClassChances(more.PatternNumber(108))[k]; math.Abs(p-want) > 1e-3 {
			t.Errorf("weighed: %v, want %v", p, want)
		}
		kept := got[0].posterior
		if got[0].posterior = nil; math.Abs(got[0].ClassChances(crowd.PatternNumber(108))[k]-p) > 1e-12 {
			t.Errorf("computed anew: %v, want %v", got[0].ClassChances(crowd.PatternNumber(108)), p)
		}
		got[0].posterior = kept
	}
}
