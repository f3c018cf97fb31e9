package stat

import (
	"math"
	"slices"
	"testing"
)

func TestDraws(t *testing.T) {
	r := Resampling{Times: 50, Seed: 1, Stream: 2}
	var sums []int32
	for w := range r.Draws(40) {
		n, at := int32(0), int32(0)
		for i, k := range w {
			n, at = n+k, at+int32(i)*k
		}
		if n != 40 {
			t.Fatalf("%d items drawn, want 40", n)
		}
		sums = append(sums, at)
	}
	again := r
	var same []int32
	for w := range again.Draws(40) {
		at := int32(0)
		for i, k := range w {
			at += int32(i) * k
		}
		same = append(same, at)
	}
	if len(sums) != 50 || !slices.Equal(sums, same) || slices.Equal(sums[:25], sums[25:]) {
		t.Errorf("%v, then %v", sums, same)
	}
}

// The mean of 0 and 1 in equal parts has a standard error of 0.05 over 100.
func TestPercentiles(t *testing.T) {
	var values []float64
	for w := range (Resampling{Times: 4000, Seed: 7}).Draws(100) {
		n := int32(0)
		for _, k := range w[:50] {
			n += k
		}
		values = append(values, float64(n)/100)
	}
	e := Estimate{N: 100, Value: 0.5}.Percentiles(values)
	if math.Abs(e.Low-0.402) > 0.012 || math.Abs(e.High-0.598) > 0.012 {
		t.Errorf("%+v", e)
	}
	if e := NoEstimate("why").Percentiles(values); e != NoEstimate("why") {
		t.Errorf("%+v", e)
	}
	if q := Quantile([]float64{1, 2, 4}, 0.75); q != 3 {
		t.Errorf("quantile %v", q)
	}
	if q := Quantile([]float64{1}, 1); q != 1 {
		t.Errorf("quantile of one %v", q)
	}
}
