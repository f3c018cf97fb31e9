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

// AddItem adds an item of a sample. That the two agree is said apart: a class of its
// own that nobody else can give agrees with nothing.
func (c *Classified) AddItem(sample uint64, first, second string, agree bool) {
	c.items = append(c.items, classified{sample, first, second})
	c.same.AddToCluster(sample, boolToFloat(agree), 1)
}

// N is how many items there are.
func (c *Classified) N() int { return len(c.items) }

// Agreement is the share of the items on which the two agree.
func (c *Classified) Agreement(reason string) stat.Rate {
	c.same.Sequence = c.Sequence
	return c.same.Rate(reason)
}

// Baseline is the rate of a second side that always gives the first one's most frequent class.
func (c *Classified) Baseline(reason string) stat.Rate {
	classes := stat.Classes[string]{Sequence: c.Sequence}
	for i := range c.items {
		classes.AddUnit(c.items[i].first)
		classes.CloseInCluster(c.items[i].sample + 1) // 0 would be none
	}
	return stat.MostFrequentRate(reason, &classes)
}

// Coefficients are Cohen's kappa and Gwet's AC1 of the two sides. Where some
// sample has several items, the intervals are cluster-robust.
func (c *Classified) Coefficients(confidence float64) (kappa, ac1 Coefficient) {
	sides, table := make([]string, 0, 2*len(c.items)), make(Table, 0, len(c.items))
	for i := range c.items {
		if it := &c.items[i]; it.first != "" && it.second != "" {
			sides = append(sides, it.first, it.second)
			table = append(table, sides[len(sides)-2:])
		}
	}
	p := table.NewPanel(Scale{})
	kappa, ac1 = p.kappa(Plain, confidence), p.newProfiles().gwetCoefficient(nil, confidence)
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

// withRobustInterval gives a coefficient the interval that knows clusters. What each item adds to the
// coefficient is put on the scale of the observed agreement, where those of a cluster add up: its
// interval (stat.Clusters), which knows that agreement ends at 1, is carried over to the coefficient.
// Student's around the coefficient itself covers .92 where one in ten is misread.
func (c *Classified) withRobustInterval(k Coefficient, observed, expected float64, adds func(*classified, float64) float64) Coefficient {
	if k.Undefined != "" {
		return k
	}
	var units stat.Clusters
	for i := range c.items {
		it := &c.items[i]
		units.AddToCluster(it.sample, observed+(1-expected)*adds(it, k.Value), 1)
	}
	e := units.MeanOnScale(0, 1, nothing)
	k.Few = cmp.Or(e.Warning(), k.Few)
	return k.withInterval((e.Low-expected)/(1-expected), (e.High-expected)/(1-expected))
}

// crosstab is the contingency table of two raters over the items that both
// rated: the cells that are not empty, by the classes that either used.
type crosstab struct {
	n      int
	codes  []int32   // the classes, as the table codes them
	places []float64 // of those
	cells  []cell
	first  []float64 // share of each class in the first rater's ratings
	last   []float64
}

// cell is how many items the two raters gave these classes to.
type cell struct{ first, last, n int32 }

// crossing counts pairs of codes.
type crossing map[[2]int32]int32

func (c crossing) countPairs() int {
	n := 0
	for _, k := range c {
		n += int(k)
	}
	return n
}

// toCrosstab gives the counts as a crosstab, of classes at these places.
func (c crossing) toCrosstab(places []float64) *crosstab {
	x := &crosstab{n: c.countPairs()}
	for _, p := range slices.SortedFunc(maps.Keys(c), func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }) {
		x.cells = append(x.cells, cell{p[0], p[1], c[p]})
		x.codes = append(x.codes, p[:]...)
	}
	slices.Sort(x.codes)
	x.codes = slices.Compact(x.codes)
	for _, code := range x.codes {
		x.places = append(x.places, places[code])
	}
	x.first, x.last = make([]float64, len(x.codes)), make([]float64, len(x.codes))
	for i := range x.cells {
		c := &x.cells[i]
		a, _ := slices.BinarySearch(x.codes, c.first)
		b, _ := slices.BinarySearch(x.codes, c.last)
		c.first, c.last = int32(a), int32(b)
		x.first[a] += float64(c.n) / float64(x.n)
		x.last[b] += float64(c.n) / float64(x.n)
	}
	return x
}

func (p *Panel) newCrosstab() *crosstab {
	both := make(crossing)
	for _, item := range p.items {
		if len(item) == 2 {
			both[[2]int32{item[0].class, item[1].class}]++
		}
	}
	return both.toCrosstab(p.places)
}

// countAgreed counts how many items the two agree on.
func (x *crosstab) countAgreed() int {
	n := 0
	for _, c := range x.cells {
		if c.first == c.last {
			n += int(c.n)
		}
	}
	return n
}

// sharesClass reports whether some class was used by both raters.
func (x *crosstab) sharesClass() bool {
	for i := range x.codes {
		if x.first[i] > 0 && x.last[i] > 0 {
			return true
		}
	}
	return false
}

// ReferenceComparison is how one rater reads items whose class a reference says. What is not compared
// stands beside it: items that only the reference has, and only the rater.
type ReferenceComparison struct {
	Agreement   stat.Rate    `json:"agreement" line:"against"`
	Kappa       Coefficient  `json:"cohen_kappa" line:"against"`
	AC1         Coefficient  `json:"gwet_ac1" line:"against_gwet_ac1"`
	Baseline    stat.Rate    `json:"majority_baseline" line:"against_baseline"` // of always giving the reference's most frequent class
	NotRated    int          `json:"not_rated" line:"-"`
	NoReference int          `json:"no_reference" line:"-"`
	Classes     []ClassRates `json:"classes"`
	Confusion   []Confusion  `json:"confusion"` // cells that are not empty, in the order of classes
}

// Confusion is how many items the reference gave one class and the rater another, or the same.
type Confusion struct {
	Reference string `json:"reference"`
	Rater     string `json:"rater"`
	N         int    `json:"n"`
}

// ClassRates is how a rater does on one class: of what it gave that class, how much the reference did
// too (precision); of what the reference did, how much it did too (recall).
type ClassRates struct {
	Class     string    `json:"class"`
	Precision stat.Rate `json:"precision"`
	Recall    stat.Rate `json:"recall"`
}

// CompareWithReference sets a rater beside a reference, over pairs of the reference's class
// and the rater's. Pairs with an empty class are left out.
func CompareWithReference(pairs [][2]string, s Scale, confidence float64) ReferenceComparison {
	out := ReferenceComparison{
		Agreement: stat.UndefinedRate(Apart), Baseline: stat.UndefinedRate(Apart),
		Kappa: undefinedResult(0, Apart), AC1: undefinedResult(0, Apart),
	}
	t := make(Table, 0, len(pairs))
	for i := range pairs {
		switch truth, said := pairs[i][0] != "", pairs[i][1] != ""; {
		case truth && said:
			t = append(t, pairs[i][:])
		case truth:
			out.NotRated++
		case said:
			out.NoReference++
		}
	}
	p := t.NewPanel(s)
	if len(t) == 0 {
		return out
	}
	x := p.newCrosstab()
	out.Agreement = stat.NewRate(x.countAgreed(), x.n)
	out.Kappa = x.computeKappa(s, Plain, confidence)
	out.AC1 = p.newProfiles().gwetCoefficient(nil, confidence)
	if !x.sharesClass() && len(x.codes) > 2 {
		out.AC1 = undefinedResult(x.n, apart)
	}
	out.addClassDetails(x, p.classes)
	return out
}

func (a *ReferenceComparison) addClassDetails(x *crosstab, classes []string) {
	k := len(x.codes)
	same, reference, rater := make([]int, k), make([]int, k), make([]int, k)
	for _, c := range x.cells {
		reference[c.first] += int(c.n)
		rater[c.last] += int(c.n)
		if c.first == c.last {
			same[c.first] = int(c.n)
		}
		a.Confusion = append(a.Confusion, Confusion{classes[x.codes[c.first]], classes[x.codes[c.last]], int(c.n)})
	}
	var given stat.Classes[int32]
	for i, code := range x.codes {
		given.AddSingles(code, reference[i])
		a.Classes = append(a.Classes, ClassRates{
			Class:     classes[code],
			Precision: stat.Count{K: same[i], N: rater[i]}.Rate("the rater never gives it"),
			Recall:    stat.Count{K: same[i], N: reference[i]}.Rate("the reference never gives it"),
		})
	}
	a.Baseline = stat.MostFrequentRate(Apart, &given)
}
