package stat

import (
	"encoding/json"
	"math"
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
		return Undefined(reason)
	}
	return NewRate(c.K, c.N)
}

// Rate is a share K of N with its interval: Wilson's, or one that is robust to
// clusters (Clusters.Rate). It is undefined, and says why, when N is 0; Value,
// Low and High mean nothing then.
type Rate struct {
	K, N             int
	Value, Low, High float64
	Undefined        string  // the reason; "" when there is a value
	Clusters         int     // how many clusters of units N is in; 0 where each unit stands for itself
	DesignEffect     float64 // how many times the variance that units on their own would have; 0 without clusters
	Sequence         bool    // the interval is of a confidence sequence: it holds at every look
}

// NewRate is k of n with the Wilson interval at Confidence.
func NewRate(k, n int) Rate {
	if n <= 0 {
		return Undefined("nothing to count")
	}
	lo, hi := Wilson(k, n, Confidence)
	return Rate{K: k, N: n, Value: float64(k) / float64(n), Low: lo, High: hi}
}

// Undefined is a rate without a value, for a reason.
func Undefined(reason string) Rate { return Rate{Undefined: reason} }

// Wilson is the score interval of k of n at a confidence level (Wilson 1927).
// It stays within [0, 1], and n must be positive.
func Wilson(k, n int, confidence float64) (low, high float64) {
	low, high = WilsonAt(float64(k)/float64(n), float64(n), Normal(confidence))
	// At the ends the bound is exact; the square root's last digit is not.
	if k == 0 {
		low = 0
	}
	if k == n {
		high = 1
	}
	return low, high
}

// WilsonAt is the score interval of a share of size items with a quantile of
// the standard normal or Student's distribution. An effective sample size need
// be no whole number.
func WilsonAt(share, size, quantile float64) (low, high float64) {
	q := quantile * quantile
	centre := share + q/(2*size)
	half := quantile * math.Sqrt(max(0, share*(1-share)/size+q/(4*size*size)))
	scale := 1 + q/size
	return max(0, (centre-half)/scale), min(1, (centre+half)/scale)
}

// Normal is the two-sided quantile of the standard normal distribution at a
// confidence level: 1.96 at 0.95.
func Normal(confidence float64) float64 { return math.Sqrt2 * math.Erfinv(confidence) }

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

// MarshalJSON writes k, n, value, low and high; value, low and high are null
// beside "undefined" when there is none. Clusters and the design effect stand
// beside them where units come in clusters, and "interval": "sequence" where
// it is no pointwise one.
func (r Rate) MarshalJSON() ([]byte, error) {
	out := rateJSON{K: r.K, N: r.N, Undefined: r.reason(), Clusters: r.Clusters, Effect: r.DesignEffect}
	if out.Undefined == "" {
		out.Value, out.Low, out.High = &r.Value, &r.Low, &r.High
		out.Interval, out.Warning = intervalName(r.Sequence, false), r.Warning()
	}
	return json.Marshal(out)
}

// reason also covers the zero Rate, which was never filled in.
func (r Rate) reason() string {
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
	*r = Rate{K: in.K, N: in.N, Undefined: in.Undefined, Clusters: in.Clusters, DesignEffect: in.Effect, Sequence: in.Interval == IntervalSequence}
	if in.Value != nil && in.Low != nil && in.High != nil {
		r.Value, r.Low, r.High = *in.Value, *in.Low, *in.High
	}
	return nil
}
