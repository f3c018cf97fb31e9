package agree

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// Bounds are the ends of the scale that values are on.
type Bounds struct{ Low, High float64 }

// Mean is the mean of values with its interval by Student's t, cut to the
// scale. Where no two values differ, t would be certain however few they are:
// then the interval is Wilson's for the mean's place on the scale, which is as
// wide as values on a scale can make it.
func Mean(values []float64, b Bounds, confidence float64) stat.Estimate {
	out := Student(values, confidence)
	if n := len(values); out.Undefined == "" && out.High-out.Low < flat {
		width := b.High - b.Low
		low, high := stat.Wilson(int(math.Round((out.Value-b.Low)/width*float64(n))), n, confidence)
		out.Low, out.High = min(out.Value, b.Low+low*width), max(out.Value, b.Low+high*width)
	}
	out.Low, out.High = max(b.Low, out.Low), min(b.High, out.High)
	return out
}

// Student is the mean of values with its interval by Student's t: of no width
// where all are the same.
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
