package agree

import (
	"maps"
	"slices"

	"concord/eval/stat"
)

// Table is who gave which class to which item: Table[item][rater]. An empty
// class is a rating that is not there. Rows may differ in length.
type Table [][]string

// Panel is ratings laid out for the statistics: their classes are numbers in
// the order of the scale, and of a long table with many raters only what is
// there takes room. It does not change.
type Panel struct {
	scale   Scale
	classes []string
	places  []float64
	foul    string // why the classes do not fit the scale
	raters  int
	items   [][]given // of each item, by rater
}

// given is one rating.
type given struct{ rater, class int32 }

// Panel lays the table out on a scale.
func (t Table) Panel(s Scale) *Panel {
	raters := 0
	for _, item := range t {
		raters = max(raters, len(item))
	}
	p := newPanel(s, raters, func(yield func(string) bool) {
		for _, item := range t {
			for _, class := range item {
				if class != "" && !yield(class) {
					return
				}
			}
		}
	})
	code := p.codes()
	for _, item := range t {
		var row []given
		for rater, class := range item {
			if class != "" {
				row = append(row, given{int32(rater), code[class]})
			}
		}
		p.items = append(p.items, row)
	}
	return p
}

func newPanel(s Scale, raters int, classes func(func(string) bool)) *Panel {
	seen := make(map[string]bool)
	for class := range classes {
		seen[class] = true
	}
	p := &Panel{scale: s, raters: raters, classes: slices.Sorted(maps.Keys(seen))}
	if p.places, p.foul = s.places(p.classes); p.foul != "" {
		p.places = make([]float64, len(p.classes)) // nothing that needs them has a value
	}
	return p
}

func (p *Panel) codes() map[string]int32 {
	out := make(map[string]int32, len(p.classes))
	for i, class := range p.classes {
		out[class] = int32(i)
	}
	return out
}

// Percent is the share of pairs of ratings of one item that agree.
func Percent(t Table) stat.Rate { return t.Panel(Scale{}).profiles().percent(false) }
