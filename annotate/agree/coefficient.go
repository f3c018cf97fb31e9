package agree

import (
	"encoding/json"

	"concord/eval/stat"
)

// Coefficient is a chance-corrected coefficient over N items, with its
// interval at the confidence that the function states. Value means nothing
// when it is Undefined; Low and High mean nothing without Interval.
type Coefficient struct {
	Value     float64
	Low, High float64
	Interval  bool
	N         int
	Undefined string // the reason; "" when there is a value
	Without   string // why there is no Interval; "" where nothing is to be said of it
}

// StillLabelling is why a coefficient has no interval.
const StillLabelling = "people are still labelling: no interval of a coefficient is known that holds at every look"

// Ongoing is the coefficient without its interval, over items that come in
// still.
func (c Coefficient) Ongoing() Coefficient {
	if c.Undefined != "" {
		return c
	}
	return Coefficient{Value: c.Value, N: c.N, Without: StillLabelling}
}

func undefined(n int, reason string) Coefficient { return Coefficient{N: n, Undefined: reason} }

// within sets an interval, cut to where the coefficient can be.
func (c Coefficient) within(low, high float64) Coefficient {
	c.Low, c.High, c.Interval = max(-1, low), min(1, high), true
	return c
}

type coefficientJSON struct {
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
	N         int      `json:"n"`
	Undefined string   `json:"undefined,omitempty"`
	Without   string   `json:"no_interval,omitempty"`
	Warning   string   `json:"warning,omitempty"`
}

// Warning is what to know of the coefficient's interval: stat.Few.
func (c Coefficient) Warning() string {
	if !c.Interval || c.Undefined != "" {
		return ""
	}
	return stat.Few(c.N, -1)
}

// MarshalJSON writes value, low, high and n; the first three are null when
// there is none, with "undefined" beside a missing value.
func (c Coefficient) MarshalJSON() ([]byte, error) {
	out := coefficientJSON{N: c.N, Undefined: c.Undefined, Without: c.Without}
	if c.N == 0 && out.Undefined == "" {
		out.Undefined = "no items"
	}
	if out.Undefined == "" {
		out.Value = &c.Value
		if c.Interval {
			out.Low, out.High, out.Warning = &c.Low, &c.High, c.Warning()
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Coefficient) UnmarshalJSON(b []byte) error {
	var in coefficientJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*c = Coefficient{N: in.N, Undefined: in.Undefined, Without: in.Without}
	if in.Value != nil {
		c.Value = *in.Value
	}
	if in.Low != nil && in.High != nil {
		c.Low, c.High, c.Interval = *in.Low, *in.High, true
	}
	return nil
}
