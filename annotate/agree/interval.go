package agree

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// Jeffreys is the rate of k of n with Jeffreys' prior, Beta(1/2, 1/2): the
// posterior mean and the equal-tailed interval, whose end is 0 for none and 1
// for all (Brown, Cai and DasGupta, "Interval estimation for a binomial
// proportion", Statistical Science 16, 2001). It is undefined without items.
func Jeffreys(k, n int, confidence float64) stat.Estimate {
	if n <= 0 {
		return stat.NoEstimate("no item with a known answer is labelled")
	}
	tail := (1 - confidence) / 2
	after := distuv.Beta{Alpha: float64(k) + 0.5, Beta: float64(n-k) + 0.5}
	out := stat.Estimate{N: n, Value: after.Mean(), Low: after.Quantile(tail), High: after.Quantile(1 - tail)}
	if k == 0 {
		out.Low = 0
	}
	if k == n {
		out.High = 1
	}
	return out
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
