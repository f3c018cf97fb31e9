package correct

// tune is the one lambda for all strata: it makes the variance of their
// weighted mean least. Of one stratum it is that of PPI++, the covariance over
// (1 + n/N) times the machine's variance over all items. A lambda for each
// stratum, tuned on the labels that it then corrects, makes intervals too
// narrow and scores too high: of 20 strata with 20 labels each they cover the
// truth in 79 % of cases.
func tune(strata []moments) float64 {
	var up, down float64
	for i := range strata {
		m := &strata[i]
		if m.labelled == 0 || m.unlabelled == 0 {
			continue // everything or nothing is labelled: nothing to weigh
		}
		weight := m.size() * m.size()
		up += weight * m.cov / m.labelled
		down += weight * m.all * (1/m.labelled + 1/m.unlabelled)
	}
	if down == 0 {
		return 0
	}
	return min(1, max(0, up/down))
}

// lambdas gives each stratum its weight of the machine's word: the shared one,
// and 0 where everything is labelled.
func lambdas(strata []moments) []float64 {
	out := make([]float64, len(strata))
	shared := tune(strata)
	for i := range strata {
		if strata[i].unlabelled > 0 {
			out[i] = shared
		}
	}
	return out
}
