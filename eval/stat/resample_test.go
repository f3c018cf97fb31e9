package stat

import (
	"math"
	"slices"
	"testing"
)

// How often units come up is Poisson's, and neither units nor resamples hang
// together.
func TestResampled(t *testing.T) {
	const resamples, units = 400, 500
	var n [4]float64
	pairs, next := 0.0, 0.0
	for r := range resamples {
		for u := range uint64(units) {
			k := NewResample(1, r).DrawCount(u)
			if k < 4 {
				n[k]++
			}
			pairs += float64((k - 1) * (NewResample(1, r).DrawCount(u+1) - 1))
			next += float64((k - 1) * (NewResample(1, r+1).DrawCount(u) - 1))
		}
	}
	const all = resamples * units
	for k, want := range []float64{0.367879, 0.367879, 0.183940, 0.061313} {
		if math.Abs(n[k]/all-want) > 0.004 {
			t.Errorf("%d times: %v, want %v", k, n[k]/all, want)
		}
	}
	if math.Abs(pairs/all) > 0.01 || math.Abs(next/all) > 0.01 {
		t.Errorf("correlations %v, %v", pairs/all, next/all)
	}
}

// The mean of 0 and 1 in equal parts has a standard error of 0.05 over 100.
func TestPercentiles(t *testing.T) {
	var values []float64
	for r := range 4000 {
		n, all := int32(0), int32(0)
		for u := range uint64(100) {
			k := NewResample(7, r).DrawCount(u)
			if all += k; u < 50 {
				n += k
			}
		}
		values = append(values, float64(n)/float64(all))
	}
	slices.Sort(values)
	if low, high := Quantile(values, 0.025), Quantile(values, 0.975); math.Abs(low-0.402) > 0.012 || math.Abs(high-0.598) > 0.012 {
		t.Errorf("%v to %v", low, high)
	}
	if math.Abs(PercentileTail(30, 0.95)-0.025) > 1e-12 || PercentileTail(5, 0.95) > 0.001 || PercentileTail(29, 0.95) < 0.018 {
		t.Errorf("tails %v, %v", PercentileTail(5, 0.95), PercentileTail(29, 0.95))
	}
	if q := Quantile([]float64{1, 2, 4}, 0.75); q != 3 {
		t.Errorf("quantile %v", q)
	}
	if q := Quantile([]float64{1}, 1); q != 1 {
		t.Errorf("quantile of one %v", q)
	}
}
