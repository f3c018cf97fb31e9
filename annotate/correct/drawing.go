package correct

import (
	"math"
	"sort"

	"concord/eval/stat"
)

// compareDesigns finds what a drawing with probabilities of its own was worth.
func (s *Score) compareDesigns() {
	then := *s
	then.moments = append([]moments{}, s.moments...)
	weighted := false
	for i, st := range s.strata {
		if st.isWeighted() {
			weighted = true
			then.moments[i] = computeDrawnMoments(st, true)
		}
		if !s.asRead[i] {
			s.Effective += s.moments[i].labelled
		}
	}
	if !weighted {
		s.Effective = 0
		return
	}
	plain := s.spread
	plain.effect, plain.freedom = 0, 0
	low, high := plain.wilsonInterval(s.options.Confidence)
	s.Alike = findLeast(int(s.populationSize()), func(labels int) bool { return then.widthWith(labels) <= high-low })
}

// Alike is how many labels that are drawn alike give a share an interval as short,
// without a machine's word: Wilson's.
func Alike(e stat.Estimate) int {
	return findLeast(math.MaxInt32, func(labels int) bool {
		low, high := stat.WilsonIntervalAt(e.Value, float64(labels), stat.NormalQuantile(stat.Confidence))
		return high-low <= e.High-e.Low
	})
}

// findLeast finds the least number from 1 that is enough, and most where none is.
func findLeast(most int, enough func(int) bool) int {
	return 1 + sort.Search(max(0, most-1), func(i int) bool { return enough(i + 1) })
}
