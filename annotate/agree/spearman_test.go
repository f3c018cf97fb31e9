package agree

import (
	"encoding/json"
	"math"
	"testing"
)

func TestSpearman(t *testing.T) {
	check := func(x, y []float64, rho, p float64) {
		t.Helper()
		for _, pairs := range [][][2]float64{zip(x, y), zip(y, x)} {
			c := CorrelateSpearman(pairs, PermutationOptions{Times: 2000, Seed: 1})
			if c.Undefined != "" || math.Abs(c.Rho-rho) > 1e-9 || math.Abs(c.P-p) > 1e-9 || !c.Exact {
				t.Errorf("%v, %v: %+v, want %v, p %v", x, y, c, rho, p)
			}
		}
	}
	// Of n! orders, two are perfect: the same and the reverse.
	check([]float64{1, 2, 3, 4, 5}, []float64{10, 20, 30, 40, 50}, 1, 2.0/120)
	check([]float64{1, 2, 3, 4, 5}, []float64{5, 4, 3, 2, 1}, -1, 2.0/120)
	check([]float64{1, 2, 3}, []float64{1, 3, 2}, 0.5, 1)
	check([]float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 6, 5, 4}, 0.7714285714285715, 0.10277777777777777)
	// Noise in the last digits leaves a tie a tie.
	check([]float64{0.3, 0.1 + 0.2, 0.5, 0.7}, []float64{1, 1, 2, 3}, 1, 2.0/24)
}

func zip(x, y []float64) [][2]float64 {
	var out [][2]float64
	for i := range x {
		out = append(out, [2]float64{x[i], y[i]})
	}
	return out
}

// A drawn test is near the exact one, and the seed decides it.
func TestSpearmanDrawn(t *testing.T) {
	x := []float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}
	y := []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}
	s := PermutationOptions{Times: 20_000, Seed: 3}
	c := CorrelateSpearman(zip(x, y), s)
	if c.Exact || c.Tried != s.Times || math.Abs(c.P-0.6321) > 0.015 { // over all 3,628,800 orders
		t.Errorf("%+v", c)
	}
	if again := CorrelateSpearman(zip(x, y), s); again != c {
		t.Errorf("again: %+v, first %+v", again, c)
	}
	for i := range x { // a monotone change of scale is none of ranks
		x[i] = math.Exp(x[i] / 50)
	}
	if scaled := CorrelateSpearman(zip(x, y), s); scaled != c {
		t.Errorf("scaled: %+v, want %+v", scaled, c)
	}
}

func TestSpearmanUndefined(t *testing.T) {
	check := func(x, y []float64, want string) {
		t.Helper()
		c := CorrelateSpearman(zip(x, y), PermutationOptions{})
		if c.Undefined != want {
			t.Errorf("%v, %v: %+v, want undefined: %s", x, y, c, want)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Error(err)
		}
	}
	check([]float64{1, 2}, []float64{1, 2}, "fewer than three pairs")
	check([]float64{1, 1, 1}, []float64{1, 2, 3}, "all values of one side are equal")
	check([]float64{1, 2, math.NaN()}, []float64{1, 2, 3}, "a value is not a number")
}
