package agree

import (
	"cmp"
	"maps"
	"slices"

	"concord/eval/stat"
)

// RaterPair is how two raters agree on the items that both rated.
type RaterPair struct {
	First, Last int // columns of the table
	Agreement   stat.Rate
	Kappa       Coefficient // Cohen's
	Linear      Coefficient // weighted, on scales that have distances
	Quadratic   Coefficient
}

// Apart is why there is nothing to say of two raters.
const Apart = "no item was rated by both"

// ComparePairs compares every two raters, in their order. Of more pairs than most it takes those with
// the most items in common; left is how many others there are.
func (p *Panel) ComparePairs(confidence float64, most int) (list []RaterPair, left int) {
	both := make(map[[2]int]crossing)
	for _, item := range p.items {
		for j, b := range item {
			for _, a := range item[:j] {
				at := [2]int{int(a.rater), int(b.rater)}
				if both[at] == nil {
					both[at] = make(crossing)
				}
				both[at][[2]int32{a.class, b.class}]++
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(both), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	if p.raters <= everyTwoUpTo {
		all = all[:0]
		for i := range p.raters {
			for j := i + 1; j < p.raters; j++ {
				all = append(all, [2]int{i, j})
			}
		}
	}
	left = p.raters*(p.raters-1)/2 - min(most, len(all))
	if len(all) > most {
		slices.SortStableFunc(all, func(a, b [2]int) int { return cmp.Compare(both[b].countPairs(), both[a].countPairs()) })
		all = all[:most]
		slices.SortFunc(all, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	}
	for _, at := range all {
		list = append(list, p.comparePair(at, both[at], confidence))
	}
	return list, left
}

// everyTwoUpTo is the most raters of whom pairs without a common item are listed.
const everyTwoUpTo = 1000

func (p *Panel) comparePair(at [2]int, both crossing, confidence float64) RaterPair {
	out := RaterPair{First: at[0], Last: at[1], Agreement: stat.UndefinedRate(Apart)}
	none := undefinedResult(0, Apart)
	out.Kappa, out.Linear, out.Quadratic = none, none, none
	if both == nil {
		return out
	}
	x := both.toCrosstab(p.places)
	out.Agreement = stat.NewRate(x.countAgreed(), x.n)
	out.Kappa = x.computeKappa(p.scale, Plain, confidence)
	if p.foul != "" {
		out.Linear, out.Quadratic = undefinedResult(x.n, p.foul), undefinedResult(x.n, p.foul)
		return out
	}
	out.Linear, out.Quadratic = x.computeKappa(p.scale, Linear, confidence), x.computeKappa(p.scale, Quadratic, confidence)
	return out
}

// Table is who gave which class to which item: Table[item][rater]. An empty
// class is a rating that is not there. Rows may differ in length.
type Table [][]string

// Panel is ratings laid out for the statistics: their classes are numbers in the order of the scale,
// and of a long table with many raters only what is there takes room. It does not change.
type Panel struct {
	scale   Scale
	classes []string
	places  []float64
	foul    string // why the classes do not fit the scale
	raters  int
	items   [][]rating // of each item, by rater

	// Clusters are what items share with others, by item; nil: each stands alone.
	Clusters []uint64
}

type rating struct{ rater, class int32 }

// NewPanel lays the table out on a scale.
func (t Table) NewPanel(s Scale) *Panel {
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
	code := p.classCodes()
	for _, item := range t {
		var row []rating
		for rater, class := range item {
			if class != "" {
				row = append(row, rating{int32(rater), code[class]})
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
	if p.places, p.foul = s.placeClasses(p.classes); p.foul != "" {
		p.places = make([]float64, len(p.classes)) // nothing that needs them has a value
	}
	return p
}

func (p *Panel) classCodes() map[string]int32 {
	out := make(map[string]int32, len(p.classes))
	for i, class := range p.classes {
		out[class] = int32(i)
	}
	return out
}

// LongTable gathers a long table, a rating at a time. Items keep the order in which they come.
type LongTable struct {
	items  map[string]int
	raters map[string]int32
	names  []string // of raters
	words  map[string]string
	rows   [][]ratingText
	first  map[[2]int]int // line of each item's rating by each rater
	count  []int          // ratings of each rater
}

type ratingText struct {
	rater int32
	class string
}

// AddRating adds a rating. Where the rater has rated the item before, the line of
// that rating comes back with false, and nothing is added.
func (l *LongTable) AddRating(item, rater, class string, line int) (earlier int, ok bool) {
	if l.items == nil {
		*l = LongTable{items: make(map[string]int), raters: make(map[string]int32), words: make(map[string]string), first: make(map[[2]int]int)}
	}
	at, known := l.items[item]
	if !known {
		at = len(l.rows)
		l.items[item] = at
		l.rows = append(l.rows, nil)
	}
	who, known := l.raters[rater]
	if !known {
		who = int32(len(l.names))
		l.raters[rater] = who
		l.names, l.count = append(l.names, rater), append(l.count, 0)
	}
	if earlier, rated := l.first[[2]int{at, int(who)}]; rated {
		return earlier, false
	}
	l.first[[2]int{at, int(who)}] = line
	word, known := l.words[class]
	if !known {
		word = class
		l.words[class] = word
	}
	l.rows[at] = append(l.rows[at], ratingText{who, word})
	l.count[who]++
	return 0, true
}

// Raters lists who has rated, by name.
func (l *LongTable) Raters() []string { return slices.Sorted(maps.Keys(l.raters)) }

// CountRatings counts how many ratings a rater has given.
func (l *LongTable) CountRatings(rater string) int {
	if who, ok := l.raters[rater]; ok {
		return l.count[who]
	}
	return 0
}

// NewPanel lays the ratings of these raters out, in this order, on a scale.
func (l *LongTable) NewPanel(raters []string, s Scale) *Panel {
	column := l.columnByRater(raters)
	p := newPanel(s, len(raters), func(yield func(string) bool) {
		for _, row := range l.rows {
			for _, m := range row {
				if column[m.rater] >= 0 && !yield(m.class) {
					return
				}
			}
		}
	})
	code := p.classCodes()
	for _, row := range l.rows {
		var item []rating
		for _, m := range row {
			if c := column[m.rater]; c >= 0 {
				item = append(item, rating{c, code[m.class]})
			}
		}
		slices.SortFunc(item, func(a, b rating) int { return cmp.Compare(a.rater, b.rater) })
		p.items = append(p.items, item)
	}
	return p
}

// columnByRater is the column of each rater; -1: none.
func (l *LongTable) columnByRater(raters []string) []int32 {
	out := slices.Repeat([]int32{-1}, len(l.names))
	for i, name := range raters {
		if who, ok := l.raters[name]; ok {
			out[who] = int32(i)
		}
	}
	return out
}

// ResolveByItem gives what the raters say of each item, through settle: it is given their classes, and
// says what they come to, or "". Items that none of them rated come to "".
func (l *LongTable) ResolveByItem(raters []string, settle func(classes []string) string) []string {
	column := l.columnByRater(raters)
	out := make([]string, len(l.rows))
	var classes []string
	for i, row := range l.rows {
		classes = classes[:0]
		for _, m := range row {
			if column[m.rater] >= 0 {
				classes = append(classes, m.class)
			}
		}
		if len(classes) > 0 {
			out[i] = settle(classes)
		}
	}
	return out
}
