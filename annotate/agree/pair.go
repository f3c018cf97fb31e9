package agree

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"concord/eval/stat"
)

// Pair is how two raters agree on the items that both rated.
type Pair struct {
	First, Last int // columns of the table
	Agreement   stat.Rate
	Kappa       Coefficient // Cohen's
	Linear      Coefficient // weighted, on scales that have distances
	Quadratic   Coefficient
}

// Apart is why there is nothing to say of two raters.
const Apart = "no item was rated by both"

// Pairs compares every two raters, in their order. Of more pairs than most it
// takes those with the most items in common; left is how many others there
// are.
func (p *Panel) Pairs(confidence float64, most int) (list []Pair, left int) {
	both := crossings{raters: p.raters, classes: len(p.classes)}
	for _, item := range p.items {
		for j, b := range item {
			for _, a := range item[:j] {
				both.of(int(a.rater), int(b.rater)).add(a.class, b.class)
			}
		}
	}
	var all []counted
	for at, x := range both.all() {
		all = append(all, counted{at, x})
	}
	left = p.raters*(p.raters-1)/2 - min(most, len(all))
	if len(all) > most {
		slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.items(), a.items()) })
		all = all[:most]
		slices.SortFunc(all, func(a, b counted) int { return slices.Compare(a.at[:], b.at[:]) })
	}
	for _, c := range all {
		list = append(list, p.pair(c.at, c.crossing, confidence))
	}
	return list, left
}

// counted is a pair of raters with what they gave; nil: nothing in common.
type counted struct {
	at [2]int
	*crossing
}

func (c counted) items() int {
	if c.crossing == nil {
		return 0
	}
	return c.n
}

// crossings holds what every two raters gave: in a triangle while there are
// few enough raters, else by pair.
type crossings struct {
	raters, classes int
	triangle        []*crossing
	sparse          map[[2]int]*crossing
}

// triangleUpTo is the most raters of whom a triangle of pairs is kept.
const triangleUpTo = 1000

func (c *crossings) of(i, j int) *crossing {
	if c.raters > triangleUpTo {
		if c.sparse == nil {
			c.sparse = make(map[[2]int]*crossing)
		}
		x := c.sparse[[2]int{i, j}]
		if x == nil {
			x = newCrossing(c.classes)
			c.sparse[[2]int{i, j}] = x
		}
		return x
	}
	if c.triangle == nil {
		c.triangle = make([]*crossing, c.raters*(c.raters-1)/2)
	}
	x := &c.triangle[j*(j-1)/2+i]
	if *x == nil {
		*x = newCrossing(c.classes)
	}
	return *x
}

// all yields every pair in order, with nil for those without an item; of many
// raters, only those with one.
func (c *crossings) all() iter.Seq2[[2]int, *crossing] {
	return func(yield func([2]int, *crossing) bool) {
		if c.raters > triangleUpTo {
			for _, at := range slices.SortedFunc(maps.Keys(c.sparse), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
				if !yield(at, c.sparse[at]) {
					return
				}
			}
			return
		}
		for i := range c.raters {
			for j := i + 1; j < c.raters; j++ {
				var x *crossing
				if c.triangle != nil {
					x = c.triangle[j*(j-1)/2+i]
				}
				if !yield([2]int{i, j}, x) {
					return
				}
			}
		}
	}
}

func (p *Panel) pair(at [2]int, both *crossing, confidence float64) Pair {
	out := Pair{First: at[0], Last: at[1], Agreement: stat.Undefined(Apart)}
	none := undefined(0, Apart)
	out.Kappa, out.Linear, out.Quadratic = none, none, none
	if both == nil {
		return out
	}
	x := both.table(p.places)
	out.Agreement = stat.NewRate(x.same(), x.n)
	out.Kappa = x.kappa(p.scale, Plain, confidence)
	if p.foul != "" {
		out.Linear, out.Quadratic = undefined(x.n, p.foul), undefined(x.n, p.foul)
		return out
	}
	out.Linear, out.Quadratic = x.kappa(p.scale, Linear, confidence), x.kappa(p.scale, Quadratic, confidence)
	return out
}
