package agree

import "concord/eval/stat"

// Table is who gave which class to which item: Table[item][rater]. An empty
// class is a rating that is not there. Rows may differ in length.
type Table [][]string

// coded is a table whose classes are numbers, in the order of their scale.
type coded struct {
	classes []string
	places  []float64
	items   [][]int32 // absent where there is no rating
	foul    string    // why the classes do not fit the scale
}

const absent = -1

func (t Table) code(s Scale) *coded {
	seen := make(map[string]int32)
	cells := 0
	for _, item := range t {
		cells += len(item)
		for _, class := range item {
			if class != "" {
				seen[class] = 0
			}
		}
	}
	c := &coded{classes: make([]string, 0, len(seen)), items: make([][]int32, len(t))}
	for class := range seen {
		c.classes = append(c.classes, class)
	}
	if c.places, c.foul = s.places(c.classes); c.foul != "" {
		c.places = make([]float64, len(c.classes)) // nothing that needs them has a value
	}
	for i, class := range c.classes {
		seen[class] = int32(i)
	}
	all := make([]int32, cells)
	for i, item := range t {
		row := all[:len(item):len(item)]
		all = all[len(item):]
		for j, class := range item {
			row[j] = absent
			if class != "" {
				row[j] = seen[class]
			}
		}
		c.items[i] = row
	}
	return c
}

// Percent is the share of pairs of ratings of one item that agree.
func Percent(t Table) stat.Rate {
	p := t.code(Scale{}).profiles()
	return p.percent()
}

// Majority is the constant-answer baseline: the share of all ratings that are
// of the most frequent class.
func Majority(t Table) stat.Rate {
	p := t.code(Scale{}).profiles()
	return p.majority()
}
