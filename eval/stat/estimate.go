package stat

import (
	"cmp"
	"encoding/json"
	"math"
)

// Estimate is a figure that is no share of a count: a difference of rates, or a score. N is how many
// items it is over. An Exact one is an expectation that was computed and not measured, or comes of
// figures that were told without an interval: it has none, and N may be 0 for not known.
type Estimate struct {
	N                int
	Value, Low, High float64
	Exact            bool
	Undefined        string // the reason; "" when there is a value
	Sequence         bool   // the interval is of a confidence sequence: it holds at every look
	Bounded          bool   // the interval is bounds: it holds at least as often as it says, and may be wide
	Few              string // a warning where few of the clusters decide; "" is none
}

// NewExactEstimate gives a figure that follows from n items by computation.
func NewExactEstimate(value float64, n int) Estimate {
	return Estimate{N: n, Value: value, Low: value, High: value, Exact: true}
}

// NewUndefinedEstimate gives a figure without a value, for a reason.
func NewUndefinedEstimate(reason string) Estimate { return Estimate{Undefined: reason} }

// WhyUndefined is why there is no value, or "".
func (e Estimate) WhyUndefined() string {
	if e.N == 0 && !e.Exact && e.Undefined == "" {
		return "nothing to count"
	}
	return e.Undefined
}

type estimateJSON struct {
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	N         int      `json:"n"`
	Exact     bool     `json:"exact,omitempty"`
	Undefined string   `json:"undefined,omitempty"`
	Interval  string   `json:"interval,omitempty"`
	Warning   string   `json:"warning,omitempty"`
}

// MarshalJSON writes value, low, high and n; null beside "undefined" when there is no value, and null
// bounds beside "exact" when nothing was measured; "interval" where it is no pointwise one.
func (e Estimate) MarshalJSON() ([]byte, error) {
	out := estimateJSON{N: e.N, Exact: e.Exact, Undefined: e.WhyUndefined()}
	if out.Undefined == "" {
		out.Value = &e.Value
		if !e.Exact {
			out.Low, out.High = &e.Low, &e.High
			out.Interval, out.Warning = nameNonPointwise(e.Sequence, e.Bounded), e.Warning()
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Estimate) UnmarshalJSON(b []byte) error {
	var in estimateJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*e = Estimate{N: in.N, Exact: in.Exact, Undefined: in.Undefined, Sequence: in.Interval == IntervalSequence, Bounded: in.Interval == IntervalBounds}
	if in.Value != nil {
		e.Value = *in.Value
		e.Low, e.High = e.Value, e.Value // of an exact one, which has no bounds
	}
	if in.Low != nil && in.High != nil {
		e.Low, e.High = *in.Low, *in.High
	}
	if e.Warning() == "" {
		e.Few = in.Warning
	}
	return nil
}

// SumEstimates gives the sum of independent figures, each with its interval: the distances of the
// bounds add up as squares (Zou and Donner, "Construction of confidence limits about effect measures",
// Statistics in Medicine 27, 2008). N adds up. It is undefined for the reason of the first one that is.
func SumEstimates(parts ...Estimate) Estimate {
	if len(parts) == 0 {
		return NewUndefinedEstimate("nothing to add up")
	}
	out := Estimate{Exact: true}
	var low, high float64
	for _, p := range parts {
		if reason := p.WhyUndefined(); reason != "" {
			return NewUndefinedEstimate(reason)
		}
		out.N += p.N
		out.Value += p.Value
		out.Exact = out.Exact && p.Exact
		low += (p.Value - p.Low) * (p.Value - p.Low)
		high += (p.High - p.Value) * (p.High - p.Value)
	}
	out.Low, out.High = out.Value-math.Sqrt(low), out.Value+math.Sqrt(high)
	return out
}

// tuned is the number of labels after which a confidence sequence is least wide beside an
// interval for one look. From 30 labels to some thousands it makes little difference.
const tuned = 100

// certain is as close to 1 as a level gets: quantiles of it are finite.
const certain = 1 - 1e-12

// SequenceConfidence is the confidence level at which an interval of the first n independent
// units of a random order is made, so that the intervals after every number of units hold the
// truth all together at the given level: a confidence sequence. Whoever looks as often as they
// like, and stops when they like, is misled no more often than the level allows. It is the
// asymptotic one of Robbins' normal mixture (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
// "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics
// 52, 2024), so any estimate that has an interval has a sequence, also of clusters and strata.
// Betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
// JRSS B 86, 2024) holds exactly, and for plain means alone; COVERAGE.md has both.
func SequenceConfidence(confidence float64, n int) float64 {
	error := 1 - confidence
	most := -2 * math.Log(error)
	at := float64(max(n, 1)) * (most + math.Log(most+1)) / tuned
	z := math.Sqrt((1 + 1/at) * (math.Log(at+1) + most))
	return min(math.Erf(z/math.Sqrt2), certain)
}

// confidenceLevel is the confidence level of an interval over n clusters.
func (c *Clusters) confidenceLevel(confidence float64, n int) float64 {
	if c.Sequence {
		return SequenceConfidence(confidence, n)
	}
	return confidence
}

// Kinds of intervals, as JSON names them.
const (
	IntervalPointwise = "pointwise" // holds for one look, planned beforehand
	IntervalSequence  = "sequence"  // holds at every look
	IntervalBounds    = "bounds"    // holds at least as often as it says, whatever is not known
)

// nameNonPointwise leaves a pointwise interval, which most are, without a name.
func nameNonPointwise(sequence, bounded bool) string {
	switch {
	case bounded:
		return IntervalBounds
	case sequence:
		return IntervalSequence
	}
	return ""
}

// sequenceRates are the rates of the two looks as elements of confidence sequences.
func (p *Paired) sequenceRates(reason string) (first, second Rate) {
	both := [2]Clusters{{Sequence: true}, {Sequence: true}}
	for _, t := range p.sortedClusters() {
		for i := range both {
			both[i].AddClusters(t[2*i], t[2*i+1], int(t[2*i+1]), p.all[t])
		}
	}
	return both[0].Rate(reason), both[1].Rate(reason)
}

// Contrast is a difference of two shares, with what each cluster of samples adds to it beyond the mean: of
// several contrasts over the same clusters the mean has an interval that knows what they have in common.
type Contrast struct {
	Estimate
	Clusters  int       // that it is over
	Freedom   float64   // degrees of freedom, where the clusters are few; 0: one less than there are
	Influence []float64 // by cluster; nil: another set of samples than that of any other contrast
}

// MeanOfContrasts is the mean of several contrasts, and the mean of what is above zero in each: MMStar's
// mean of leakages, each of which counts as nothing where it is negative. Contrasts with an influence
// are over the same clusters; the others are independent of all. A contrast that is Exact varies not.
//
// The mean has the cluster-robust interval of Paired.Difference, or that of Sum. The mean of floored
// differences is above its truth on average, the more so the more differences are near zero, so that no
// interval around it that is as wide as theirs holds: of 16 that are zero it covers in none of a
// hundred cases. Its bounds need no such symmetry. For the set S of the differences that are truly
// above zero its truth is the sum over S by the number of all, which the floored mean is never below:
// so the upper bound is the floored mean and the quantile times the largest standard error that a part
// of the mean can have. The lower one is that of the mean itself, which the truth is never below, or
// the mean of the single lower bounds, whichever is higher, each at half of the error.
func MeanOfContrasts(all []Contrast, reason string) (mean, floored Estimate) {
	if len(all) == 0 {
		return NewUndefinedEstimate(reason), NewUndefinedEstimate(reason)
	}
	n := float64(len(all))
	mean, floored = Estimate{Exact: true}, Estimate{Exact: true}
	below, above, part := distancesWithoutInfluence(all)
	for _, c := range all {
		mean.N += c.N
		mean.Value += c.Value / n
		floored.Value += max(0, c.Value) / n
		mean.Exact = mean.Exact && c.Exact
	}
	floored.N, floored.Exact, floored.Bounded = mean.N, mean.Exact, !mean.Exact
	mean.Low, mean.High, floored.Low, floored.High = mean.Value, mean.Value, floored.Value, floored.Value
	if mean.Exact {
		return mean, floored
	}
	if j := computeJointError(all, mean.Value); j.n > 0 {
		below, above = math.Hypot(below, j.half), math.Hypot(above, j.half)
		part = math.Hypot(part, j.part)
	}
	mean.Low, mean.High = max(-1, mean.Value-below), min(1, mean.Value+above)
	// Of an error of 0.025 on this side each of the two gets a half, and of its
	// half each single bound an equal part.
	error := (1 - Confidence) / 4
	wider := func(error float64) float64 { return NormalQuantile(1-2*error) / NormalQuantile(Confidence) }
	single := 0.0
	for _, c := range all {
		single += max(0, c.Value-wider(error/n)*(c.Value-c.Low)) / n
	}
	floored.Low = max(0, mean.Value-wider(error)*below, single)
	floored.High = min(1, floored.Value+part)
	return mean, floored
}

// distancesWithoutInfluence is how far the bounds of the mean are from it by the contrasts
// that have clusters of their own, and the same above it.
func distancesWithoutInfluence(all []Contrast) (below, above, part float64) {
	n := float64(len(all))
	for _, c := range all {
		if c.Influence == nil && !c.Exact {
			below = math.Hypot(below, (c.Value-c.Low)/n)
			above = math.Hypot(above, (c.High-c.Value)/n)
		}
	}
	return below, above, above
}

// jointError is how far off the mean of contrasts over the same clusters may be: half
// the width of its interval, and that of the part of it which varies most.
type jointError struct {
	n          int
	half, part float64
}

func computeJointError(all []Contrast, mean float64) jointError {
	var out jointError
	var some []Contrast
	freedom := math.Inf(1) // the least of theirs
	for _, c := range all {
		if c.Influence != nil {
			some = append(some, c)
			out.n = max(out.n, c.Clusters)
			freedom = min(freedom, cmp.Or(c.Freedom, freedom))
		}
	}
	if out.n == 0 {
		return out
	}
	n, of := float64(out.n), float64(len(all))
	total := make([]float64, len(some[0].Influence))
	positive := 0.0 // the covariances that are
	for i, c := range some {
		for k, u := range c.Influence {
			total[k] += u / of
		}
		for j := range some[:i+1] {
			covariance := 0.0
			for k, u := range c.Influence {
				covariance += u * some[j].Influence[k] / (of * of)
			}
			if j < i {
				covariance *= 2
			}
			positive += max(0, covariance)
		}
	}
	var i influence
	i.n, i.value, i.freedom = n, mean, min(freedom, max(1, n-1))
	for _, u := range total {
		i.squares += u * u
		switch apart := u*n + mean; {
		case apart > flatShare:
			i.over++
		case apart < -flatShare:
			i.under++
		}
	}
	low, high := i.interval(Confidence)
	out.half = max(mean-low, high-mean)
	out.part = max(out.half, StudentQuantile(i.freedom, Confidence)*math.Sqrt(positive*n/max(1, n-1)))
	return out
}

// flatShare is a share that is nought but for rounding.
const flatShare = 1e-12
