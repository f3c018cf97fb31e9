package stat

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
)

// Clusters adds up the units of a share or a mean, cluster by cluster. A unit contributes y of at most
// d: 1 or 0 of 1 for a share, a score of its range for a mean, agreeing pairs of all pairs for
// agreement. Units of one cluster (the passes of a question, the questions of an image, the pairs of
// raters of an item) may depend on each other in any way; clusters may not. The zero value is empty.
type Clusters struct {
	// Sequence says that clusters come in still, in a random order: intervals
	// are those of a confidence sequence (Throughout).
	Sequence bool

	units int
	many  bool                // some cluster has several units, or one that is no 0 or 1 of 1
	small *[side * side]int32 // clusters by y and d, where both are whole numbers below side
	rest  map[clusterSum]int
	open  clusterSum
	inner int                         // units of the open cluster
	named map[uint64]*numberedCluster // clusters whose units come one by one
}

// numberedCluster is a cluster that more units may come to.
type numberedCluster struct {
	clusterSum
	units int
}

// clusterSum is what the units of a cluster come to.
type clusterSum struct{ y, d float64 }

const side = 16

// AddUnit adds a unit to the cluster that is open.
func (c *Clusters) AddUnit(y, d float64) { c.AddUnits(y, d, 1) }

// AddUnits adds so many units that come to y of d to the open cluster.
func (c *Clusters) AddUnits(y, d float64, units int) {
	if d != 0 {
		c.open.y += y
		c.open.d += d
		c.inner += units
	}
}

// AddHit adds a unit that counts or not to the open cluster.
func (c *Clusters) AddHit(hit bool) {
	if hit {
		c.open.y++
	}
	c.open.d++
	c.inner++
}

// AddToCluster adds a unit to the cluster of a number, whichever is open. Units of one
// cluster may come in any order, and from several Clusters that are merged.
func (c *Clusters) AddToCluster(cluster uint64, y, d float64) {
	if d != 0 {
		c.addToCluster(cluster, numberedCluster{clusterSum{y, d}, 1})
	}
}

func (c *Clusters) addToCluster(cluster uint64, more numberedCluster) {
	if c.named == nil {
		c.named = make(map[uint64]*numberedCluster)
	}
	w := c.named[cluster]
	if w == nil {
		w = new(numberedCluster)
		c.named[cluster] = w
	}
	w.y += more.y
	w.d += more.d
	w.units += more.units
}

// withNumberedFolded is c with the clusters that have a number among the others.
func (c *Clusters) withNumberedFolded() *Clusters {
	if c.named == nil {
		return c
	}
	out := &Clusters{Sequence: c.Sequence, units: c.units, many: c.many}
	c.eachClusterSum(out.addClusterSum)
	for _, w := range c.named {
		out.AddClusters(w.y, w.d, w.units, 1)
	}
	return out
}

// CloseCluster ends the open cluster. One without units counts for nothing.
func (c *Clusters) CloseCluster() { c.CloseAsMany(1) }

// CloseAsMany ends the open cluster, which counts as n that come to the same.
func (c *Clusters) CloseAsMany(n int) {
	if c.inner > 0 {
		c.AddClusters(c.open.y, c.open.d, c.inner, n)
	}
	c.open, c.inner = clusterSum{}, 0
}

// CloseInCluster ends the open cluster as a part of the cluster of a number, to which
// others may add, and is Close for 0.
func (c *Clusters) CloseInCluster(cluster uint64) {
	if cluster == 0 {
		c.CloseCluster()
		return
	}
	if c.inner > 0 {
		c.addToCluster(cluster, numberedCluster{c.open, c.inner})
	}
	c.open, c.inner = clusterSum{}, 0
}

// AddSingle adds a whole cluster of one unit.
func (c *Clusters) AddSingle(y, d float64) {
	c.AddUnit(y, d)
	c.CloseCluster()
}

// AddClusters adds n clusters that come to the same: each of the given units, y and d.
func (c *Clusters) AddClusters(y, d float64, units, n int) {
	if d == 0 || n == 0 {
		return
	}
	c.units += units * n
	c.many = c.many || units > 1 || d != 1 || y != 0 && y != 1
	c.addClusterSum(clusterSum{y, d}, n)
}

func (c *Clusters) addClusterSum(t clusterSum, n int) {
	y, d := int(t.y), int(t.d)
	if t.y >= 0 && y < side && d < side && float64(y) == t.y && float64(d) == t.d {
		if c.small == nil {
			c.small = new([side * side]int32)
		}
		c.small[d*side+y] += int32(n)
		return
	}
	if c.rest == nil {
		c.rest = make(map[clusterSum]int)
	}
	c.rest[t] += n
}

// Merge adds the closed clusters of o, which are others than those of c but for those of equal numbers.
func (c *Clusters) Merge(o *Clusters) {
	c.units += o.units
	c.many = c.many || o.many
	o.eachClusterSum(c.addClusterSum)
	for cluster, w := range o.named {
		c.addToCluster(cluster, *w)
	}
}

// eachClusterSum calls f with every kind of cluster and how many there are.
func (c *Clusters) eachClusterSum(f func(t clusterSum, n int)) {
	if c.small != nil {
		for i, n := range c.small {
			if n > 0 {
				f(clusterSum{float64(i % side), float64(i / side)}, int(n))
			}
		}
	}
	for _, t := range slices.SortedFunc(maps.Keys(c.rest), compareTotals) { // sums depend on the order
		f(t, c.rest[t])
	}
}

func compareTotals(a, b clusterSum) int { return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.y, b.y)) }

// Rate is the share of y in d, with an interval that holds whatever the units of a cluster have
// to do with each other. Where each cluster is one unit that counts or not, it is NewRate. It
// is undefined for the given reason without units.
func (c *Clusters) Rate(reason string) Rate { return c.RateAt(Confidence, reason) }

// RateAt is Rate with an interval of that confidence level.
func (c *Clusters) RateAt(confidence float64, reason string) Rate {
	c = c.withNumberedFolded()
	m := c.computeMoments()
	switch {
	case m.d <= 0:
		return UndefinedRate(reason)
	case !c.many && !c.Sequence:
		r := NewRate(int(math.Round(m.y)), c.units)
		r.Low, r.High = WilsonInterval(r.K, r.N, confidence)
		return r
	}
	low, high := m.computeInterval(c.confidenceLevel(confidence, m.n))
	r := Rate{K: int(math.Round(m.y)), N: int(math.Round(m.d)), Value: m.share(), Low: low, High: high, Sequence: c.Sequence}
	if !c.many {
		return r
	}
	r.Clusters = m.n
	if v := r.Value * (1 - r.Value) / m.d; v > 0 && m.n > 1 { // one cluster says nothing of it
		r.DesignEffect = m.variance() / v
	}
	r.Few = m.warnFewDecide(r.DesignEffect < 1)
	return r
}

// rateOfMostFrequent is the share of the most frequent of n classes, which all count the same units. The
// largest of several shares is too high on average, and so is its own interval: here the lower bound
// holds for all classes at once (Bonferroni's inequality), and the upper one is the highest of theirs.
func rateOfMostFrequent(n int, classes iter.Seq[*Clusters], reason string) Rate {
	var out Rate
	low, high := 0.0, 0.0
	for c := range classes {
		m := c.computeMoments()
		if m.d <= 0 {
			continue
		}
		r := c.Rate("")
		if out.N == 0 || r.K > out.K {
			out = r
		}
		l, _ := m.computeInterval(c.confidenceLevel(1-(1-Confidence)/float64(n), m.n))
		low, high = max(low, l), max(high, r.High)
	}
	if out.N == 0 {
		return UndefinedRate(reason)
	}
	out.Low, out.High, out.Bounded = min(low, out.Low), high, n > 1 && !out.Sequence
	return out
}

// MeanOnScale is the mean of units on a scale from low to high; y is on the scale from 0 to 1 (y - low
// over high - low). Its interval stays on the scale and holds near its ends. N counts clusters.
func (c *Clusters) MeanOnScale(low, high float64, reason string) Estimate {
	m := c.computeMoments()
	if m.d <= 0 {
		return NewUndefinedEstimate(reason)
	}
	from, to := m.computeInterval(c.confidenceLevel(Confidence, m.n))
	on := func(v float64) float64 { return low + v*(high-low) }
	return Estimate{N: m.n, Value: on(m.share()), Low: on(from), High: on(to), Sequence: c.Sequence, Few: m.warnFewDecide(false)}
}

// MeanDifference is the mean of units that are differences of two scores on a
// scale of steps, at most that far from 0; y is the difference itself. Its interval is Student's. Where few clusters stand
// on one side of the mean, as when most differences are 0, the variance is
// smoothed by two pseudo-clusters, one step to either side. N counts clusters.
func (c *Clusters) MeanDifference(step, most float64, reason string) Estimate {
	m := c.computeMoments()
	if m.d <= 0 {
		return NewUndefinedEstimate(reason)
	}
	weight, n := m.pseudoClusterWeight(), float64(m.n)
	size := m.d2 / m.d
	squares := m.squares + 2*weight*(size*step)*(size*step)
	clusters, all := n+2*weight, m.d+2*weight*size
	half := StudentQuantile(m.degreesOfFreedom(), Confidence) * math.Sqrt(squares*clusters/max(clusters-1, 0.5)) / all
	r := m.share()
	return Estimate{N: m.n, Value: r, Low: max(-most, r-half), High: min(most, r+half)}
}

// moments are the sums over clusters that an interval needs.
type moments struct {
	n         int
	y, d      float64
	units     float64 // d, but of strata that weigh alike
	squares   float64 // of the residuals y - share*d
	fourths   float64 // their fourth powers
	over      int     // clusters with a positive residual
	under     int
	d2, fours float64 // sums of d^2 and d^4

	// Of few clusters of several units each, and of a mean of strata: the share's
	// variance and degrees of freedom by satterthwaite; else 0.
	small, few float64
}

func (c *Clusters) computeMoments() moments {
	var m moments
	c = c.withNumberedFolded()
	c.eachClusterSum(func(t clusterSum, n int) {
		f := float64(n)
		m.n += n
		m.y += f * t.y
		m.d += f * t.d
		m.d2 += f * t.d * t.d
		m.fours += f * t.d * t.d * t.d * t.d
	})
	m.units = m.d
	r := m.share()
	c.eachClusterSum(func(t clusterSum, n int) {
		residual := t.y - r*t.d
		square := residual * residual
		m.squares += float64(n) * square
		m.fourths += float64(n) * square * square
		switch {
		case residual > 1e-12:
			m.over += n
		case residual < -1e-12:
			m.under += n
		}
	})
	if c.many && m.n > 1 && m.n < FewClusters {
		m.small, m.few = c.satterthwaiteVarianceAndFreedom(r)
	}
	return m
}

// satterthwaiteVarianceAndFreedom is the variance and the degrees of freedom of few clusters.
func (c *Clusters) satterthwaiteVarianceAndFreedom(share float64) (variance, freedom float64) {
	var sizes, residuals []float64
	c.eachClusterSum(func(t clusterSum, n int) {
		for range n {
			sizes, residuals = append(sizes, t.d), append(residuals, t.y-share*t.d)
		}
	})
	correlation := 1.0
	if unit := share * (1 - share); unit > 0 {
		correlation = intraclassCorrelation(sizes, residuals, unit)
	}
	return satterthwaiteVariance(sizes, residuals, correlation)
}

func (m *moments) share() float64 { return m.y / m.d }

// variance is that of the share, robust to what units of a cluster have in common.
func (m *moments) variance() float64 {
	if m.n < 2 {
		return math.Inf(1)
	}
	if m.small > 0 {
		return m.small
	}
	n := float64(m.n)
	return m.squares / (m.d * m.d) * n / (n - 1)
}

// computeInterval computes Wilson's at the effective sample size p(1-p)/var, with Student's
// quantile. Near the ends, where few clusters stand on one side of the share, the variance is
// smoothed by two pseudo-clusters, one with nothing and one with everything: a variance of none
// would say that nothing is unknown. The degrees of freedom are those of the clusters' sizes
// (Carter, Schnepel and Steigerwald, "Asymptotic behavior of a t-test robust to cluster
// heterogeneity", Review of Economics and Statistics 99, 2017), and with the variance
// satterthwaite's of few clusters. COVERAGE.md holds how often the interval covers.
func (m *moments) computeInterval(confidence float64) (low, high float64) {
	n, r := float64(m.n), m.share()
	weight := m.pseudoClusterShare()
	size := m.d / n // of a pseudo-cluster
	squares := m.squares
	if m.small > 0 {
		squares = m.small * m.d * m.d * (n - 1) / n
	}
	squares += weight * size * size * (r*r + (1-r)*(1-r))
	clusters, all := n+2*weight, m.d+2*weight*size
	variance := squares / (all * all) * clusters / max(clusters-1, 0.5)
	p := (m.y + weight*size) / all
	effective := p * (1 - p) / variance
	return WilsonIntervalAt(r, effective, StudentQuantile(m.degreesOfFreedom(), confidence))
}

// warnFewDecide is the warning beside a figure over clusters of which a few decide it.
// Where the units of a cluster make up for each other, none does but for its size.
func (m *moments) warnFewDecide(offset bool) string {
	worth, deciding := m.d*m.d/m.d2, float64(FewRare)
	if !offset {
		deciding = m.squares * m.squares / m.fourths
	}
	if r := m.share(); 2*worth < float64(m.n) { // the rarer outcome of a large cluster may not have come up
		deciding = min(deciding, worth*min(r, 1-r))
	}
	return warnUneven(worth, deciding)
}

// degreesOfFreedom is the degrees of freedom of clusters of unequal size: one less than they are if all are alike.
func (m *moments) degreesOfFreedom() float64 {
	if m.few > 0 {
		return m.few
	}
	return max(1, m.d2*m.d2/m.fours-1)
}
