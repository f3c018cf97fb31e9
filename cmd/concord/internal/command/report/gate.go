package report

import (
	"fmt"

	"github.com/spf13/pflag"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
)

// addGate adds what of a figure has to reach a floor.
func addGate(fs *pflag.FlagSet, gate *string) {
	fs.StringVar(gate, "gate", "bound", "what has to reach a floor: the lower bound of the figure, or its value")
}

// gateByValue reads --gate.
func gateByValue(gate string) (bool, error) {
	switch gate {
	case "bound", "":
		return false, nil
	case "value":
		return true, nil
	}
	return false, fmt.Errorf("--gate %q: want bound or value", gate)
}

// accuracyFloor is what report accuracy demands of its rows.
type accuracyFloor struct {
	min  float64
	gate string
}

func (f *accuracyFloor) flags(fs *pflag.FlagSet) {
	fs.Float64Var(&f.min, "min-accuracy", 0, "`floor` of the accuracy of every row, from 0 to 1: below it the exit status is 3")
	addGate(fs, &f.gate)
}

// check refuses a floor that is none.
func (f *accuracyFloor) check() error {
	if !(f.min >= 0 && f.min <= 1) {
		return cli.Usage(fmt.Errorf("--min-accuracy %v: a floor is a share: 0.8, not 80", f.min))
	}
	if _, err := gateByValue(f.gate); err != nil {
		return cli.Usage(err)
	}
	return nil
}

// unmet are the rows that do not reach the floor: with people's labels, by
// their corrected accuracy.
func (f *accuracyFloor) unmet(r *report.Report) error {
	if f.min == 0 {
		return nil
	}
	byValue, _ := gateByValue(f.gate) // it was checked
	var out []alignment.Gate
	for _, row := range r.Rows {
		a, ok := row.(*accuracy.Row)
		if !ok {
			continue
		}
		if g := f.gateOf(a, byValue); !g.Met() {
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return cli.Gate(out)
}

// gateOf is the floor of a row.
func (f *accuracyFloor) gateOf(a *accuracy.Row, byValue bool) alignment.Gate {
	name := fmt.Sprintf("%s accuracy of run %d (%s, split %s)", a.Strategy, a.Run, a.Model, a.Split)
	g := alignment.GateOf(name, &a.Accuracy)
	if a.Correction != nil {
		c := &a.Corrected.Estimate
		g = alignment.Gate{Figure: "corrected " + name, Value: c.Value, Undefined: c.Reason()}
		if !c.Exact {
			g.Low = &c.Low
		}
	}
	g.Min, g.ByValue = f.min, byValue
	return g
}
