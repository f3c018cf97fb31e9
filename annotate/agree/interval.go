package agree

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// ClopperPearson is the exact interval of k of n (Clopper and Pearson 1934);
// n must be positive. The ends are apart: the beta distribution that they
// would need does not exist.
func ClopperPearson(k, n int, confidence float64) (low, high float64) {
	tail := (1 - confidence) / 2
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return low, high
}

// flat is a standard error that is nought but for rounding.
const flat = 1e-9

// carried is the interval of a coefficient whose own standard error is nought,
// as when all items agree: ten of ten would be as certain as a thousand of a
// thousand. Wilson's interval of the observed agreement over n items is
// carried over to the coefficient, with the agreement by chance as it is.
func carried(po, pe float64, n int, confidence float64) (low, high float64) {
	low, high = stat.Wilson(int(math.Round(po*float64(n))), n, confidence)
	return (low - pe) / (1 - pe), (high - pe) / (1 - pe)
}

// Bootstrap says how to resample.
type Bootstrap struct {
	Times      int // 2,000 or more
	Seed       uint64
	Confidence float64
}

// Resample gives a coefficient the percentile interval of a bootstrap over
// items (Efron 1979). Resamples in which the coefficient is undefined are
// left out; when they are more than the tails hold, there is no interval.
func (b Bootstrap) Resample(t Table, statistic func(Table) Coefficient) Coefficient {
	c := statistic(t)
	if c.Undefined != "" || len(t) == 0 {
		return c
	}
	r := rand.New(rand.NewPCG(b.Seed, uint64(len(t))))
	sample, values := make(Table, len(t)), make([]float64, 0, b.Times)
	for range b.Times {
		for i := range sample {
			sample[i] = t[r.IntN(len(t))]
		}
		if s := statistic(sample); s.Undefined == "" {
			values = append(values, s.Value)
		}
	}
	tail := (1 - b.Confidence) / 2
	if float64(len(values)) < (1-tail)*float64(b.Times) || len(values) == 0 {
		return c
	}
	slices.Sort(values)
	return c.within(quantile(values, tail), quantile(values, 1-tail))
}

// quantile is the common one of type 7 of Hyndman and Fan (1996).
func quantile(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(math.Floor(h))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
