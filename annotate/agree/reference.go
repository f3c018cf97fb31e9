package agree

import "concord/eval/stat"

// Against is how one rater reads items whose class a reference says.
type Against struct {
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

// Compare sets a rater beside a reference, over pairs of the reference's class
// and the rater's. Pairs with an empty class are left out.
func Compare(pairs [][2]string, s Scale, confidence float64) Against {
	t := make(Table, 0, len(pairs))
	for i := range pairs {
		if pairs[i][0] != "" && pairs[i][1] != "" {
			t = append(t, pairs[i][:])
		}
	}
	p := t.Panel(s)
	out := Against{
		Agreement: stat.Undefined(Apart), Baseline: stat.Undefined(Apart),
		Kappa: undefined(0, Apart), AC1: undefined(0, Apart),
	}
	if len(t) == 0 {
		return out
	}
	x := p.cross()
	out.Agreement = stat.NewRate(x.same(), x.n)
	out.Kappa = x.kappa(s, Plain, confidence)
	out.AC1 = p.profiles().gwet(nil, confidence)
	if !x.share() && len(x.codes) > 2 {
		out.AC1 = undefined(x.n, apart)
	}
	out.details(x, p.classes)
	return out
}

func (a *Against) details(x *crosstab, classes []string) {
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
	most := make([]stat.Clusters, k)
	for i, code := range x.codes {
		most[i].PutMany(1, 1, 1, reference[i])
		most[i].PutMany(0, 1, 1, x.n-reference[i])
		a.Classes = append(a.Classes, ClassRates{
			Class:     classes[code],
			Precision: stat.Count{K: same[i], N: rater[i]}.Rate("the rater never gives it"),
			Recall:    stat.Count{K: same[i], N: reference[i]}.Rate("the reference never gives it"),
		})
	}
	a.Baseline = stat.Largest(most, Apart)
}
