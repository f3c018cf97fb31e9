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
	return t.Panel(Scale{}).profiles().gwet(confidence)
}

func (p *profiles) gwet(confidence float64) Coefficient {
	if why := p.undetermined(); why != "" {
		return undefined(p.items, why)
	}
	e := p.estimator(Scale{})
	e.split(false) // its error takes the share of each class
	e.weigh(p.weight)
	c := e.gwet()
	v, ok := c.value()
	if !ok {
		return undefined(p.items, oneClass)
	}
	out := Coefficient{Value: v, N: p.items}
	se := 0.0
	if out.N > 1 {
		se = e.gwetError(v, c.expected)
	}
	if se < flat {
		return out.within(carried(c.observed, c.expected, e.paired, confidence))
	}
	q := distuv.StudentsT{Sigma: 1, Nu: float64(out.N - 1)}.Quantile(0.5 + confidence/2)
	return out.within(out.Value-q*se, out.Value+q*se)
}

// gwetError is the standard error of AC1: the items' contributions to it vary,
// and so do their contributions to the agreement expected by chance.
func (e *estimator) gwetError(ac1, pe float64) float64 {
	n := float64(e.items)
	scale := n / float64(e.paired)
	sum := 0.0
	for i := range e.all {
		f, x := &e.all[i], 0.0
		if f.sum >= 2 {
			x = scale * (f.agreement - pe) / (1 - pe)
		}
		pi := 0.0
		for _, t := range f.tally {
			pi += float64(t.n) * (1 - e.shares[t.class]) * f.share
		}
		pi /= float64(len(e.shares) - 1)
		x -= 2 * (1 - ac1) * (pi - pe) / (1 - pe)
		sum += float64(e.weight[i]) * square(x-ac1)
	}
	return math.Sqrt(sum / (n * (n - 1)))
}
