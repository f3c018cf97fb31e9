package stat

import "fmt"

// FewRare is how many units of the rarer outcome are enough: with fewer an interval of a share is not
// sure to hold as often as it says.
const FewRare = 10

// Few is the warning beside a figure over few units: clusters, where units come in
// some. Rarer is how many are of the rarer outcome, below 0 where there are no
// two outcomes. "" is none. COVERAGE.md holds how often such intervals cover.
func Few(units, rarer int) string {
	switch {
	case units <= 0:
		return ""
	case units < FewClusters:
		return fmt.Sprintf("few: %d of the %d units that an interval takes to hold", units, FewClusters)
	case rarer >= 0 && rarer < FewRare:
		return fmt.Sprintf("few: %d of the %d units of the rarer outcome that an interval takes to hold", rarer, FewRare)
	}
	return ""
}

// Warning is what to know of the rate's interval: Few.
func (r Rate) Warning() string {
	if r.reason() != "" {
		return ""
	}
	units := r.N
	if r.Clusters > 0 {
		units = r.Clusters
	}
	return Few(units, min(r.K, r.N-r.K))
}

// Warning is what to know of the estimate's interval: Few.
func (e Estimate) Warning() string {
	if e.Exact || e.Reason() != "" {
		return ""
	}
	return Few(e.N, -1)
}
