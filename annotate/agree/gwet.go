package agree

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Gwet is Gwet's AC1 of any number of raters, with ratings missing or not,
// and its interval by Student's t over the standard error for a sample of
// items (Gwet 2008; Gwet 2014, ch. 5). Unlike kappa it stays near the
// observed agreement when one class prevails.
func Gwet(t Table, confidence float64) Coefficient {
	c := t.counts()
	if why := c.undetermined(); why != "" {
		return undefined(len(c.items), why)
	}
	shares := c.shares()
	pe := 0.0
	for _, p := range shares {
		pe += p * (1 - p) / float64(len(shares)-1)
	}
	po := c.observed()
	out := Coefficient{Value: (po - pe) / (1 - pe), N: len(c.items)}
	se := 0.0
	if out.N > 1 {
		se = c.gwetError(out.Value, pe, shares)
	}
	if se < flat {
		return out.within(carried(po, pe, c.paired(), confidence))
	}
	q := distuv.StudentsT{Sigma: 1, Nu: float64(out.N - 1)}.Quantile(0.5 + confidence/2)
	return out.within(out.Value-q*se, out.Value+q*se)
}

// gwetError is the standard error of AC1: the items' contributions to it vary,
// and so do their contributions to the agreement expected by chance.
func (c *counts) gwetError(ac1, pe float64, shares []float64) float64 {
	n := float64(len(c.items))
	scale := n / float64(c.paired())
	sum := 0.0
	for i, item := range c.items {
		x := 0.0
		if a, ok := c.agreement(i); ok {
			x = scale * (a - pe) / (1 - pe)
		}
		pi := 0.0
		for k, m := range item {
			pi += float64(m) * (1 - shares[k]) / float64(c.sums[i])
		}
		pi /= float64(len(shares) - 1)
		x -= 2 * (1 - ac1) * (pi - pe) / (1 - pe)
		sum += (x - ac1) * (x - ac1)
	}
	return math.Sqrt(sum / (n * (n - 1)))
}
