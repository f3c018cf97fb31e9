package stat

// FewClusters is how many are enough: fewer take the degrees of freedom of satterthwaite: with
// more, those of freedom are as good and need no list of clusters.
const FewClusters = 30

// Freedom is the degrees of freedom of a difference over clusters of these
// sizes, whose units are taken to be all alike: one less than the clusters where
// their sizes are, and satterthwaite's of few.
func Freedom(sizes []float64) float64 {
	n := float64(len(sizes))
	if n >= FewClusters || n < 2 {
		return max(1, n-1)
	}
	_, freedom := satterthwaite(sizes, make([]float64, len(sizes)), 1)
	return freedom
}

// satterthwaite is the variance CR2 of a share and its degrees of freedom, over
// clusters of the given sizes and residuals (of the clusters' totals). CR2 has no
// bias where units are independent (Bell and McCaffrey, "Bias reduction in
// standard errors for linear regression with multi-stage samples", Survey
// Methodology 28, 2002). The degrees of freedom are Satterthwaite's under a
// working model in which two units of a cluster correlate as the residuals say
// (Imbens and Kolesár, "Robust standard errors in small samples", Review of
// Economics and Statistics 98, 2016).
func satterthwaite(sizes, residuals []float64, correlation float64) (variance, freedom float64) {
	all, spread := 0.0, 0.0 // of the totals, under the working model
	each := make([]float64, len(sizes))
	for i, d := range sizes {
		all += d
		each[i] = d * (1 + correlation*max(0, d-1))
		spread += each[i]
	}
	trace, squares := 0.0, 0.0
	for i, d := range sizes {
		share := d / all
		variance += residuals[i] * residuals[i] / (1 - share) / (all * all)
		for j, e := range sizes {
			covariance := share*e/all*spread - each[i]*e/all - each[j]*share
			if i == j {
				covariance += each[i]
				trace += covariance / (1 - share)
			}
			squares += covariance * covariance / ((1 - share) * (1 - e/all))
		}
	}
	return variance, max(1, trace*trace/squares)
}

// alike is how two units of a cluster correlate, by the residuals of the
// clusters' totals: 0 where they vary no more than units on their own would.
func alike(sizes, residuals []float64, unit float64) float64 {
	apart, pairs := 0.0, 0.0
	for i, d := range sizes {
		apart += residuals[i]*residuals[i] - d*unit
		pairs += d * max(0, d-1)
	}
	if pairs == 0 || unit == 0 {
		return 0
	}
	return min(1, max(0, apart/(pairs*unit)))
}
