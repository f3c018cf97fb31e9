package agree

import (
	"cmp"
	"maps"
	"slices"
)

// Long gathers a long table, a rating at a time. Items keep the order in which
// they come.
type Long struct {
	items  map[string]int
	raters map[string]int32
	names  []string // of raters
	words  map[string]string
	rows   [][]mark
	first  map[[2]int]int // line of each item's rating by each rater
	count  []int          // ratings of each rater
}

// mark is a rating with its class as text.
type mark struct {
	rater int32
	class string
}

// Add adds a rating. Where the rater has rated the item before, the line of
// that rating comes back with false, and nothing is added.
func (l *Long) Add(item, rater, class string, line int) (earlier int, ok bool) {
	if l.items == nil {
		*l = Long{items: make(map[string]int), raters: make(map[string]int32), words: make(map[string]string), first: make(map[[2]int]int)}
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
	l.rows[at] = append(l.rows[at], mark{who, word})
	l.count[who]++
	return 0, true
}

// Raters lists who has rated, by name.
func (l *Long) Raters() []string { return slices.Sorted(maps.Keys(l.raters)) }

// Ratings is how many ratings a rater has given.
func (l *Long) Ratings(rater string) int {
	if who, ok := l.raters[rater]; ok {
		return l.count[who]
	}
	return 0
}

// Panel lays the ratings of these raters out, in this order, on a scale.
func (l *Long) Panel(raters []string, s Scale) *Panel {
	column := l.columns(raters)
	p := newPanel(s, len(raters), func(yield func(string) bool) {
		for _, row := range l.rows {
			for _, m := range row {
				if column[m.rater] >= 0 && !yield(m.class) {
					return
				}
			}
		}
	})
	code := p.codes()
	for _, row := range l.rows {
		var item []given
		for _, m := range row {
			if c := column[m.rater]; c >= 0 {
				item = append(item, given{c, code[m.class]})
			}
		}
		slices.SortFunc(item, func(a, b given) int { return cmp.Compare(a.rater, b.rater) })
		p.items = append(p.items, item)
	}
	return p
}

// columns is the column of each rater; -1: none.
func (l *Long) columns(raters []string) []int32 {
	out := slices.Repeat([]int32{-1}, len(l.names))
	for i, name := range raters {
		if who, ok := l.raters[name]; ok {
			out[who] = int32(i)
		}
	}
	return out
}

// Column is what the raters say of each item, through settle: it is given
// their classes, and says what they come to, or "". Items that none of them
// rated come to "".
func (l *Long) Column(raters []string, settle func(classes []string) string) []string {
	column := l.columns(raters)
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
