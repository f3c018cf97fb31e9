package agree

import (
	"maps"
	"slices"

	"concord/eval/stat"
)

// OneAgainstRest is how often one rater gives the class that is the most
// frequent among a number of the item's other raters, over every choice of
// them; 0 is all of the others. Where classes tie, each of them counts as often
// as a fair draw would take it. It is the mean over the items that have that
// many ratings, each of the same weight (AlpacaEval's agreement of annotators:
// Dubois et al. 2023, Sec. 3.1, one against the majority of the other three).
func OneAgainstRest(t Table, others int) stat.Estimate {
	var units stat.Clusters
	n, last := 0, 0.0
	for _, item := range t {
		count := make(map[string]int)
		raters := 0
		for _, class := range item {
			if class != "" {
				count[class]++
				raters++
			}
		}
		size := others
		if size == 0 {
			size = raters - 1
		}
		if size < 1 || raters-1 < size {
			continue
		}
		share := 0.0
		for _, class := range slices.Sorted(maps.Keys(count)) {
			share += float64(count[class]) / float64(raters) * follows(count, class, size)
		}
		units.Put(share, 1)
		n, last = n+1, share
	}
	if n == 1 {
		return stat.Expected(last, 1)
	}
	return units.Mean(0, 1, lonely)
}

// oneAgainstRest is OneAgainstRest of all other raters, of a table as profiles.
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

// follows is the chance that a rater of a class agrees with the most frequent
// class of some of the others, drawn at random.
func follows(count map[string]int, own string, size int) float64 {
	left := []int{count[own] - 1} // of the others: the own class first
	for _, class := range slices.Sorted(maps.Keys(count)) {
		if class != own {
			left = append(left, count[class])
		}
	}
	all := 0
	for _, n := range left {
		all += n
	}
	taken := make([]int, len(left))
	var sum float64
	var take func(i, size int, ways float64)
	take = func(i, size int, ways float64) {
		if i == len(left) {
			if size == 0 {
				sum += ways * firstIsMode(taken)
			}
			return
		}
		for k := 0; k <= min(left[i], size); k++ {
			taken[i] = k
			take(i+1, size-k, ways*choose(left[i], k))
		}
	}
	take(0, size, 1)
	return sum / choose(all, size)
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

func choose(n, k int) float64 {
	out := 1.0
	for i := range k {
		out *= float64(n-i) / float64(i+1)
	}
	return out
}
