package correct

import (
	"cmp"
	"math"

	"concord/eval/stat"
)

// spread is an estimate with the parts that its variance is made of. The
// values are on the scale from 0 to 1.
type spread struct {
	value    float64
	labels   float64 // how many
	weight   float64 // of the labelled strata
	asked    float64 // their mean
	residual float64 // mean of what people say less lambda times what the machine says
	people   float64 // variance that more labels would lessen
	machine  float64 // all other variance
	lambda   float64 // of the labelled strata, by their weight
	effect   float64 // how many times the variance of items on their own; 0: items are on their own
	freedom  float64 // degrees of freedom of clusters; 0: the normal distribution
}

// se is the standard error without pseudo-labels.
func (s spread) se() float64 { return math.Sqrt((s.people + s.machine) * s.times()) }

// times is by what the variance is multiplied.
func (s spread) times() float64 { return cmp.Or(s.effect, 1) }

// quantile is Student's for clusters, and else that of the normal distribution.
func (s spread) quantile(confidence float64) float64 {
	if s.freedom > 0 {
		return stat.Student(s.freedom, confidence)
	}
	return stat.Normal(confidence)
}

// smoothed is the variance after two pseudo-labels were added to the residuals:
// the machine 1 and people 0, and the machine 0 and people 1. Labels that are
// all alike would otherwise seem certain.
func (s spread) smoothed() float64 {
	if s.weight == 0 {
		return s.machine
	}
	n := s.labels
	each := s.people * n / (s.weight * s.weight) // variance of one label
	a, b := 1-s.residual, -s.lambda-s.residual
	v := (n*each+a*a+b*b)/(n+2) - (a+b)*(a+b)/((n+2)*(n+2))
	return s.machine + s.weight*s.weight*v/(n+2)
}

// interval is Wilson's (1927) at the effective sample size: that of a plain
// share with the same, smoothed, variance. It holds near 0 and 1, where the
// normal interval does not.
func (s spread) interval(confidence float64) (low, high float64) {
	theta := min(1, max(0, s.value))
	p := (s.labels*theta + 1) / (s.labels + 2)
	return stat.WilsonAt(theta, p*(1-p)/(s.smoothed()*s.times()), s.quantile(confidence))
}
