package agree

import (
	"math"

	"concord/eval/stat"
)

// Weights say how much of an agreement two different classes are (Cohen
// 1968). The zero value is unset, and counts as Plain.
type Weights uint8

// The weights.
const (
	WeightsUnset Weights = iota
	Plain                // none
	Linear               // less by their distance
	Quadratic            // less by its square
)

// Cohen is Cohen's kappa of two raters over the pairs of classes that they
// gave (Cohen 1960), with its large-sample interval (Fleiss, Cohen and
// Everitt 1969). Pairs with an empty class are left out. Raters who share no
// class did not use one alphabet, and are not compared.
func Cohen(pairs [][2]string, confidence float64) Coefficient {
	return Weighted(pairs, Scale{}, Plain, confidence)
}

// Weighted is Cohen's kappa with weights by the distance of classes on a
// scale: of ranks where it is ordinal, of numbers above that. Ranks count the
// classes that occur.
func Weighted(pairs [][2]string, s Scale, w Weights, confidence float64) Coefficient {
	t := make(Table, len(pairs))
	for i := range pairs {
		t[i] = pairs[i][:]
	}
	p := t.Panel(s)
	if p.foul != "" {
		return undefined(len(pairs), p.foul)
	}
	return p.cross().kappa(s, w, confidence)
}

func (x *crosstab) kappa(s Scale, w Weights, confidence float64) Coefficient {
	numbers := s.Level == Interval || s.Level == Ratio
	switch {
	case x.n == 0:
		return undefined(0, nothing)
	case len(x.codes) < 2:
		return undefined(x.n, oneClass)
	case (w == Linear || w == Quadratic) && s.nominal():
		return undefined(x.n, "nominal classes have no distance")
	case !x.share() && (!numbers || w == Plain || w == WeightsUnset):
		return undefined(x.n, apart)
	}
	v := x.weighting(w)
	c := chance{}
	for _, cell := range x.cells {
		c.observed += float64(cell.n) / float64(x.n) * v.of(cell)
	}
	for i, p := range x.first {
		c.expected += p * v.first[i]
	}
	value, ok := c.value()
	if !ok {
		return undefined(x.n, oneClass)
	}
	out := Coefficient{Value: value, N: x.n}
	se := x.standardError(v, value, c.expected)
	if se < flat {
		return out.within(carried(c.observed, c.expected, x.n, confidence))
	}
	z := stat.Normal(confidence)
	return out.within(value-z*se, value+z*se)
}

// weighting is the agreement of any two classes, and the mean agreement of
// each with what the other rater gives.
type weighting struct {
	by          Weights
	at          []float64
	span        float64
	first, last []float64
}

func (x *crosstab) weighting(w Weights) *weighting {
	v := &weighting{by: w, at: x.places, first: x.last, last: x.first}
	if w == Linear || w == Quadratic {
		v.span = x.places[len(x.places)-1] - x.places[0]
		v.first, v.last = v.mean(x.last), v.mean(x.first)
	}
	return v
}

func (v *weighting) of(c cell) float64 {
	d := math.Abs(v.at[c.first]-v.at[c.last]) / v.span
	switch v.by {
	case Linear:
		return 1 - d
	case Quadratic:
		return 1 - d*d
	case Plain, WeightsUnset:
	}
	if c.first == c.last {
		return 1
	}
	return 0
}

// mean is each class's mean agreement with classes of these shares. Places
// ascend, so one walk over them will do.
func (v *weighting) mean(shares []float64) []float64 {
	out := make([]float64, len(shares))
	center, spread := 0.0, 0.0
	for i, p := range shares {
		center += p * v.at[i]
	}
	for i, p := range shares {
		spread += p * square(v.at[i]-center)
	}
	below, sum := 0.0, 0.0 // share and sum of places up to here
	for i, p := range shares {
		below += p
		sum += p * v.at[i]
		if v.by == Quadratic {
			out[i] = 1 - (square(v.at[i]-center)+spread)/square(v.span)
		} else {
			out[i] = 1 - (v.at[i]*below-sum+(center-sum)-v.at[i]*(1-below))/v.span
		}
	}
	return out
}

func (x *crosstab) standardError(v *weighting, kappa, pe float64) float64 {
	sum := 0.0
	for _, c := range x.cells {
		sum += float64(c.n) / float64(x.n) * square(v.of(c)-(v.first[c.first]+v.last[c.last])*(1-kappa))
	}
	sum -= square(kappa - pe*(1-kappa))
	return math.Sqrt(max(0, sum) / (float64(x.n) * square(1-pe)))
}
