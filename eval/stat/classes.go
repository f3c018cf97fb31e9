package stat

import (
	"cmp"
	"maps"
	"slices"
)

// Classes counts units by what they are of, cluster by cluster: each unit is of
// one class, or of none. The zero value is empty.
type Classes[K cmp.Ordered] struct {
	Sequence bool // clusters come in still, as of Clusters

	of       map[K]*parts // clusters by how many of their units are of the class
	sizes    parts        // all clusters, by how many units they have
	open     []K
	inner, n int
	named    map[uint64]*units[K] // clusters whose units come one by one
}

type units[K cmp.Ordered] struct {
	of  []K
	all int
}

// part is how many units of how many.
type part struct{ k, n int }

// parts are how many clusters there are of each part: most have one unit, and need no look-up.
type parts struct {
	single int // of part{1, 1}
	more   map[part]int
}

func (ps *parts) addPart(p part, clusters int) {
	if p == (part{1, 1}) {
		ps.single += clusters
		return
	}
	if ps.more == nil {
		ps.more = make(map[part]int)
	}
	ps.more[p] += clusters
}

// eachPart yields each part with its clusters; those of one unit first.
func (ps *parts) eachPart(yield func(part, int) bool) {
	if ps.single != 0 && !yield(part{1, 1}, ps.single) {
		return
	}
	maps.All(ps.more)(yield)
}

// AddUnit adds a unit of a class to the open cluster.
func (c *Classes[K]) AddUnit(k K) {
	c.open = append(c.open, k)
	c.inner++
}

// CloseCluster ends the open cluster. One without units counts for nothing.
func (c *Classes[K]) CloseCluster() { c.CloseAsMany(1) }

// CloseAsMany ends the open cluster, which counts as so many that have the same units.
func (c *Classes[K]) CloseAsMany(times int) {
	if c.inner == 0 {
		return
	}
	if len(c.open) > 1 {
		slices.Sort(c.open)
	}
	for left := c.open; len(left) > 0; {
		k, n := left[0], 1
		for n < len(left) && left[n] == k {
			n++
		}
		c.addCluster(k, part{n, c.inner}, times)
		left = left[n:]
	}
	c.sizes.addPart(part{c.inner, c.inner}, times)
	c.n += c.inner * times
	c.open, c.inner = c.open[:0], 0
}

// CloseInCluster ends the open cluster as a part of the cluster of a number, to which
// others may add, and is Close for 0.
func (c *Classes[K]) CloseInCluster(cluster uint64) {
	if cluster == 0 {
		c.CloseCluster()
		return
	}
	c.addUnits(cluster, c.open, c.inner)
	c.open, c.inner = c.open[:0], 0
}

func (c *Classes[K]) addUnits(cluster uint64, of []K, all int) {
	if all == 0 {
		return
	}
	if c.named == nil {
		c.named = make(map[uint64]*units[K])
	}
	u := c.named[cluster]
	if u == nil {
		u = new(units[K])
		c.named[cluster] = u
	}
	u.of, u.all = append(u.of, of...), u.all+all
}

// AddSingles adds n clusters of one unit of a class.
func (c *Classes[K]) AddSingles(k K, n int) {
	if n > 0 {
		c.AddUnit(k)
		c.CloseAsMany(n)
	}
}

func (c *Classes[K]) addCluster(k K, p part, clusters int) {
	of := c.of[k]
	if of == nil {
		if c.of == nil {
			c.of = make(map[K]*parts)
		}
		of = new(parts)
		c.of[k] = of
	}
	of.addPart(p, clusters)
}

// Merge adds the closed clusters of o, which are others than those of c but for those of equal numbers.
func (c *Classes[K]) Merge(o *Classes[K]) {
	for cluster, u := range o.named {
		c.addUnits(cluster, u.of, u.all)
	}
	for k, of := range o.of {
		for p, n := range of.eachPart {
			c.addCluster(k, p, n)
		}
	}
	for p, n := range o.sizes.eachPart {
		c.sizes.addPart(p, n)
	}
	c.n += o.n
}

// N is how many units there are, those of no class among them.
func (c *Classes[K]) N() int {
	n := c.n
	for _, u := range c.named {
		n += u.all
	}
	return n
}

// Counts are how many units are of each class.
func (c *Classes[K]) Counts() map[K]int {
	out := make(map[K]int)
	for k, of := range c.of {
		for p, n := range of.eachPart {
			out[k] += p.k * n
		}
	}
	for _, u := range c.named {
		for _, k := range u.of {
			out[k]++
		}
	}
	return out
}

// Rate is the share of all units that are of a class, by Clusters.Rate.
func (c *Classes[K]) Rate(k K, reason string) Rate {
	clusters := c.clustersOfClass(k, true)
	return clusters.Rate(reason)
}

// MostFrequentRate is the share of the most frequent class. Of several parts it
// is the share of all units that are of their own part's most frequent class:
// the lower bound holds for every way to choose a class in each.
func MostFrequentRate[K cmp.Ordered](reason string, of ...*Classes[K]) Rate {
	var joint Clusters
	ways := 1
	for _, c := range of {
		counts := c.Counts()
		names := slices.Sorted(maps.Keys(counts))
		if len(of) == 1 {
			return rateOfMostFrequent(len(names), func(yield func(*Clusters) bool) {
				for _, k := range names {
					if hits := c.clustersOfClass(k, true); !yield(&hits) {
						return
					}
				}
			}, reason)
		}
		if len(names) > 0 {
			hits := c.clustersOfClass(slices.MaxFunc(names, func(a, b K) int { return cmp.Compare(counts[a], counts[b]) }), false)
			joint.Merge(&hits)
			ways = min(ways*len(names), mostWays)
		}
	}
	return rateOfMostFrequent(ways, slices.Values([]*Clusters{&joint}), reason)
}

// mostWays is the most ways that a quantile tells apart.
const mostWays = 1e9

// clustersOfClass are the clusters by their units of a class. Whole ones have no number:
// nothing is added to them.
func (c *Classes[K]) clustersOfClass(k K, whole bool) Clusters {
	out := Clusters{Sequence: c.Sequence}
	without := make(map[int]int)
	for p, n := range c.sizes.eachPart {
		without[p.n] += n
	}
	if of := c.of[k]; of != nil {
		for p, n := range of.eachPart {
			out.AddClusters(float64(p.k), float64(p.n), p.n, n)
			without[p.n] -= n
		}
	}
	for size, n := range without {
		out.AddClusters(0, float64(size), size, n)
	}
	for cluster, u := range c.named {
		hits := 0
		for _, of := range u.of {
			if of == k {
				hits++
			}
		}
		if whole {
			out.AddClusters(float64(hits), float64(u.all), u.all, 1)
		} else {
			out.addToCluster(cluster, numberedCluster{clusterSum{float64(hits), float64(u.all)}, u.all})
		}
	}
	return out
}
