package correct

import (
	"math/rand/v2"
	"testing"

	"concord/eval/stat"
)

// Drawn with a few labels of each of many groups, the interval must still cover
// what all labels say.
func TestCoverageOfStrata(t *testing.T) {
	check := func(groups, size, labels int, wrong float64) {
		t.Helper()
		r := rand.New(rand.NewPCG(1, 2))
		all, truth := make([][]Item, groups), 0.0
		for g := range all {
			for range size {
				right := r.Float64() < float64(g+1)/float64(groups+1)
				all[g] = append(all[g], Item{People: one(right), Machine: one(right != (r.Float64() < wrong))})
				truth += one(right) / float64(groups*size)
			}
		}
		const draws = 1000
		covered, width, alone := 0, 0.0, 0.0
		for range draws {
			strata := make([]Stratum, groups)
			for g, group := range all {
				r.Shuffle(size, func(i, j int) { group[i], group[j] = group[j], group[i] })
				strata[g].Labelled = group[:labels]
				for _, it := range group[labels:] {
					strata[g].Unlabelled = append(strata[g].Unlabelled, it.Machine)
				}
			}
			s := Correct(strata, Options{High: 1, Confidence: stat.Confidence})
			covered += int(one(covers(s.Corrected, truth)))
			width += (s.Corrected.High - s.Corrected.Low) / draws
			alone += (s.People.High - s.People.Low) / draws
		}
		t.Logf("%d groups of %d, %d labels each: coverage %.3f, width %.3f against %.3f", groups, size, labels, float64(covered)/draws, width, alone)
		if covered < 0.93*draws || width >= alone {
			t.Errorf("%d of %d covered, width %.3f against %.3f", covered, draws, width, alone)
		}
	}
	check(40, 25, 2, 0.2)
	check(10, 100, 5, 0.1)
	check(3, 300, 25, 0.1)
}
