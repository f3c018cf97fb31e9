package agree

import (
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

// Pairs compares every two raters of a table of so many. With all, those who
// have no item in common are in the list too, undefined with the reason; beyond
// a thousand raters they never are.
func Pairs(t Table, raters int, s Scale, confidence float64, all bool) []Pair {
	c := t.code(s)
	for _, item := range c.items {
		raters = max(raters, len(item))
	}
	both := crossings{raters: raters, classes: len(c.classes)}
	for _, item := range c.items {
		for j, b := range item {
			if b == absent {
				continue
			}
			for i, a := range item[:j] {
				if a != absent {
					both.of(i, j).add(a, b)
				}
			}
		}
	}
	var out []Pair
	for at, x := range both.all() {
		if x != nil || all {
			out = append(out, c.pair(at, x, s, confidence))
		}
	}
	return out
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

func (c *coded) pair(at [2]int, both *crossing, s Scale, confidence float64) Pair {
	out := Pair{First: at[0], Last: at[1], Agreement: stat.Undefined(Apart)}
	none := undefined(0, Apart)
	out.Kappa, out.Linear, out.Quadratic = none, none, none
	if both == nil {
		return out
	}
	x := both.table(c.places)
	out.Agreement = stat.NewRate(x.same(), x.n)
	out.Kappa = x.kappa(s, Plain, confidence)
	if c.foul != "" {
		out.Linear, out.Quadratic = undefined(x.n, c.foul), undefined(x.n, c.foul)
		return out
	}
	out.Linear, out.Quadratic = x.kappa(s, Linear, confidence), x.kappa(s, Quadratic, confidence)
	return out
}
