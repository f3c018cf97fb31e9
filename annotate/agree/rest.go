package agree

import "concord/eval/stat"

// oneAgainstRest is how often one rater gives the class that is the most frequent
// among all other raters of the item, where classes tie as often as a fair draw
// would. It is the mean over the items, each of the same weight (AlpacaEval's
// agreement of annotators: Dubois et al. 2023, Sec. 3.1, one against the majority
// of the other three).
func (p *profiles) oneAgainstRest() Coefficient {
	var units stat.Clusters
	n, last := 0, 0.0
	for i := range p.all {
		f := &p.all[i]
		if f.sum < 2 {
			continue
		}
		share, rest := 0.0, make([]int, len(f.tally))
		for j, own := range f.tally {
			rest = rest[:0]
			rest = append(rest, int(own.n)-1)
			for k, t := range f.tally {
				if k != j {
					rest = append(rest, int(t.n))
				}
			}
			share += float64(own.n) * f.share * firstIsMode(rest)
		}
		units.PutMany(share, 1, 1, int(p.weight[i]))
		n, last = n+int(p.weight[i]), share
	}
	switch n {
	case 0:
		return undefined(0, lonely)
	case 1:
		return Coefficient{Value: last, N: 1}
	}
	e := units.Mean(0, 1, lonely)
	return Coefficient{Value: e.Value, Low: e.Low, High: e.High, Interval: true, N: e.N}
}

// firstIsMode is 1 where the first class is more frequent than any other, its
// share of the tie where it is not alone, and 0 where another is ahead.
func firstIsMode(count []int) float64 {
	same := 1
	for _, n := range count[1:] {
		switch {
		case n > count[0]:
			return 0
		case n == count[0]:
			same++
		}
	}
	return 1 / float64(same)
}
