package report

import (
	"fmt"
	"strconv"

	"concord/eval/stat"
)

// Plural is a number of things by their noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Portion is a share of n, undefined for the reason where there is none.
func Portion(k, n int, reason string) stat.Rate {
	if n == 0 {
		return stat.Undefined(reason)
	}
	return stat.NewRate(k, n)
}

// OneIf is 1 of what is true, 0 of what is not.
func OneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Probability is a p value; what would round to nothing says so.
func Probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// CompareBools orders false before true.
func CompareBools(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// Resamples are behind the intervals over all people; the seed is fixed unless
// somebody asks for another, so that the same facts give the same interval.
const Resamples = 2000
