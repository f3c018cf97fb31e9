package home

import (
	"fmt"
	"strings"

	"concord/tui/form"
	"concord/tui/widget"
)

// estimateFigures draw what a run will take.
func estimateFigures(f *runForm, s *form.Sheet) {
	e := &f.asking.Latest
	if e.none() {
		s.Field("calls", "none: there are answers to all of it")
	} else {
		estimateSizes(f, e, s.Field)
	}
	switch b := f.budget.Value(); {
	case b > 0 && e.none():
	case b > 0 && !e.Priced:
		s.Warn("without every price the budget cannot be kept")
	case b > 0 && e.CostHigh > b:
		s.Warn("pauses at " + widget.Money(b) + ", perhaps before its end")
	}
	switch x := e.Existing; {
	case x == nil:
	case f.fresh:
		s.Say(fmt.Sprintf("a new run beside run %d, which has other settings", x.Run))
	case f.resume != 0:
		s.Say(fmt.Sprintf("continues run %d under its own settings", x.Run))
	case x.Same:
		s.Say(fmt.Sprintf("continues run %d, which has these settings", x.Run))
	default:
		s.Warn(fmt.Sprintf("run %d is the same with other settings: enter shows them", x.Run))
	}
	if !e.none() {
		s.Assumed(e.Assumed)
	}
}

// none reports whether nothing would be asked.
func (e *Estimate) none() bool { return e.CallsHigh == 0 && e.JudgeCallsHigh == 0 }

// estimateSizes are how much is asked, and what that takes.
func estimateSizes(f *runForm, e *Estimate, field func(name, text string)) {
	field("calls", between(e.CallsLow, e.CallsHigh, widget.Count))
	if len(f.judges) > 0 || e.JudgeCallsHigh > 0 {
		field("judge calls", between(e.JudgeCallsLow, e.JudgeCallsHigh, widget.Count))
	}
	field("tokens", "up to "+widget.Short(e.PromptTokens)+" prompt · "+widget.Short(e.CompletionTokens)+" completion")
	field("cost", cost(e))
	if e.Time > 0 {
		field("time", "at least "+widget.Span(e.Time)+" at the endpoints' limits")
	}
}

// cost is what a run may cost. One that not every price is known of is not
// said to be cheap.
func cost(e *Estimate) string {
	money := between(e.CostLow, e.CostHigh, widget.Money)
	switch {
	case e.Priced:
		return money
	case e.CostHigh > 0:
		return money + " and more: not every price is known"
	}
	return "not known: no price is configured"
}

// between writes a range; one number when its ends are written the same.
func between[T any](low, high T, write func(T) string) string {
	l, h := write(low), write(high)
	if l == h {
		return l
	}
	return strings.Join([]string{l, h}, " to ")
}
