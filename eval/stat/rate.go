package stat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the confidence level of intervals unless another is stated.
const Confidence = 0.95

// Count is how many of N are K.
type Count struct{ K, N int }

// Add counts one more, which is one of K or not.
func (c *Count) Add(hit bool) {
	c.N++
	if hit {
		c.K++
	}
}

// Merge adds the counts of o.
func (c *Count) Merge(o Count) {
	c.K += o.K
	c.N += o.N
}

// Rate is the count as a share, undefined for the given reason when N is 0.
func (c Count) Rate(reason string) Rate {
	if c.N == 0 {
		return UndefinedRate(reason)
	}
	return NewRate(c.K, c.N)
}

// Rate is a share K of N with its interval: Wilson's, or one that is robust to clusters
// (Clusters.Rate). It is undefined, and says why, when N is 0; Value, Low and High mean nothing then.
type Rate struct {
	K, N             int
	Value, Low, High float64
	Undefined        string  // the reason; "" when there is a value
	Clusters         int     // how many clusters of units N is in; 0 where each unit stands for itself
	DesignEffect     float64 // how many times the variance that units on their own would have; 0 without clusters
	Sequence         bool    // the interval is of a confidence sequence: it holds at every look
	Bounded          bool    // the interval is bounds: it holds at least as often as it says
	Few              string  // a warning where few of the clusters decide; "" is none
}

// NewRate is k of n with the Wilson interval at Confidence.
func NewRate(k, n int) Rate {
	if n <= 0 {
		return UndefinedRate("nothing to count")
	}
	lo, hi := WilsonInterval(k, n, Confidence)
	return Rate{K: k, N: n, Value: float64(k) / float64(n), Low: lo, High: hi}
}

// UndefinedRate is a rate without a value, for a reason.
func UndefinedRate(reason string) Rate { return Rate{Undefined: reason} }

// WilsonInterval is the score interval of k of n at a confidence level (Wilson 1927).
// It stays within [0, 1], and n must be positive.
func WilsonInterval(k, n int, confidence float64) (low, high float64) {
	low, high = WilsonIntervalAt(float64(k)/float64(n), float64(n), NormalQuantile(confidence))
	// At the ends the bound is exact; the square root's last digit is not.
	if k == 0 {
		low = 0
	}
	if k == n {
		high = 1
	}
	return low, high
}

// WilsonIntervalAt is the score interval of a share of size items with a quantile of the
// standard normal or Student's distribution. An effective sample size need be no whole number.
func WilsonIntervalAt(share, size, quantile float64) (low, high float64) {
	q := quantile * quantile
	centre := share + q/(2*size)
	half := quantile * math.Sqrt(max(0, share*(1-share)/size+q/(4*size*size)))
	scale := 1 + q/size
	return max(0, (centre-half)/scale), min(1, (centre+half)/scale)
}

// NormalQuantile is the two-sided quantile of the standard normal at a confidence level: 1.96 at 0.95.
func NormalQuantile(confidence float64) float64 { return math.Sqrt2 * math.Erfinv(confidence) }

// StudentQuantile is the two-sided quantile of Student's t distribution.
func StudentQuantile(freedom, confidence float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile((1 + confidence) / 2)
}

type rateJSON struct {
	K         int      `json:"k"`
	N         int      `json:"n"`
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	Undefined string   `json:"undefined,omitempty"`
	Clusters  int      `json:"clusters,omitempty"`
	Effect    float64  `json:"design_effect,omitempty"`
	Interval  string   `json:"interval,omitempty"`
	Warning   string   `json:"warning,omitempty"`
}

// MarshalJSON writes k, n, value, low and high; value, low and high are null beside "undefined"
// when there is none. Clusters and the design effect stand beside them where units come in
// clusters, and "interval" where it is no pointwise one.
func (r Rate) MarshalJSON() ([]byte, error) {
	out := rateJSON{K: r.K, N: r.N, Undefined: r.whyUndefined(), Clusters: r.Clusters, Effect: r.DesignEffect}
	if out.Undefined == "" {
		out.Value, out.Low, out.High = &r.Value, &r.Low, &r.High
		out.Interval, out.Warning = nameNonPointwise(r.Sequence, r.Bounded), r.Warning()
	}
	return json.Marshal(out)
}

// whyUndefined also covers the zero Rate, which was never filled in.
func (r Rate) whyUndefined() string {
	if r.N == 0 && r.Undefined == "" {
		return "nothing to count"
	}
	return r.Undefined
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Rate) UnmarshalJSON(b []byte) error {
	var in rateJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*r = Rate{K: in.K, N: in.N, Undefined: in.Undefined, Clusters: in.Clusters, DesignEffect: in.Effect, Sequence: in.Interval == IntervalSequence, Bounded: in.Interval == IntervalBounds}
	if in.Value != nil && in.Low != nil && in.High != nil {
		r.Value, r.Low, r.High = *in.Value, *in.Low, *in.High
	}
	if r.Warning() == "" {
		r.Few = in.Warning
	}
	return nil
}

// IndependentDifference is the second rate less the first, of two of which nobody knows what items they
// share: the same items looked at twice, other ones, or some of each. Its interval goes from the lower
// bound of the one to the upper bound of the other, each at half of what Confidence leaves to error, so
// that it holds the difference at least as often as Confidence says, whatever the two share (Bonferroni's
// inequality). It is wide: Pairs.Difference is narrower where the items are known. N is that of the second.
func IndependentDifference(first, second Rate) Estimate {
	for _, r := range []Rate{first, second} {
		if r.N == 0 {
			return NewUndefinedEstimate(r.whyUndefined())
		}
	}
	const each = 1 - (1-Confidence)/2
	l1, h1 := WilsonInterval(first.K, first.N, each)
	l2, h2 := WilsonInterval(second.K, second.N, each)
	return Estimate{N: second.N, Value: second.Value - first.Value, Low: l2 - h1, High: h2 - l1, Bounded: true}
}

// MajorityChance is the chance that more than half of n independent trials succeed, each with the chance p.
func MajorityChance(n int, p float64) float64 {
	return distuv.Binomial{N: float64(n), P: p}.Survival(math.Floor(float64(n) / 2))
}

// FewRare is how many units of the rarer outcome are enough: with fewer an interval of a share is not
// sure to hold as often as it says.
const FewRare = 10

// WarnFewUnits is the warning beside a figure over few units: clusters, where units come in
// some. Rarer is how many are of the rarer outcome, below 0 where there are no
// two outcomes. "" is none. COVERAGE.md holds how often such intervals cover.
func WarnFewUnits(units, rarer int) string {
	switch {
	case units <= 0:
		return ""
	case units < FewClusters:
		return fmt.Sprintf("few: %d of the %d units that an interval takes to hold", units, FewClusters)
	case rarer >= 0 && rarer < FewRare:
		return fmt.Sprintf("few: %d of the %d units of the rarer outcome that an interval takes to hold", rarer, FewRare)
	}
	return ""
}

// warnUneven is WarnFewUnits of clusters by what they are worth: how many of equal
// size (Kish, "Survey Sampling", 1965), and how many of equal influence. The latter is
// the number of the rarer outcome where clusters are one unit each and it is rare.
func warnUneven(sizes, influences float64) string {
	if math.IsNaN(influences) { // nothing varies
		influences = 0
	}
	return WarnFewUnits(max(1, int(sizes+0.5)), int(min(influences, FewRare)+0.5))
}

// Warning is what to know of the rate's interval: Few.
func (r Rate) Warning() string {
	if r.whyUndefined() != "" {
		return ""
	}
	return cmp.Or(WarnFewUnits(cmp.Or(r.Clusters, r.N), min(r.K, r.N-r.K)), r.Few)
}

// Warning is what to know of the estimate's interval: Few.
func (e Estimate) Warning() string {
	if e.Exact || e.WhyUndefined() != "" {
		return ""
	}
	return cmp.Or(WarnFewUnits(e.N, -1), e.Few)
}

// FewClusters is how many are enough: fewer take the degrees of freedom of satterthwaite: with
// more, those of freedom are as good and need no list of clusters.
const FewClusters = 30

// DegreesOfFreedom is the degrees of freedom of a difference over clusters of these
// sizes, whose units are taken to be all alike: one less than the clusters where
// their sizes are, satterthwaite's of few, and else those of Clusters.
func DegreesOfFreedom(sizes []float64) float64 {
	n := float64(len(sizes))
	switch {
	case n < 2:
		return 1
	case n >= FewClusters:
		squares, fourths := 0.0, 0.0
		for _, d := range sizes {
			squares += d * d
			fourths += d * d * d * d
		}
		return max(1, squares*squares/fourths-1)
	}
	_, freedom := satterthwaiteVariance(sizes, make([]float64, len(sizes)), 1)
	return freedom
}

// satterthwaiteVariance is the variance CR2 of a share and its degrees of freedom, over clusters of the
// given sizes and residuals (of the clusters' totals). CR2 has no bias where units are independent
// (Bell and McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage
// samples", Survey Methodology 28, 2002). The degrees of freedom are Satterthwaite's under a working
// model in which two units of a cluster correlate as the residuals say (Imbens and Kolesár, "Robust
// standard errors in small samples", Review of Economics and Statistics 98, 2016).
func satterthwaiteVariance(sizes, residuals []float64, correlation float64) (variance, freedom float64) {
	all, spread := 0.0, 0.0 // of the totals, under the working model
	each := make([]float64, len(sizes))
	for i, d := range sizes {
		all += d
		each[i] = d * (1 + correlation*max(0, d-1))
		spread += each[i]
	}
	trace, squares := 0.0, 0.0
	for i, d := range sizes {
		share := d / all
		variance += residuals[i] * residuals[i] / (1 - share) / (all * all)
		for j, e := range sizes {
			covariance := share*e/all*spread - each[i]*e/all - each[j]*share
			if i == j {
				covariance += each[i]
				trace += covariance / (1 - share)
			}
			squares += covariance * covariance / ((1 - share) * (1 - e/all))
		}
	}
	return variance, max(1, trace*trace/squares)
}

// intraclassCorrelation is how two units of a cluster correlate, by the residuals of the
// clusters' totals: 0 where they vary no more than units on their own would.
func intraclassCorrelation(sizes, residuals []float64, unit float64) float64 {
	apart, pairs := 0.0, 0.0
	for i, d := range sizes {
		apart += residuals[i]*residuals[i] - d*unit
		pairs += d * max(0, d-1)
	}
	if pairs == 0 || unit == 0 {
		return 0
	}
	return min(1, max(0, apart/(pairs*unit)))
}
