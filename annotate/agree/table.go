package agree

import (
	"maps"
	"slices"

	"concord/eval/stat"
)

// Table is who gave which class to which item: Table[item][rater]. An empty
// class is a rating that is not there. Rows may differ in length.
type Table [][]string

// counts is a table as how many raters gave each class, in the order of
// classes, leaving out items without a rating.
type counts struct {
	classes []string
	items   [][]int
	sums    []int // ratings of each item
}

func (t Table) counts() counts {
	index := make(map[string]int)
	for _, item := range t {
		for _, class := range item {
			if class != "" {
				index[class] = 0
			}
		}
	}
	c := counts{classes: slices.Sorted(maps.Keys(index))}
	for i, class := range c.classes {
		index[class] = i
	}
	for _, item := range t {
		row, sum := make([]int, len(c.classes)), 0
		for _, class := range item {
			if class != "" {
				row[index[class]]++
				sum++
			}
		}
		if sum > 0 {
			c.items, c.sums = append(c.items, row), append(c.sums, sum)
		}
	}
	return c
}

// shares is the mean share of each class over items.
func (c *counts) shares() []float64 {
	out := make([]float64, len(c.classes))
	for i, item := range c.items {
		for k, n := range item {
			out[k] += float64(n) / float64(c.sums[i]) / float64(len(c.items))
		}
	}
	return out
}

// paired is how many items have two ratings or more.
func (c *counts) paired() int {
	n := 0
	for _, s := range c.sums {
		if s >= 2 {
			n++
		}
	}
	return n
}

// agreement is the share of agreeing pairs of ratings of item i, and false
// for an item with fewer than two ratings.
func (c *counts) agreement(i int) (float64, bool) {
	s := c.sums[i]
	if s < 2 {
		return 0, false
	}
	same := 0
	for _, n := range c.items[i] {
		same += n * (n - 1)
	}
	return float64(same) / float64(s*(s-1)), true
}

// observed is the mean of agreement over the items that have it.
func (c *counts) observed() float64 {
	sum := 0.0
	for i := range c.items {
		if a, ok := c.agreement(i); ok {
			sum += a
		}
	}
	return sum / float64(c.paired())
}

// undetermined is why no chance-corrected coefficient exists, or "".
func (c *counts) undetermined() string {
	switch {
	case len(c.items) == 0:
		return "no items"
	case c.paired() == 0:
		return "no item has two ratings"
	case len(c.classes) < 2:
		return "only one class is used"
	}
	return ""
}

// Percent is the share of pairs of ratings of one item that agree.
func Percent(t Table) stat.Rate {
	var all stat.Count
	for _, item := range t {
		for i, a := range item {
			for _, b := range item[i+1:] {
				if a != "" && b != "" {
					all.Add(a == b)
				}
			}
		}
	}
	return all.Rate("no item has two ratings")
}

// Majority is the constant-answer baseline: the share of all ratings that are
// of the most frequent class.
func Majority(t Table) stat.Rate {
	n := make(map[string]int)
	var all stat.Count
	for _, item := range t {
		for _, class := range item {
			if class != "" {
				n[class]++
				all.N++
				all.K = max(all.K, n[class])
			}
		}
	}
	return all.Rate("no ratings")
}
