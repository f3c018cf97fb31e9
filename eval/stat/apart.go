package stat

// Apart is the second rate less the first, of two of which nobody knows what
// items they share: the same items looked at twice, other ones, or some of
// each. Its interval goes from the lower bound of the one to the upper bound of
// the other, each at half of what Confidence leaves to error, so that it holds
// the difference at least as often as Confidence says, whatever the two share
// (Bonferroni's inequality). It is wide: Pairs.Difference is narrower where the
// items are known. N is that of the second.
func Apart(first, second Rate) Estimate {
	for _, r := range []Rate{first, second} {
		if r.N == 0 {
			return NoEstimate(r.reason())
		}
	}
	const each = 1 - (1-Confidence)/2
	l1, h1 := Wilson(first.K, first.N, each)
	l2, h2 := Wilson(second.K, second.N, each)
	return Estimate{N: second.N, Value: second.Value - first.Value, Low: l2 - h1, High: h2 - l1, Bounded: true}
}
