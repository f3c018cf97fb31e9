package annotate

import "testing"

// A probability is a number whose weight can be counted with.
func TestInclusion(t *testing.T) {
	check := func(weights bool, cell string, want float64) {
		t.Helper()
		d := Design{Column: "p", Weights: weights}
		if got, err := d.ParseInclusionProbability(cell); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q, weights %v: %v, %v, want %v", cell, weights, got, err, want)
		}
	}
	check(false, "0.25", 0.25)
	check(false, "1", 1)
	check(true, "4", 0.25)
	check(true, "1e9", 1e-9)
	for _, bad := range []string{"0", "-1", "nan", "inf", "1e400", "1e300", "1e10", "", "x"} {
		check(true, bad, 0)
	}
	for _, bad := range []string{"0", "-0.1", "1.5", "nan", "1e-300", ""} {
		check(false, bad, 0)
	}
}
