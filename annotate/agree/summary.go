package agree

import (
	"slices"

	"concord/eval/stat"
)

// Summary holds what a table says of its raters as a whole. Percent, Observed and
// Majority stand beside the coefficients because any of these misleads alone:
// where one class prevails kappa is low, and AC1 high, at the same agreement.
type Summary struct {
	Items   int // with a rating
	Paired  int // with two or more: the others say nothing about agreement
	Ratings int
	Classes []Class // of all ratings, in the order of the scale

	Percent  stat.Rate   // of all pairs of ratings of one item
	Majority stat.Rate   // the constant-answer baseline
	Observed Coefficient // mean over items of the share of pairs that agree: what the others correct for chance
	Fleiss   Coefficient
	Alpha    Coefficient // Krippendorff's, on the scale
	AC1      Coefficient
	Weighted *Coefficient // Fleiss' kappa with quadratic weights; nil on the nominal scale
	AC2      *Coefficient // AC1 with these weights
	OneRest  Coefficient  // how often one rater says what most of the item's others say

	Foreign []int // raters whose classes nobody else uses
}

// Class is how many ratings are of a class.
type Class struct {
	Name string `json:"class"`
	N    int    `json:"n"`
}

// Summary gives what the panel says as a whole. AC1 has the interval of its standard error, the
// others that of the bootstrap over items; with Times 0 they have none. A
// rater of several classes that nobody else uses has another alphabet: then
// there is no coefficient over all.
func (p *Panel) Summary(b Bootstrap) Summary {
	s, f := p.scale, p.profiles()
	out := Summary{
		Items: f.items, Paired: f.paired(), Percent: f.percent(b.Sequence), Majority: f.majority(b.Sequence), Foreign: p.foreign(),
		AC1: f.gwet(nil, b.Confidence), OneRest: f.oneAgainstRest(),
	}
	for i, n := range f.totals() {
		out.Ratings += n
		out.Classes = append(out.Classes, Class{p.classes[i], n})
	}
	out.Observed = undefined(out.Paired, lonely)
	if out.Paired > 0 {
		e := f.estimator(s)
		e.weigh(f.weight)
		out.Observed = Coefficient{Value: e.agreement, N: out.Paired}
	}
	out.Fleiss = f.coefficient(Scale{}, f.items, (*estimator).fleissOf)
	out.Alpha = f.coefficient(s, out.Paired, (*estimator).krippendorff)
	out.Weighted, out.AC2 = f.weightedPair(s, b.Confidence)
	if b.Sequence {
		b.Times = 0
	}
	f.resample(s, b, &out)
	if b.Sequence {
		for _, c := range []*Coefficient{&out.Observed, &out.Fleiss, &out.Alpha, &out.AC1, &out.OneRest, out.Weighted, out.AC2} {
			if c != nil {
				*c = c.Ongoing()
			}
		}
	}
	if len(out.Foreign) > 0 {
		out.Fleiss, out.AC1 = undefined(f.items, foreigner), undefined(f.items, foreigner)
		if s.Level == Ordinal {
			*out.Weighted, *out.AC2 = out.Fleiss, out.AC1
		}
		if s.nominal() || s.Level == Ordinal {
			out.Alpha = undefined(out.Paired, foreigner)
		}
	}
	return out
}

// foreign lists the raters who, on items that others rated too, use two
// classes or more, none of which anybody else uses there. One class alone may
// be chance.
func (p *Panel) foreign() []int {
	users := make([]map[int]bool, len(p.classes)) // of each class
	used := make(map[int]map[int32]bool)          // by each rater
	for _, item := range p.items {
		if len(item) < 2 {
			continue
		}
		for _, g := range item {
			rater, class := int(g.rater), g.class
			if users[class] == nil {
				users[class] = make(map[int]bool)
			}
			if used[rater] == nil {
				used[rater] = make(map[int32]bool)
			}
			users[class][rater], used[rater][class] = true, true
		}
	}
	var out []int
	for rater, classes := range used {
		alone := len(classes) > 1
		for class := range classes {
			alone = alone && len(users[class]) == 1
		}
		if alone {
			out = append(out, rater)
		}
	}
	slices.Sort(out)
	return out
}

func (e *estimator) fleissOf([]int32) chance { return e.fleiss() }

// coefficient is one estimate over the whole table.
func (p *profiles) coefficient(s Scale, n int, of func(*estimator, []int32) chance) Coefficient {
	if why := p.undetermined(); why != "" {
		return undefined(n, why)
	}
	e := p.estimator(s)
	e.weigh(p.weight)
	v, ok := of(e, p.weight).value()
	if !ok {
		return undefined(n, oneClass)
	}
	return Coefficient{Value: v, N: n}
}
