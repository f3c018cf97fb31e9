package stat

import (
	"cmp"
	"slices"
)

// Isotonic is the function that never falls and fits points best by least squares. It
// is constant from each step to the next.
type Isotonic []isotonicStep

type isotonicStep struct{ from, sum, n float64 }

func (s isotonicStep) mean() float64 { return s.sum / s.n }

// FitIsotonic fits points of x and y by pooling adjacent violators (Ayer et al., Annals
// of Mathematical Statistics 26, 1955). Points of one x count together: they come with
// the largest y first, and so are pooled.
func FitIsotonic(points [][2]float64) (out Isotonic) {
	for _, p := range slices.SortedFunc(slices.Values(points), func(a, b [2]float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1]))
	}) {
		s := isotonicStep{p[0], p[1], 1}
		for ; len(out) > 0 && out[len(out)-1].mean() >= s.mean(); out = out[:len(out)-1] {
			before := out[len(out)-1]
			s = isotonicStep{before.from, before.sum + s.sum, before.n + s.n}
		}
		out = append(out, s)
	}
	return out
}

// At is the function's value at x, which is that of the first step below it. There must
// have been a point.
func (f Isotonic) At(x float64) float64 {
	i := len(f) - 1
	for i > 0 && f[i].from > x {
		i--
	}
	return f[i].mean()
}
