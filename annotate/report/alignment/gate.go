package alignment

import (
	"encoding/json"
	"fmt"

	"concord/annotate/agree"
	"concord/annotate/report"
)

// Gate is a floor that a figure has to reach. A figure that is undefined does
// not reach it.
type Gate struct {
	Figure    string
	Min       float64
	Value     float64
	Undefined string // the reason; "" when there is a value
}

// Met reports whether the figure reaches the floor.
func (g Gate) Met() bool { return g.Undefined == "" && g.Value >= g.Min }

// String says what was asked and what there is.
func (g Gate) String() string {
	switch {
	case g.Undefined != "":
		return fmt.Sprintf("%s is undefined (%s), at least %v is asked for", g.Figure, g.Undefined, g.Min)
	case g.Met():
		return fmt.Sprintf("%s is %.4f, at least %v", g.Figure, g.Value, g.Min)
	}
	return fmt.Sprintf("%s is %.4f, below %v", g.Figure, g.Value, g.Min)
}

// MarshalJSON writes a missing value as null, with the reason.
func (g Gate) MarshalJSON() ([]byte, error) {
	out := struct {
		Figure    string   `json:"figure"`
		Min       float64  `json:"min"`
		Value     *float64 `json:"value"`
		Met       bool     `json:"met"`
		Undefined string   `json:"undefined,omitempty"`
	}{Figure: g.Figure, Min: g.Min, Met: g.Met(), Undefined: g.Undefined}
	if g.Undefined == "" {
		out.Value = &g.Value
	}
	return json.Marshal(out)
}

// Floors are what AgreeOptions ask of a table; nil asks nothing. With a
// reference they are asked of every rater beside it. Without, they are asked
// of the agreement of all pairs of ratings, and of Cohen's kappa of two raters
// or Fleiss' of more.
type Floors struct {
	Agreement, Kappa *float64
}

func (r *AgreeRow) gate(f Floors) {
	ask := func(min *float64, figure string, value float64, why string) {
		if min != nil {
			r.Gates = append(r.Gates, Gate{Figure: figure, Min: *min, Value: value, Undefined: why})
		}
	}
	kappa := func(name string, c agree.Coefficient) { ask(f.Kappa, name, c.Value, c.Undefined) }
	if r.Reference != nil {
		for i := range r.Against {
			a := &r.Against[i]
			ask(f.Agreement, "agreement of "+a.Rater+" with the reference", a.Agreement.Value, a.Agreement.Undefined)
			kappa("Cohen's kappa of "+a.Rater+" and the reference", a.Kappa)
		}
		if len(r.Against) == 0 {
			ask(f.Agreement, "agreement with the reference", 0, "no rater beside it")
			ask(f.Kappa, "Cohen's kappa with the reference", 0, "no rater beside it")
		}
		return
	}
	ask(f.Agreement, "percent agreement", r.Percent.Value, r.Percent.Undefined)
	if r.Raters == 2 && len(r.Pairs) == 1 {
		kappa("Cohen's kappa", r.Pairs[0].Kappa)
	} else {
		kappa("Fleiss' kappa", r.Fleiss)
	}
}

// Unmet are the gates of the report that are not met.
func Unmet(r *report.Report) []Gate {
	var out []Gate
	for _, row := range r.Rows {
		a, ok := row.(*AgreeRow)
		if !ok {
			continue
		}
		for _, g := range a.Gates {
			if !g.Met() {
				out = append(out, g)
			}
		}
	}
	return out
}
