package agree

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Saying is what one rater says of one item: a class, with a label of the rater's
// own where there is one, or a number. The zero value is nothing said.
type Saying struct {
	Class   string
	Label   string // "": none
	Number  float64
	Numeric bool
}

// agreesWith reports whether two raters say the same: by their labels where both have one.
func (s *Saying) agreesWith(o *Saying) bool {
	switch {
	case s.Label != "" && o.Label != "":
		return s.Label == o.Label
	case s.Numeric && o.Numeric:
		return s.Number == o.Number
	}
	return s.Class == o.Class && s.Numeric == o.Numeric
}

// RatedItem is an item: what the judge says of it, and what each person does, by
// their names. Those who say nothing are not among them.
type RatedItem struct {
	Judge  Saying
	People map[string]Saying
}

// AlternativeTest is the alternative annotator test of one judge (Calderon, Reichart
// and Dror, "The Alternative Annotator Test for LLM-as-a-Judge", ACL 2025), as a part
// of a row. The winning rate has no interval: the test of each person is in it.
type AlternativeTest struct {
	WinningRate Coefficient `json:"winning_rate"`          // the share of people that the judge beats
	Advantage   Coefficient `json:"advantage_probability"` // the mean over people of the share of items on which the judge is as close to the others
	Passes      bool        `json:"may_replace"`           // at least half of the people are beaten
	Epsilon     float64     `json:"epsilon" line:"-"`
	Few         int         `json:"people_with_few_items,omitempty" line:"-"`

	Rated int `json:"-"` // items that a judge and two people rated
}

// The settings of the test that the paper advises.
const (
	AlternativeEpsilon = 0.2  // what a person's work is dearer than the judge's
	AlternativeItems   = 30   // the fewest items of a person
	falseDiscovery     = 0.05 // of Benjamini and Yekutieli
)

// RunAlternativeTest tests whether a judge may take the place of a person. One person after the other
// is left out: on each item the judge and they are scored against the others, by the share who say the
// same, or, of numbers, by minus the root mean square error; a tie counts for both. A person is beaten
// when the mean by which they are ahead is below epsilon, by a one-sided t-test, with Benjamini and
// Yekutieli's procedure over people. Fewest is how many items a person needs; items that nobody else
// rated are none of theirs.
func RunAlternativeTest(items []RatedItem, epsilon float64, fewest int) AlternativeTest {
	out := AlternativeTest{Epsilon: epsilon}
	ahead, wins := make(map[string][]float64), make(map[string]float64)
	for i := range items {
		it := &items[i]
		if it.Judge == (Saying{}) || len(it.People) < 2 {
			continue
		}
		out.Rated++
		for who := range it.People {
			judge, person := it.scoreAgainstOthers(who)
			ahead[who] = append(ahead[who], boolToFloat(person >= judge)-boolToFloat(judge >= person))
			wins[who] += boolToFloat(judge >= person)
		}
	}
	var p []float64
	for _, who := range slices.Sorted(maps.Keys(ahead)) {
		n := len(ahead[who])
		if n < max(fewest, 2) {
			out.Few++
			continue
		}
		out.Advantage.Value += wins[who] / float64(n)
		p = append(p, pValueBelow(ahead[who], epsilon))
	}
	beaten, of := countRejected(p, falseDiscovery), len(p)
	switch {
	case out.Rated == 0:
		out.WinningRate.Undefined = "no item that the judge and two people rated"
	case of == 0:
		out.WinningRate.Undefined = "nobody has enough items"
	default:
		out.WinningRate.Value, out.Passes = float64(beaten)/float64(of), 2*beaten >= of
		out.Advantage.Value /= float64(of)
	}
	out.Advantage.Undefined = out.WinningRate.Undefined
	out.WinningRate.N, out.Advantage.N = of, of
	return out
}

func boolToFloat(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// scoreAgainstOthers scores the judge and a person against the other people of the item. All
// of them are numbers, or none is taken for one.
func (it *RatedItem) scoreAgainstOthers(who string) (judge, person float64) {
	mine := it.People[who]
	numbers := it.Judge.Numeric
	for _, s := range it.People {
		numbers = numbers && s.Numeric
	}
	others := float64(len(it.People) - 1)
	for _, other := range slices.Sorted(maps.Keys(it.People)) { // one order, so that sums round alike
		s := it.People[other]
		switch {
		case other == who:
		case numbers:
			judge += (it.Judge.Number - s.Number) * (it.Judge.Number - s.Number)
			person += (mine.Number - s.Number) * (mine.Number - s.Number)
		default:
			judge += boolToFloat(it.Judge.agreesWith(&s))
			person += boolToFloat(mine.agreesWith(&s))
		}
	}
	if numbers {
		return -math.Sqrt(judge / others), -math.Sqrt(person / others)
	}
	return judge / others, person / others
}

// pValueBelow is the p-value of a one-sided t-test of whether the mean is below a value.
func pValueBelow(x []float64, value float64) float64 {
	mean, dev := stat.MeanStdDev(x, nil)
	se := dev / math.Sqrt(float64(len(x)))
	if se < flat {
		return boolToFloat(mean >= value)
	}
	return distuv.StudentsT{Sigma: 1, Nu: float64(len(x) - 1)}.CDF((mean - value) / se)
}

// countRejected counts how many hypotheses Benjamini and Yekutieli's procedure rejects
// (Annals of Statistics 29, 2001).
func countRejected(p []float64, q float64) int {
	p = slices.Sorted(slices.Values(p))
	harmonic := 0.0
	for i := range p {
		harmonic += 1 / float64(i+1)
	}
	for k := len(p); k > 0; k-- {
		if p[k-1] <= float64(k)/float64(len(p))*q/harmonic {
			return k
		}
	}
	return 0
}

// ComputeMacroF1 computes the mean over classes of F1, the harmonic mean of precision and
// recall, of how many items the reference and the rater gave which class; every
// class that either of them gave counts the same.
func ComputeMacroF1(confusion map[[2]string]int) Coefficient {
	given, right := make(map[string]int), make(map[string]int)
	out := Coefficient{}
	for pair, n := range confusion {
		given[pair[0]] += n
		given[pair[1]] += n
		if out.N += n; pair[0] == pair[1] {
			right[pair[0]] += n
		}
	}
	if out.N == 0 {
		out.Undefined = nothing
		return out
	}
	for _, class := range slices.Sorted(maps.Keys(given)) {
		out.Value += 2 * float64(right[class]) / float64(given[class]) / float64(len(given))
	}
	return out
}

// RatedItems are the items of the table, with what a judge and people say of them:
// numbers where the scale has distances and no order of its own.
func (l *LongTable) RatedItems(judge string, people []string, s Scale) []RatedItem {
	column := l.columnByRater(append([]string{judge}, people...))
	numeric := s.Level > Nominal && len(s.Order) == 0
	out := make([]RatedItem, len(l.rows))
	for i, row := range l.rows {
		out[i].People = make(map[string]Saying)
		for _, m := range row {
			said := Saying{Class: m.class}
			if numeric {
				x, err := strconv.ParseFloat(m.class, 64)
				said.Number, said.Numeric = x, err == nil
			}
			switch c := column[m.rater]; {
			case c == 0:
				out[i].Judge = said
			case c > 0:
				out[i].People[people[c-1]] = said
			}
		}
	}
	return out
}
