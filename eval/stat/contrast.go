package stat

import "math"

// Contrast is a difference of two shares, with what each cluster of samples adds
// to it beyond the mean: of several contrasts over the same clusters the mean has
// an interval that knows what they have in common.
type Contrast struct {
	Estimate
	Clusters  int       // that it is over
	Influence []float64 // by cluster; nil: another set of samples than that of any other contrast
}

// MeanContrast is the mean of several contrasts, and the mean of what is above
// zero in each: MMStar's mean of leakages, each of which counts as nothing where
// it is negative. Contrasts with an influence are over the same clusters; the
// others are independent of all. A contrast that is Exact varies not.
//
// The mean has the cluster-robust interval of Paired.Difference, or that of Sum.
// The mean of floored differences is above its truth on average, the more so the
// more differences are near zero, so that no interval around it that is as wide
// as theirs holds: of 16 that are zero it covers in none of a hundred cases. Its
// bounds need no such symmetry. For the set S of the differences that are truly
// above zero its truth is the sum over S by the number of all, which the floored
// mean is never below: so the upper bound is the floored mean and the quantile
// times the largest standard error that a part of the mean can have. The lower
// one is that of the mean itself, which the truth is never below, or the mean of
// the single lower bounds, whichever is higher, each at half of the error.
func MeanContrast(all []Contrast, reason string) (mean, floored Estimate) {
	if len(all) == 0 {
		return NoEstimate(reason), NoEstimate(reason)
	}
	n := float64(len(all))
	mean, floored = Estimate{Exact: true}, Estimate{Exact: true}
	below, above, part := independent(all)
	for _, c := range all {
		mean.N += c.N
		mean.Value += c.Value / n
		floored.Value += max(0, c.Value) / n
		mean.Exact = mean.Exact && c.Exact
	}
	floored.N, floored.Exact, floored.Bounded = mean.N, mean.Exact, !mean.Exact
	mean.Low, mean.High, floored.Low, floored.High = mean.Value, mean.Value, floored.Value, floored.Value
	if mean.Exact {
		return mean, floored
	}
	if j := jointly(all, mean.Value); j.n > 0 {
		below, above = math.Hypot(below, j.half), math.Hypot(above, j.half)
		part = math.Hypot(part, j.part)
	}
	mean.Low, mean.High = max(-1, mean.Value-below), min(1, mean.Value+above)
	// Of an error of 0.025 on this side each of the two gets a half, and of its
	// half each single bound an equal part.
	error := (1 - Confidence) / 4
	wider := func(error float64) float64 { return Normal(1-2*error) / Normal(Confidence) }
	single := 0.0
	for _, c := range all {
		single += max(0, c.Value-wider(error/n)*(c.Value-c.Low)) / n
	}
	floored.Low = max(0, mean.Value-wider(error)*below, single)
	floored.High = min(1, floored.Value+part)
	return mean, floored
}

// independent is how far the bounds of the mean are from it by the contrasts
// that have clusters of their own, and the same above it.
func independent(all []Contrast) (below, above, part float64) {
	n := float64(len(all))
	for _, c := range all {
		if c.Influence == nil && !c.Exact {
			below = math.Hypot(below, (c.Value-c.Low)/n)
			above = math.Hypot(above, (c.High-c.Value)/n)
		}
	}
	return below, above, above
}

// joint is how far off the mean of contrasts over the same clusters may be: half
// the width of its interval, and that of the part of it which varies most.
type joint struct {
	n          int
	half, part float64
}

func jointly(all []Contrast, mean float64) joint {
	var out joint
	var some []Contrast
	for _, c := range all {
		if c.Influence != nil {
			some = append(some, c)
			out.n = max(out.n, c.Clusters)
		}
	}
	if out.n == 0 {
		return out
	}
	n, of := float64(out.n), float64(len(all))
	total := make([]float64, len(some[0].Influence))
	positive := 0.0 // the covariances that are
	for i, c := range some {
		for k, u := range c.Influence {
			total[k] += u / of
		}
		for j := range some[:i+1] {
			covariance := 0.0
			for k, u := range c.Influence {
				covariance += u * some[j].Influence[k] / (of * of)
			}
			if j < i {
				covariance *= 2
			}
			positive += max(0, covariance)
		}
	}
	var i influence
	i.n, i.value = n, mean
	for _, u := range total {
		i.squares += u * u
		switch apart := u*n + mean; {
		case apart > flatShare:
			i.over++
		case apart < -flatShare:
			i.under++
		}
	}
	low, high := i.interval(Confidence)
	out.half = max(mean-low, high-mean)
	out.part = max(out.half, Student(max(1, n-1), Confidence)*math.Sqrt(positive*n/max(1, n-1)))
	return out
}

// flatShare is a share that is nought but for rounding.
const flatShare = 1e-12
