package agree

import (
	"maps"
	"slices"

	"concord/eval/stat"
)

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

// countPairs counts how many pairs there are.
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

// newCrosstab gives the crosstab of a panel of two.
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

// ReferenceComparison is how one rater reads items whose class a reference says.
type ReferenceComparison struct {
	Agreement stat.Rate
	Baseline  stat.Rate // of always giving the reference's most frequent class
	Kappa     Coefficient
	AC1       Coefficient
	Confusion []Confusion // cells that are not empty, in the order of classes
	Classes   []ClassRates
}

// Confusion is how many items the reference gave one class and the rater
// another, or the same.
type Confusion struct {
	Reference string `json:"reference"`
	Rater     string `json:"rater"`
	N         int    `json:"n"`
}

// ClassRates is how a rater does on one class: of what it gave that class,
// how much the reference did too (precision); of what the reference did, how
// much it did too (recall).
type ClassRates struct {
	Class     string    `json:"class"`
	Precision stat.Rate `json:"precision"`
	Recall    stat.Rate `json:"recall"`
}

// CompareWithReference sets a rater beside a reference, over pairs of the reference's class
// and the rater's. Pairs with an empty class are left out.
func CompareWithReference(pairs [][2]string, s Scale, confidence float64) ReferenceComparison {
	t := make(Table, 0, len(pairs))
	for i := range pairs {
		if pairs[i][0] != "" && pairs[i][1] != "" {
			t = append(t, pairs[i][:])
		}
	}
	p := t.NewPanel(s)
	out := ReferenceComparison{
		Agreement: stat.UndefinedRate(Apart), Baseline: stat.UndefinedRate(Apart),
		Kappa: undefinedResult(0, Apart), AC1: undefinedResult(0, Apart),
	}
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
	out.addDetails(x, p.classes)
	return out
}

func (a *ReferenceComparison) addDetails(x *crosstab, classes []string) {
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
		given.PutMany(code, reference[i])
		a.Classes = append(a.Classes, ClassRates{
			Class:     classes[code],
			Precision: stat.Count{K: same[i], N: rater[i]}.Rate("the rater never gives it"),
			Recall:    stat.Count{K: same[i], N: reference[i]}.Rate("the reference never gives it"),
		})
	}
	a.Baseline = stat.MostFrequentRate(Apart, &given)
}
