package agree

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// Student is the mean of values on no scale with its interval by Student's t: of
// no width where all are the same. stat.Clusters.Mean is that of a bounded scale.
func Student(values []float64, confidence float64) stat.Estimate {
	n := len(values)
	switch n {
	case 0:
		return stat.NoEstimate("no values")
	case 1:
		return stat.NoEstimate("one value alone has no interval")
	}
	mean, sd := spread(values)
	half := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile(0.5+confidence/2) * sd / math.Sqrt(float64(n))
	return stat.Estimate{N: n, Value: mean, Low: mean - half, High: mean + half}
}

// Deviation is the standard deviation of values, by n-1, with its interval by
// the chi-squared distribution, which takes them to be normal. Values that are
// all the same have no interval.
func Deviation(values []float64, confidence float64) stat.Estimate {
	n := len(values)
	if n < 2 {
		return stat.NoEstimate("needs two values or more")
	}
	_, sd := spread(values)
	out := stat.Estimate{N: n, Value: sd, Exact: true}
	if sd < flat {
		out.Value = 0
		return out
	}
	c, tail := distuv.ChiSquared{K: float64(n - 1)}, (1-confidence)/2
	out.Exact = false
	out.Low = sd * math.Sqrt(float64(n-1)/c.Quantile(1-tail))
	out.High = sd * math.Sqrt(float64(n-1)/c.Quantile(tail))
	return out
}

// spread is the mean and the standard deviation by n-1, which is 0 of one.
func spread(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values)) // once: the sum of scores is exact, and equal means tie
	if len(values) < 2 {
		return mean, 0
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(values)-1))
}
