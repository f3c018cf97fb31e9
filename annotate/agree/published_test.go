package agree

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"concord/eval/stat"
)

// The coefficients one by one, as they are published: what a Summary has in one
// pass is held to them and to the worked examples of their papers.

// Fleiss is Fleiss' kappa of any number of raters (Fleiss 1971), generalised
// to missing ratings as Gwet does (Gwet 2014, ch. 2). It has no interval of
// its own: Summary gives one.
func Fleiss(t Table) Coefficient {
	p := t.NewPanel(Scale{}).newProfiles()
	return p.estimateCoefficient(Scale{}, p.items, (*estimator).fleissAtWeights)
}

// Krippendorff is Krippendorff's alpha of any number of raters with ratings
// missing, on any scale (Krippendorff 2011). Items with one rating say nothing
// and are left out; N is how many are left. It has no interval of its own:
// Summary gives one.
//
// Alone of the coefficients here it changes when every item stands in the
// table twice. It corrects for small samples: chance disagreement is of two
// different ones of the n pairable ratings, so that with all ratings k times
// over 1 - alpha grows by (1 - 1/kn) / (1 - 1/n). It stays the same exactly
// where alpha is 1, and in the limit of many ratings.
func Krippendorff(t Table, s Scale) Coefficient {
	p := t.NewPanel(s).newProfiles()
	return p.estimateCoefficient(s, p.countPairedItems(), (*estimator).krippendorffAlpha)
}

// ClopperPearson is the exact interval of k of n (Clopper and Pearson 1934);
// n must be positive. The ends are apart: the beta distribution that they
// would need does not exist.
func ClopperPearson(k, n int, confidence float64) (low, high float64) {
	tail := (1 - confidence) / 2
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return low, high
}

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
		units.AddSingle(share, 1)
		n, last = n+1, share
	}
	if n == 1 {
		return stat.NewExactEstimate(last, 1)
	}
	return units.MeanOnScale(0, 1, lonely)
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
				sum += ways * shareOfFirstAmongModes(taken)
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

func choose(n, k int) float64 {
	out := 1.0
	for i := range k {
		out *= float64(n-i) / float64(i+1)
	}
	return out
}

// Lengths are those of two answers of which one was preferred, in characters.
type Lengths struct{ Preferred, Other int }

// PrefersLonger is the share of the pairs whose lengths differ by more than the
// given number of characters in which the longer answer is preferred, and by
// what part of the other's length the preferred answer is longer, on average
// over all pairs (AlpacaEval's length bias). A pair whose other answer is empty
// has no such part.
func PrefersLonger(pairs []Lengths, apart int, confidence float64) (share stat.Rate, by stat.Estimate) {
	var longer stat.Count
	var parts []float64
	for _, p := range pairs {
		more := p.Preferred - p.Other
		if max(more, -more) > apart {
			longer.Add(more > 0)
		}
		if p.Other > 0 {
			parts = append(parts, float64(more)/float64(p.Other))
		}
	}
	return longer.Rate("no pair of answers differs by more"), StudentMean(parts, confidence)
}

// Majority is the constant-answer baseline: the share of all ratings that are
// of the most frequent class.
func Majority(t Table) stat.Rate { return t.NewPanel(Scale{}).newProfiles().majorityRate(false) }
