package agree

import (
	"cmp"
	"maps"
	"slices"

	"concord/eval/stat"
)

// Classified are items to which two sides gave a class, people and a machine
// say. Items of one sample, as the answers of several models to one question, are
// one cluster: their readings succeed and fail together. The zero value is empty.
type Classified struct {
	// Sequence says that items come in still, in a random order: rates are
	// elements of confidence sequences, and coefficients have no interval.
	Sequence bool

	items []classified
	same  stat.Clusters
}

type classified struct {
	sample        uint64
	first, second string
}

// Add adds an item of a sample. That the two agree is said apart: a class of its
// own that nobody else can give agrees with nothing.
func (c *Classified) Add(sample uint64, first, second string, agree bool) {
	c.items = append(c.items, classified{sample, first, second})
	y := 0.0
	if agree {
		y = 1
	}
	c.same.AddToCluster(sample, y, 1)
}

// N is how many items there are.
func (c *Classified) N() int { return len(c.items) }

// Agreement is the share of the items on which the two agree.
func (c *Classified) Agreement(reason string) stat.Rate {
	c.same.Sequence = c.Sequence
	return c.same.Rate(reason)
}

// Baseline is the rate of a second side that always gives the first one's most
// frequent class.
func (c *Classified) Baseline(reason string) stat.Rate {
	classes := stat.Classes[string]{Sequence: c.Sequence}
	for i := range c.items {
		classes.Add(c.items[i].first)
		classes.CloseIn(c.items[i].sample + 1) // 0 would be none
	}
	return stat.MostFrequentRate(reason, &classes)
}

// Coefficients are Cohen's kappa and Gwet's AC1 of the two sides. Where some
// sample has several items, the intervals are cluster-robust.
func (c *Classified) Coefficients(confidence float64) (kappa, ac1 Coefficient) {
	pairs, table := make([][2]string, 0, len(c.items)), make(Table, 0, len(c.items))
	for i := range c.items {
		it := &c.items[i]
		if it.first != "" && it.second != "" {
			pairs, table = append(pairs, [2]string{it.first, it.second}), append(table, []string{it.first, it.second})
		}
	}
	kappa, ac1 = CohenKappa(pairs, confidence), GwetAC1(table, confidence)
	if c.Sequence {
		return kappa.WithoutInterval(), ac1.WithoutInterval()
	}
	if n := c.countClusters(); n == len(c.items) || n < 2 {
		return kappa, ac1
	}
	m := c.computeMargins()
	return c.withRobustInterval(kappa, m.observed, m.byProduct, m.kappaInfluence), c.withRobustInterval(ac1, m.observed, m.byGuess, m.ac1Influence)
}

func (c *Classified) countClusters() int {
	seen := make(map[uint64]bool)
	for i := range c.items {
		seen[c.items[i].sample] = true
	}
	return len(seen)
}

// margins are the shares of the classes on either side.
type margins struct {
	first, second  map[string]float64
	observed       float64
	byProduct      float64 // expected by Cohen
	byGuess, sides float64 // expected by Gwet, and how many classes
}

func (c *Classified) computeMargins() *margins {
	m := &margins{first: make(map[string]float64), second: make(map[string]float64)}
	each := 1 / float64(len(c.items))
	for i := range c.items {
		it := &c.items[i]
		m.first[it.first] += each
		m.second[it.second] += each
		if it.first == it.second {
			m.observed += each
		}
	}
	both := maps.Clone(m.first)
	maps.Copy(both, m.second)
	m.sides = float64(len(both))
	for _, name := range slices.Sorted(maps.Keys(both)) {
		m.byProduct += m.first[name] * m.second[name]
		p := m.meanShare(name)
		m.byGuess += p * (1 - p) / (m.sides - 1)
	}
	return m
}

// meanShare is a class's mean share on the two sides.
func (m *margins) meanShare(name string) float64 { return (m.first[name] + m.second[name]) / 2 }

func oneIfSame(it *classified) float64 { return boolToFloat(it.first == it.second) }

// kappaInfluence is what an item adds to Cohen's kappa beyond the mean (from the variance
// of Fleiss, Cohen and Everitt 1969).
func (m *margins) kappaInfluence(it *classified, kappa float64) float64 {
	expected := m.second[it.first] + m.first[it.second] - 2*m.byProduct
	return (oneIfSame(it) - m.observed - (1-kappa)*expected) / (1 - m.byProduct)
}

// ac1Influence is what an item adds to Gwet's AC1 beyond the mean (Gwet 2008).
func (m *margins) ac1Influence(it *classified, ac1 float64) float64 {
	guess := ((1 - m.meanShare(it.first)) + (1 - m.meanShare(it.second))) / 2 / (m.sides - 1)
	return ((oneIfSame(it)-m.byGuess)-2*(1-ac1)*(guess-m.byGuess))/(1-m.byGuess) - ac1
}

// withRobustInterval gives a coefficient the interval that knows clusters. What each item adds
// to the coefficient is put on the scale of the observed agreement, where those of
// a cluster add up: its interval (stat.Clusters), which knows that agreement ends at
// 1, is carried over to the coefficient. Student's around the coefficient itself
// covers .92 where one in ten is misread.
func (c *Classified) withRobustInterval(k Coefficient, observed, expected float64, adds func(*classified, float64) float64) Coefficient {
	if k.Undefined != "" {
		return k
	}
	var units stat.Clusters
	for i := range c.items {
		it := &c.items[i]
		units.AddToCluster(it.sample, observed+(1-expected)*adds(it, k.Value), 1)
	}
	e := units.Mean(0, 1, nothing)
	k.Few = cmp.Or(e.Warning(), k.Few)
	return k.withInterval((e.Low-expected)/(1-expected), (e.High-expected)/(1-expected))
}
