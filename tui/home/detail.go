package home

import (
	"fmt"
	"strings"
	"time"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

func headOf(m *board, r Row, width int) string {
	sign, style := glyph(m.theme, r)
	name := widget.Cut(title(r), max(8, width-widget.Width(state(r))-6))
	line := m.theme.Strong.Render(name) + "  " + style.Render(sign+" "+state(r))
	return line + m.theme.Border.Render(" "+strings.Repeat("─", max(0, width-widget.Width(line)-1)))
}

// overview draws a run for one width.
type overview struct {
	m     *board
	r     Row
	width int
	short bool
}

func (o *overview) lines() []string {
	p := o.r.Progress
	out := o.why()
	done, total := p.Questions()
	out = append(out, o.line("questions", o.m.theme.Bar(o.bar(), share(done, total))+" "+of(done, total)))
	if judging(o.r) {
		read, whole := readings(p)
		out = append(out, o.line("judged", o.m.theme.Bar(o.bar(), share(read, whole))+" "+of(read, whole)))
	}
	out = append(out, o.traffic()...)
	out = append(out, o.cost()...)
	out = append(out, o.statuses()...)
	out = append(out, o.judges()...)
	switch {
	case p.Err != nil:
		out = append(out, o.m.styled("ended by", "✗ "+job.Clip(p.Err.Error()), o.width, o.m.theme.Bad.Render)...)
	case p.LastFailure != "":
		out = append(out, o.line("last error", o.m.theme.Warn.Render("! "+job.Clip(told(o.r, p.LastFailure)))))
	}
	if !o.short {
		out = append(out, "")
	}
	return append(out, o.settings()...)
}

// bar is the width of the bars: what their numbers leave.
func (o *overview) bar() int { return max(6, min(widget.MostBar, o.width-nameWidth-26)) }

// line is a name and its text on one line, whatever it says: what is below
// must not jump while a run runs.
func (o *overview) line(name, text string) string {
	return widget.Cut(o.m.theme.Field(name, text, nameWidth), o.width)
}

// field is a name and its text, on as many lines as that takes.
func (o *overview) field(name, text string) []string { return o.m.field(name, text, o.width) }

// why says why a run rests, and until when.
func (o *overview) why() []string {
	p := o.r.Progress
	text := job.Clip(p.Why)
	switch {
	case p.State == eval.Holding && !p.Until.IsZero():
		wait := max(p.Until.Sub(o.m.seen), 0).Round(time.Second)
		text = job.Join(text, fmt.Sprintf("tries again in %s (%s)", widget.Span(wait), p.Until.Local().Format("15:04:05")))
	case p.State == eval.Paused && text == "":
		text = o.m.Keyed("no call is started; {p} resumes it")
	}
	if text == "" || p.State != eval.Holding && p.State != eval.Paused {
		return nil
	}
	return o.m.styled(p.State.String(), text, o.width, o.m.theme.Warn.Render)
}

// traffic is what came in, how fast, and what is to come.
func (o *overview) traffic() []string {
	p := o.r.Progress
	parts := []string{widget.Count(p.Counts.Predictions)}
	var calls []string
	if p.State == eval.Running {
		speed := []string{widget.Rate(p.Rate)}
		if d, ok := p.ETA(); ok {
			speed = append(speed, "about "+widget.Span(d)+" left")
		}
		if p.JudgesOnly { // no answer comes in
			calls = speed
		} else {
			parts = append(parts, speed...)
		}
	}
	// A run that was done before this session began took no time in it.
	if took := p.Ended.Sub(p.Started).Round(time.Second); p.State.Final() && took > 0 && !p.JudgesOnly {
		parts = append(parts, "took "+widget.Span(took))
	}
	if p.InFlight > 0 {
		calls = append(calls, fmt.Sprintf("%d in flight", p.InFlight))
	}
	if p.Retrying > 0 {
		calls = append(calls, fmt.Sprintf("%d waiting to retry", p.Retrying))
	}
	if (o.short || !moves(o.r)) && !judging(o.r) {
		return []string{o.line("answers", strings.Join(append(parts, calls...), " · "))}
	}
	calls = append(calls, widget.Count(p.CallsLeft)+" left")
	out := []string{o.line("answers", strings.Join(parts, " · ")), o.line("calls", strings.Join(calls, " · "))}
	if o.short {
		return out
	}
	if h := o.m.rates[o.r.Run.ID]; h != nil && len(h.values) > 0 {
		most := h.values[max(0, len(h.values)-o.bar()):]
		peak := 0.0
		for _, v := range most {
			peak = max(peak, v)
		}
		out = append(out, o.line("rate", o.m.theme.Spark(o.bar(), most)+o.m.theme.Faint.Render(" up to "+widget.Rate(peak))))
	}
	return out
}

// cost is what a run cost so far, in money and tokens.
func (o *overview) cost() []string {
	p, t := o.r.Progress, o.m.theme
	usage := p.Counts.Usage
	for _, j := range p.Judges {
		usage.Add(j.Counts.Usage)
	}
	var money string
	if p.Priced || p.Cost > 0 || p.Budget > 0 {
		money = amount(p)
		if p.Budget > 0 {
			money += " of " + widget.Money(p.Budget)
		}
	}
	tokens := ""
	if usage != (eval.Usage{}) {
		tokens = widget.Short(usage.Prompt) + " prompt · " + widget.Short(usage.Completion) + " completion"
		if usage.Reasoning > 0 {
			tokens += " · " + widget.Short(usage.Reasoning) + " of it reasoning"
		}
	}
	switch {
	case money == "" && tokens == "":
		return nil
	case o.short && money != "":
		return []string{o.line("cost", job.Join(money, widget.Short(usage.Prompt)+" + "+widget.Short(usage.Completion)+" tokens"))}
	}
	var out []string
	if money != "" {
		if p.Budget > 0 {
			money = t.Bar(o.bar(), p.Cost/p.Budget) + " " + money
		}
		out = append(out, o.line("cost", money))
	}
	if tokens != "" {
		out = append(out, o.line("tokens", tokens))
	}
	return out
}

// statuses are the bars of what became of the answers; together with the
// errors they make all of them.
func (o *overview) statuses() []string {
	t, c := o.m.theme, o.r.Progress.Counts
	bar := func(name string, n int, style widget.CachedStyle) string {
		text := fmt.Sprintf("%8s %8s", widget.Count(n), widget.Share(n, c.Predictions))
		return o.line(name, t.Bar(o.bar(), share(n, c.Predictions))+" "+style.Render(text))
	}
	unread, errs := t.Warn, t.Bad
	if c.Unparsable() == 0 {
		unread = t.Faint
	}
	if c.Failures == 0 {
		errs = t.Faint
	}
	out := []string{bar("extracted", c.Statuses[eval.Found], t.Text), bar("unparsed", c.Unparsable(), unread)}
	var kinds []string
	for _, s := range []eval.Status{eval.None, eval.Refused, eval.Ambiguous, eval.Missing} {
		if o.short {
			kinds = append(kinds, s.String()+" "+widget.Count(c.Statuses[s]))
		} else {
			out = append(out, bar("  "+s.String(), c.Statuses[s], t.Faint))
		}
	}
	if o.short {
		out = append(out, o.line("", t.Faint.Render(strings.Join(kinds, ", "))))
	}
	return append(out, bar("errors", c.Failures, errs))
}

// overviewLines is all that is known of how a run goes: at length where height
// allows it, else shorter. It may still be longer than height.
func overviewLines(m *board, r Row, width, height int) []string {
	o := overview{m: m, r: r, width: width}
	if out := o.lines(); len(out) <= height {
		return out
	}
	o.short = true
	return o.lines()
}
