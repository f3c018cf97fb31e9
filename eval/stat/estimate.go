package stat

import (
	"encoding/json"
	"math"
)

// Estimate is a figure that is no share of a count: a difference of rates, or
// a score. N is how many items it is over. An Exact one is an expectation that
// was computed and not measured, or comes of figures that were told without an
// interval: it has none, and N may be 0 for not known.
type Estimate struct {
	N                int
	Value, Low, High float64
	Exact            bool
	Undefined        string // the reason; "" when there is a value
	Sequence         bool   // the interval is of a confidence sequence: it holds at every look
	Bounded          bool   // the interval is bounds: it holds at least as often as it says, and may be wide
}

// Expected is a figure that follows from n items by computation.
func Expected(value float64, n int) Estimate {
	return Estimate{N: n, Value: value, Low: value, High: value, Exact: true}
}

// NoEstimate is a figure without a value, for a reason.
func NoEstimate(reason string) Estimate { return Estimate{Undefined: reason} }

// Reason is why there is no value, or "".
func (e Estimate) Reason() string {
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

// MarshalJSON writes value, low, high and n; null beside "undefined" when
// there is no value, and null bounds beside "exact" when nothing was measured;
// "interval" where it is no pointwise one.
func (e Estimate) MarshalJSON() ([]byte, error) {
	out := estimateJSON{N: e.N, Exact: e.Exact, Undefined: e.Reason()}
	if out.Undefined == "" {
		out.Value = &e.Value
		if !e.Exact {
			out.Low, out.High = &e.Low, &e.High
			out.Interval, out.Warning = intervalName(e.Sequence, e.Bounded), e.Warning()
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
	return nil
}

// Sum is the sum of independent figures, each with its interval: the
// distances of the bounds add up as squares (Zou and Donner, "Construction of
// confidence limits about effect measures", Statistics in Medicine 27, 2008).
// N adds up. It is undefined for the reason of the first one that is.
func Sum(parts ...Estimate) Estimate {
	if len(parts) == 0 {
		return NoEstimate("nothing to add up")
	}
	out := Estimate{Exact: true}
	var low, high float64
	for _, p := range parts {
		if reason := p.Reason(); reason != "" {
			return NoEstimate(reason)
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
