package catalogue

import (
	"errors"
	"fmt"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/alignment"
)

// GateUsage is the help of the flag that ParseGate reads.
const GateUsage = "what has to reach a floor: the lower bound of the figure, or its value"

// ParseGate reads what of a figure has to reach a floor: its lower bound, or its
// value.
func ParseGate(s string) (byValue bool, err error) {
	switch s {
	case "bound", "":
		return false, nil
	case "value":
		return true, nil
	}
	return false, fmt.Errorf("--gate %q: want bound or value", s)
}

// threshold adds the flags of what a pipeline demands of the accuracy of every row.
func threshold(a *Asking) {
	least, byValue := 0.0, false
	a.Flag("min-accuracy", decimal(&least), "`floor` of the accuracy of every row, from 0 to 1: below it the exit status is 3")
	a.Flag("gate", parsed("string", "bound", &byValue, ParseGate), GateUsage)
	a.check(func() error {
		if !(least >= 0 && least <= 1) {
			return fmt.Errorf("--min-accuracy %v: a floor is a share: 0.8, not 80", least)
		}
		return nil
	})
	a.Unmet = func(r *report.Report) (out []alignment.Gate) {
		for _, row := range report.RowsOf[*accuracy.Row](r.Rows) {
			if least == 0 {
				break
			}
			g := gateOf(row)
			g.Min, g.ByValue = least, byValue
			if !g.Met() {
				out = append(out, g)
			}
		}
		return out
	}
}

// ceiling are the flags of how far alignment may drop since a saved report.
func ceiling(a *Asking) *alignment.Ceiling {
	c, points := new(alignment.Ceiling), 0.0
	a.Flag("max-drop", decimal(&points), "how many `points` alignment may have dropped since a saved report: from there on the exit status is 3")
	a.Flag("since", seed(&c.Since), "with --max-drop: the `number` of the saved report (default: the last one by this policy)")
	a.Flag("gate", parsed("string", "bound", &c.ByValue, ParseGate), "with --max-drop: what has to stay below it: the upper bound of the drop, or its value")
	a.check(func() error {
		switch c.Max = points / percent; {
		case !a.given("max-drop") && (a.given("since") || a.given("gate")):
			return errors.New("--since and --gate go with --max-drop")
		case a.given("max-drop") && !(points > 0 && points <= percent):
			return fmt.Errorf("--max-drop %v: want a number of points above 0: 2 and not 0.02", points)
		}
		return nil
	})
	a.Unmet = alignment.UnmetDrops
	return c
}

// gateOf is what a row has for a floor: with people's labels, the corrected
// accuracy.
func gateOf(a *accuracy.Row) alignment.Gate {
	name := fmt.Sprintf("%s accuracy of run %d (%s, split %s)", a.Strategy, a.Run, a.Model, a.Split)
	if a.Correction == nil {
		return alignment.GateOf(name, &a.Accuracy)
	}
	c := &a.Corrected.Estimate
	g := alignment.Gate{Figure: "corrected " + name, Value: c.Value, Undefined: c.Reason()}
	if !c.Exact {
		g.Low = &c.Low
	}
	return g
}
