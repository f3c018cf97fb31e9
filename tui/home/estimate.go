package home

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/widget"
)

// rest is how long a form must be left alone before an estimate of it is
// worth its while.
const rest = 150 * time.Millisecond

type (
	// due tells that a spec has rested.
	due struct {
		of  *runForm
		seq int
	}
	// estimated is an estimate of one spec.
	estimated struct {
		Estimate
		of  *runForm
		seq int
		err error
	}
)

// changed asks for an estimate in a while when the spec is another one now.
// What was decided on the former one is forgotten.
func (f *runForm) changed(before Spec) tea.Cmd {
	if reflect.DeepEqual(before, f.spec()) {
		return nil
	}
	f.reset()
	f.trouble = ""
	f.seq++
	seq := f.seq
	return tea.Tick(rest, func(time.Time) tea.Msg { return due{f, seq} })
}

// ask estimates the spec as it is now; an estimate under way of another one is
// given up.
func (f *runForm) ask() tea.Cmd {
	if f.stop != nil {
		f.stop()
	}
	if f.whyNot() != "" {
		f.asking = false
		return nil
	}
	ctx, stop := context.WithCancel(f.m.ctx)
	f.stop, f.asking = stop, true
	scheduler, spec, seq := f.m.scheduler, f.spec(), f.seq
	return func() tea.Msg {
		defer stop()
		e, err := scheduler.Estimate(ctx, spec)
		return estimated{e, f, seq, err}
	}
}

// estimatedAs takes an estimate, unless it is of a spec that is no more.
func (f *runForm) estimatedAs(msg estimated) tea.Cmd {
	if msg.seq != f.seq {
		return nil
	}
	f.asking, f.estimate = false, msg
	if f.entered {
		return f.proceed()
	}
	return nil
}

// current reports whether the estimate is of the spec as it is now.
func (f *runForm) current() bool { return f.estimate.of == f && f.estimate.seq == f.seq }

// estimateLines draw the estimate.
func estimateLines(f *runForm, width int) []string {
	t := f.m.theme
	note := ""
	if !f.current() && f.whyNot() == "" {
		note = "estimating…"
	}
	out := []string{t.Section("Estimate", note, false, width)}
	e := &f.estimate
	switch {
	case f.whyNot() != "":
		return append(out, t.Faint.Render("none: the run cannot be"))
	case e.of == nil:
		return out
	case e.err != nil:
		for _, l := range widget.Wrap("✗ "+e.err.Error(), width) {
			out = append(out, t.Bad.Render(l))
		}
		return out
	}
	return append(out, estimateFigures(f, e, width)...)
}

func estimateFigures(f *runForm, e *estimated, width int) []string {
	t := f.m.theme
	var out []string
	field := func(name, text string) { out = append(out, f.m.field(name, text, width)...) }
	if e.none() {
		field("calls", "none: there are answers to all of it")
	} else {
		estimateSizes(f, e, field)
	}
	warn := func(text string) { out = append(out, paint(t.Warn.Render, widget.Wrap("! "+text, width))...) }
	switch b := f.budget.Value(); {
	case b > 0 && e.none():
	case b > 0 && !e.Priced:
		warn("without every price the budget cannot be kept")
	case b > 0 && e.CostHigh > b:
		warn("pauses at " + widget.Money(b) + ", perhaps before its end")
	}
	say := func(text string) { out = append(out, paint(t.Accent.Render, widget.Wrap("• "+text, width))...) }
	switch x := e.Existing; {
	case x == nil:
	case f.fresh:
		say(fmt.Sprintf("a new run beside run %d, which has other settings", x.Run))
	case f.resume != 0:
		say(fmt.Sprintf("continues run %d under its own settings", x.Run))
	case x.Same:
		say(fmt.Sprintf("continues run %d, which has these settings", x.Run))
	default:
		warn(fmt.Sprintf("run %d is the same with other settings: enter shows them", x.Run))
	}
	if len(e.Assumed) > 0 && !e.none() {
		out = append(out, "", t.Faint.Render("Assumed"))
		for _, a := range e.Assumed {
			out = append(out, paint(t.Faint.Render, widget.Wrap("- "+a, width))...)
		}
	}
	return out
}

// none reports whether nothing would be asked.
func (e *Estimate) none() bool { return e.CallsHigh == 0 && e.JudgeCallsHigh == 0 }

// estimateSizes are how much is asked, and what that takes.
func estimateSizes(f *runForm, e *estimated, field func(name, text string)) {
	field("calls", between(e.CallsLow, e.CallsHigh, widget.Count))
	if len(f.judges) > 0 || e.JudgeCallsHigh > 0 {
		field("judge calls", between(e.JudgeCallsLow, e.JudgeCallsHigh, widget.Count))
	}
	field("tokens", "up to "+widget.Short(e.PromptTokens)+" prompt · "+widget.Short(e.CompletionTokens)+" completion")
	field("cost", cost(&e.Estimate))
	if e.Time > 0 {
		field("time", "at least "+widget.Span(e.Time)+" at the endpoints' limits")
	}
}

func paint(style func(...string) string, lines []string) []string {
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
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
