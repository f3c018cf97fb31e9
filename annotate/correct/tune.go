package correct

// tune is the one lambda for strata that makes the variance of their weighted
// mean least. Of one stratum it is that of PPI++: the covariance over
// (1 + n/N) times the machine's variance over all items.
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

// tunable is how many labels a stratum needs to have a lambda of its own:
// tuned on fewer it follows their noise, and the interval comes out too narrow.
const tunable = 20

// lambdas tunes each stratum by itself where it has labels enough, and those
// with fewer together.
func lambdas(strata []moments) []float64 {
	out := make([]float64, len(strata))
	var small []moments
	for i := range strata {
		if strata[i].labelled < tunable {
			small = append(small, strata[i])
		}
	}
	shared := tune(small)
	for i := range strata {
		m := &strata[i]
		switch {
		case m.unlabelled == 0:
		case m.labelled < tunable:
			out[i] = shared
		default:
			out[i] = tune(strata[i : i+1])
		}
	}
	return out
}
