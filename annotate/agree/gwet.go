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
	return t.Panel(Scale{}).profiles().gwet(nil, confidence)
}

// gwet is AC1, or with weights AC2.
func (p *profiles) gwet(o *ordered, confidence float64) Coefficient {
	if why := p.undetermined(); why != "" {
		return undefined(p.items, why)
	}
	e := p.estimator(Scale{})
	e.split(false) // its error takes the share of each class
	e.weigh(p.weight)
	c, guess, agreement := e.gwet(), 1/float64(len(e.shares)-1), func(i int) float64 { return e.all[i].agreement }
	if o != nil {
		_, c = e.weighted(o, p.weight)
		guess, agreement = o.guess, func(i int) float64 { return 1 - o.apart[i]/o.reach }
	}
	v, ok := c.value()
	if !ok {
		return undefined(p.items, oneClass)
	}
	out := Coefficient{Value: v, N: p.items}
	se := 0.0
	if out.N > 1 {
		se = e.gwetError(v, c, guess, o != nil, agreement)
	}
	if se < flat {
		return out.within(carried(c.observed, c.expected, e.paired, confidence))
	}
	q := distuv.StudentsT{Sigma: 1, Nu: float64(out.N - 1)}.Quantile(0.5 + confidence/2)
	return out.within(out.Value-q*se, out.Value+q*se)
}

// gwetError is the standard error of AC1 or AC2: the items' contributions to it
// vary, and so do their contributions to the agreement expected by chance. Items
// with one rating have a part in the latter alone. Of AC1 they count as items
// without agreement, as Gwet has them, which makes the error of a table with some
// of them larger than it is.
func (e *estimator) gwetError(ac float64, c chance, guess float64, weighted bool, agreement func(profile int) float64) float64 {
	n := float64(e.items)
	scale := n / float64(e.paired)
	sum := 0.0
	for i := range e.all {
		f, x := &e.all[i], 0.0
		switch {
		case !weighted && f.sum < 2:
			x = c.expected - c.observed
		case !weighted:
			x = scale*(agreement(i)-c.expected) - (c.observed - c.expected)
		case f.sum >= 2:
			x = scale * (agreement(i) - c.observed)
		}
		pi := 0.0
		for _, t := range f.tally {
			pi += float64(t.n) * (1 - e.shares[t.class]) * f.share
		}
		pi *= guess
		x -= 2 * (1 - ac) * (pi - c.expected)
		sum += float64(e.weight[i]) * square(x/(1-c.expected))
	}
	return math.Sqrt(sum / (n * (n - 1)))
}
