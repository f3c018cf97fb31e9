package stat

import "math"

// MeanOfStrata is the mean of the shares of strata that all count alike, as those of
// a benchmark's tasks. The strata are fixed: nobody would draw others, so what is
// within them varies alone. Their variances add up, with the degrees of freedom of
// Satterthwaite ("An approximate distribution of estimates of variance components",
// Biometrics Bulletin 2, 1946) for units that are all alike, and the interval is
// that of one share with this variance. A stratum of one cluster says nothing of its variance, which is a
// quarter at most. N counts units. It is undefined for the given reason without
// units.
func MeanOfStrata(strata []*Clusters, reason string) Estimate {
	var all moments
	var variance, spread float64
	for _, c := range strata {
		m := c.computeMoments()
		if m.d <= 0 {
			continue
		}
		all.units += m.d
		all.n += m.n
		all.over += m.over
		all.under += m.under
		all.y += m.share()
		all.d++
		share := m.d2 / (m.d * m.d) // of the variance, if units are all alike
		all.d2 += share
		all.squares += m.squares / (m.d * m.d)
		all.fourths += m.fourths / (m.d * m.d * m.d * m.d)
		if m.n == 1 {
			variance += 0.25
			continue
		}
		variance += m.variance()
		spread += share * share / m.freedom()
	}
	if all.d == 0 {
		return NewUndefinedEstimate(reason)
	}
	all.small, all.few = variance/(all.d*all.d), max(1, float64(all.n)-all.d)
	if spread > 0 {
		all.few = all.d2 * all.d2 / spread
	}
	low, high := all.computeInterval(Confidence)
	return Estimate{N: int(math.Round(all.units)), Value: all.share(), Low: low, High: high, Few: all.warnUneven(false)}
}
