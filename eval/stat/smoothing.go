package stat

// How many clusters on the scarcer side of the share the smoothing gives way
// to: it is whole up to the first number, and gone from the second on. Of clusters
// of several units so many of the rarer outcome count as units on their own would
// need for the variance: few clusters of many units stand on either side of a
// share that is far from the ends.
const (
	smoothWhole, smoothNone                   = 10, 20
	smoothWholeOfSeveral, smoothNoneOfSeveral = 3, 10
)

// smoothing is how much of the pseudo-clusters is added to those of a share. Where
// the units of a cluster make up for each other, a few that do not may decide alone.
func (m *moments) smoothing() float64 {
	if m.units <= float64(m.n) {
		return m.pseudoClusterWeight()
	}
	r, v := m.share(), m.variance()
	weight := giveWay(r*(1-r)*min(r, 1-r), v*smoothWholeOfSeveral, v*smoothNoneOfSeveral)
	if v*m.units < r*(1-r) {
		deciding := m.squares * m.squares / max(m.fourths, flatShare)
		uneven := max(giveWay(deciding, 1.5, 3), giveWay(deciding/float64(m.n), 0.1, 0.25))
		weight = max(weight, min(m.pseudoClusterWeight(), uneven))
	}
	return weight
}

// pseudoClusterWeight is how much of the pseudo-clusters is added by the clusters on
// the scarcer side.
func (m *moments) pseudoClusterWeight() float64 {
	return giveWay(float64(min(m.over, m.under)), smoothWhole, smoothNone)
}

// giveWay goes from 1 to 0 as a number goes from whole to none.
func giveWay(number, whole, none float64) float64 {
	if number <= whole {
		return 1
	}
	return max(0, (none-number)/(none-whole))
}
