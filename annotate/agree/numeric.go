package agree

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Numeric is how close the numbers of a rater are to those of a reference. A
// correlation is nil where one side has no spread.
type Numeric struct {
	N        int      `json:"n"`
	RMSE     float64  `json:"rmse"`
	Pearson  *float64 `json:"pearson"`
	Spearman *float64 `json:"spearman"`
	Kendall  *float64 `json:"kendall"` // tau-b; nil of too many pairs as well
	Mean     float64  `json:"mean"`    // of the rater
	Std      float64  `json:"std"`     // of the rater, over all N
}

// mostKendall is of how many numbers every two are set beside each other.
const mostKendall = 10_000

// NumericOf compares pairs of the reference's number and the rater's; nil of
// fewer than two.
func NumericOf(pairs [][2]float64) *Numeric {
	if len(pairs) < 2 {
		return nil
	}
	out := &Numeric{N: len(pairs)}
	var x, y []float64
	for _, p := range pairs {
		out.RMSE += (p[0] - p[1]) * (p[0] - p[1]) / float64(len(pairs))
		x, y = append(x, p[0]), append(y, p[1])
	}
	out.RMSE = math.Sqrt(out.RMSE)
	out.Mean, out.Std = stat.PopMeanStdDev(y, nil)
	out.Pearson = some(stat.Correlation(x, y, nil))
	if len(pairs) <= mostKendall {
		out.Kendall = some(kendall(pairs))
	}
	if c := Spearman(pairs, Shuffle{}); c.Undefined == "" {
		out.Spearman = &c.Rho
	}
	return out
}

// Pearson is the correlation of pairs of numbers; nil where one side has no
// spread.
func Pearson(pairs [][2]float64) *float64 {
	if n := NumericOf(pairs); n != nil {
		return n.Pearson
	}
	return nil
}

func some(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// kendall is tau-b, which ties on either side do not push down (Kendall 1945).
func kendall(pairs [][2]float64) float64 {
	var sum, first, second float64
	for i := range pairs {
		for j := range i {
			a, b := sign(pairs[i][0]-pairs[j][0]), sign(pairs[i][1]-pairs[j][1])
			sum, first, second = sum+a*b, first+a*a, second+b*b
		}
	}
	return sum / math.Sqrt(first*second)
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
