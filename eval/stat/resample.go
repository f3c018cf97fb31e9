package stat

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// Resampling says how often a bootstrap draws, and from which stream of random
// numbers. Equal ones draw the same.
type Resampling struct {
	Times  int
	Seed   uint64
	Stream uint64 // tells apart what is drawn independently under one seed
}

// Draws yields how often each of n items comes up when n are drawn with
// replacement (Efron 1979). What is yielded is good until the next.
func (r Resampling) Draws(n int) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		source := rand.New(rand.NewPCG(r.Seed, r.Stream)) //nolint:gosec // to be repeatable, not secret
		weights := make([]int32, n)
		for range r.Times {
			clear(weights)
			for range n {
				weights[source.Uint32N(uint32(n))]++ //nolint:gosec // n is a number of samples
			}
			if !yield(weights) {
				return
			}
		}
	}
}

// Percentiles gives the estimate the interval at Confidence in which most of
// what resamples gave lies. Without resamples it stays as it is.
func (e Estimate) Percentiles(values []float64) Estimate {
	if len(values) == 0 || e.Reason() != "" {
		return e
	}
	sorted, tail := slices.Sorted(slices.Values(values)), (1-Confidence)/2
	e.Low, e.High = Quantile(sorted, tail), Quantile(sorted, 1-tail)
	return e
}

// Quantile is the linear interpolation of the order statistics (type 7 of
// Hyndman and Fan 1996). There must be a value.
func Quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(math.Floor(h))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
