package stat

import (
	"cmp"
	"maps"
	"slices"
)

// Classes counts units by what they are of, cluster by cluster: each unit is of
// one class, or of none. The zero value is empty.
type Classes[K cmp.Ordered] struct {
	of     map[K]map[part]int // clusters by how many of their units are of the class
	sizes  map[int]int        // all clusters, by how many units they have
	counts map[K]int
	open   []K
	inner  int
	n      int
	named  map[uint64]*units[K] // clusters whose units come one by one
}

// units are those of a cluster.
type units[K cmp.Ordered] struct {
	of  []K
	all int
}

// part is how many units of how many.
type part struct{ k, n int }

// Add adds a unit of a class to the open cluster.
func (c *Classes[K]) Add(k K) {
	c.open = append(c.open, k)
	c.inner++
}

// Skip adds a unit of none of the classes.
func (c *Classes[K]) Skip() { c.inner++ }

// Close ends the open cluster. One without units counts for nothing.
func (c *Classes[K]) Close() {
	if c.inner == 0 {
		return
	}
	if c.of == nil {
		c.of, c.sizes, c.counts = make(map[K]map[part]int), make(map[int]int), make(map[K]int)
	}
	slices.Sort(c.open)
	for left := c.open; len(left) > 0; {
		k, n := left[0], 1
		for n < len(left) && left[n] == k {
			n++
		}
		if c.of[k] == nil {
			c.of[k] = make(map[part]int)
		}
		c.of[k][part{n, c.inner}]++
		c.counts[k] += n
		left = left[n:]
	}
	c.sizes[c.inner]++
	c.n += c.inner
	c.open, c.inner = c.open[:0], 0
}

// CloseIn ends the open cluster as a part of the cluster of a number, to which
// others may add, and is Close for 0.
func (c *Classes[K]) CloseIn(cluster uint64) {
	if cluster == 0 {
		c.Close()
		return
	}
	c.in(cluster, c.open, c.inner)
	c.open, c.inner = c.open[:0], 0
}

func (c *Classes[K]) in(cluster uint64, of []K, all int) {
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

// folded is c with the clusters that have a number among the others.
func (c *Classes[K]) folded() *Classes[K] {
	if c.named == nil {
		return c
	}
	out := &Classes[K]{}
	for _, u := range c.named {
		out.open, out.inner = append(out.open, u.of...), u.all
		out.Close()
	}
	alone := *c
	alone.named = nil
	out.Merge(&alone)
	return out
}

// Merge adds the closed clusters of o, which are others than those of c but
// for those of equal numbers.
func (c *Classes[K]) Merge(o *Classes[K]) {
	for cluster, u := range o.named {
		c.in(cluster, u.of, u.all)
	}
	if o.of == nil {
		return
	}
	if c.of == nil {
		c.of, c.sizes, c.counts = make(map[K]map[part]int), make(map[int]int), make(map[K]int)
	}
	for k, parts := range o.of {
		if c.of[k] == nil {
			c.of[k] = make(map[part]int)
		}
		for p, n := range parts {
			c.of[k][p] += n
		}
	}
	for size, n := range o.sizes {
		c.sizes[size] += n
	}
	for k, n := range o.counts {
		c.counts[k] += n
	}
	c.n += o.n
}

// N is how many units there are, those of no class among them.
func (c *Classes[K]) N() int { return c.folded().n }

// Counts are how many units are of each class.
func (c *Classes[K]) Counts() map[K]int {
	if c = c.folded(); c.counts == nil {
		return make(map[K]int)
	}
	return maps.Clone(c.counts)
}

// Rate is the share of all units that are of a class, by Clusters.Rate.
func (c *Classes[K]) Rate(k K, reason string) Rate {
	clusters := c.folded().clusters(k)
	return clusters.Rate(reason)
}

// Most is the share of the most frequent class, by Largest.
func (c *Classes[K]) Most(reason string) Rate {
	c = c.folded()
	all := make([]Clusters, 0, len(c.of))
	for _, k := range slices.Sorted(maps.Keys(c.of)) {
		all = append(all, c.clusters(k))
	}
	return Largest(all, reason)
}

func (c *Classes[K]) clusters(k K) Clusters {
	var out Clusters
	without := maps.Clone(c.sizes)
	for p, n := range c.of[k] {
		out.PutMany(float64(p.k), float64(p.n), p.n, n)
		without[p.n] -= n
	}
	for size, n := range without {
		out.PutMany(0, float64(size), size, n)
	}
	return out
}
