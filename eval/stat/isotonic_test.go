package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIsotonic(t *testing.T) {
	f := FitIsotonic([][2]float64{{3, 2}, {1, 1}, {2, 3}, {6, 5}, {4, 4}, {5, 3.5}}) // 1, 3, 2, 4, 3.5, 5 in the order of x
	for x, want := range map[float64]float64{0: 1, 1: 1, 1.5: 1, 2: 2.5, 3: 2.5, 4: 3.75, 5.5: 3.75, 6: 5, 9: 5} {
		if got := f.ValueAt(x); got != want {
			t.Errorf("at %v: %v, want %v", x, got, want)
		}
	}
	// A tie of one x is one point: its mean 0.5 is above the 0.25 before it.
	if f := FitIsotonic([][2]float64{{1, 0.25}, {2, 0}, {2, 1}}); f.ValueAt(1) != 0.25 || f.ValueAt(2) != 0.5 {
		t.Errorf("%v", f)
	}
}

// The fit never falls, keeps the mean, and no other function that never falls is
// nearer to the points: one of steps at the same places that was moved a little.
func TestIsotonicIsLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var points [][2]float64
		for range 2 + r.IntN(12) {
			points = append(points, [2]float64{float64(r.IntN(8)), float64(r.IntN(2))})
		}
		f := FitIsotonic(points)
		squares := func(g Isotonic) (sum, off float64) {
			for _, p := range points {
				sum, off = sum+math.Pow(p[1]-g.ValueAt(p[0]), 2), off+p[1]-g.ValueAt(p[0])
			}
			return sum, off
		}
		best, off := squares(f)
		if math.Abs(off) > 1e-9 {
			t.Fatalf("%v: mean is off by %v", points, off)
		}
		for range 50 {
			var other Isotonic
			for x, y := 0.0, -0.2+r.Float64(); x < 8; x++ {
				y += r.Float64() * 0.3
				other = append(other, isotonicStep{x, y, 1})
			}
			if sum, _ := squares(other); sum < best-1e-9 {
				t.Fatalf("%v: %v is nearer than %v", points, other, f)
			}
		}
		for i := 1; i < len(f); i++ {
			if f[i].mean() <= f[i-1].mean() {
				t.Fatalf("%v falls", f)
			}
		}
	}
}
