package stat

import "math"

// tuned is the number of labels after which a confidence sequence is least wide
// beside an interval for one look. From 30 labels to some thousands it makes
// little difference.
const tuned = 100

// certain is as close to 1 as a level gets: quantiles of it are finite.
const certain = 1 - 1e-12

// Throughout is the confidence level at which an interval of the first n
// independent units of a random order is made, so that the intervals after
// every number of units hold the truth all together at the given level: a
// confidence sequence. Whoever looks as often as they like, and stops when
// they like, is misled no more often than the level allows. It is the
// asymptotic one of Robbins' normal mixture (Waudby-Smith, Arbour, Sinha,
// Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
// confidence sequences", Annals of Statistics 52, 2024), so any estimate that
// has an interval has a sequence, also of clusters and strata. Betting
// (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
// betting", JRSS B 86, 2024) holds exactly, and for plain means alone;
// COVERAGE.md has both.
func Throughout(confidence float64, n int) float64 {
	error := 1 - confidence
	most := -2 * math.Log(error)
	at := float64(max(n, 1)) * (most + math.Log(most+1)) / tuned
	z := math.Sqrt((1 + 1/at) * (math.Log(at+1) + most))
	return min(math.Erf(z/math.Sqrt2), certain)
}

// level is the confidence level of an interval over n clusters.
func (c *Clusters) level(confidence float64, n int) float64 {
	if c.Sequence {
		return Throughout(confidence, n)
	}
	return confidence
}

// Kinds of intervals, as JSON names them.
const (
	IntervalPointwise = "pointwise" // holds for one look, planned beforehand
	IntervalSequence  = "sequence"  // holds at every look
	IntervalBounds    = "bounds"    // holds at least as often as it says, whatever is not known
)

// intervalName leaves a pointwise interval, which most are, without a name.
func intervalName(sequence, bounded bool) string {
	switch {
	case bounded:
		return IntervalBounds
	case sequence:
		return IntervalSequence
	}
	return ""
}

// sequences are the rates of the two looks as elements of confidence sequences.
func (p *Paired) sequences(reason string) (first, second Rate) {
	both := [2]Clusters{{Sequence: true}, {Sequence: true}}
	for _, t := range p.sorted() {
		for i := range both {
			both[i].PutMany(t[2*i], t[2*i+1], int(t[2*i+1]), p.all[t])
		}
	}
	return both[0].Rate(reason), both[1].Rate(reason)
}
