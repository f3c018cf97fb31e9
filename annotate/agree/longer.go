package agree

import "concord/eval/stat"

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
	return longer.Rate("no pair of answers differs by more"), Student(parts, confidence)
}
