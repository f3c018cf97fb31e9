package judging

import (
	"context"
	"reflect"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// rest is how long the form must be left alone before an estimate of it is
// worth its while.
const rest = 150 * time.Millisecond

type (
	// due tells that a spec has rested.
	due struct {
		of  *voteForm
		seq int
	}
	// estimated is an estimate of one spec.
	estimated struct {
		Estimate
		of  *voteForm
		seq int
		err error
	}
)

// changed asks for an estimate in a while when the spec is another one now.
func (f *voteForm) changed(before Spec) tea.Cmd {
	if reflect.DeepEqual(before, f.in.spec()) {
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
func (f *voteForm) ask() tea.Cmd {
	if f.stop != nil {
		f.stop()
	}
	if f.in.whyNot() != "" {
		f.asking = false
		return nil
	}
	ctx, stop := context.WithCancel(f.m.ctx)
	f.stop, f.asking = stop, true
	scheduler, spec, seq := f.m.Scheduler, f.in.spec(), f.seq
	return func() tea.Msg {
		defer stop()
		e, err := scheduler.Estimate(ctx, spec)
		return estimated{e, f, seq, err}
	}
}

// estimatedAs takes an estimate, unless it is of a spec that is no more.
func (f *voteForm) estimatedAs(msg estimated) tea.Cmd {
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
func (f *voteForm) current() bool { return f.estimate.of == f && f.estimate.seq == f.seq }

// estimateLines draw the estimate.
func (f *voteForm) estimateLines(width int) []string {
	t := f.theme
	note := ""
	if !f.current() && f.in.whyNot() == "" {
		note = "estimating…"
	}
	out := []string{t.Section("Estimate", note, false, width)}
	e := &f.estimate
	switch {
	case f.in.whyNot() != "":
		return append(out, t.Faint.Render("none: the judge run cannot be"))
	case e.of == nil:
		return out
	case e.err != nil:
		return append(out, styled(t.Bad.Render, widget.Wrap("✗ "+e.err.Error(), width))...)
	}
	d := lines{t, f.Spelling, width, out}
	d.size(e)
	d.warnings(f, e)
	d.assumed(e)
	return d.out
}

// lines draw an estimate.
type lines struct {
	t     *widget.Theme
	keys  *keymap.Spelling
	width int
	out   []string
}

const nameWidth = 11

// field is a name and its text, on as many lines as that takes.
func (d *lines) field(name, text string) {
	for _, l := range widget.Wrap(text, max(1, d.width-nameWidth-1)) {
		d.out = append(d.out, d.t.Field(name, l, nameWidth))
		name = ""
	}
}

func (d *lines) text(style func(...string) string, text string) {
	d.out = append(d.out, styled(style, widget.Wrap(text, d.width))...)
}

// size is how much is asked, what that takes, and what is not asked.
func (d *lines) size(e *estimated) {
	k := &e.Tally
	if e.Calls == 0 {
		d.field("calls", "none: every vote that can be asked for is there")
	} else {
		d.field("calls", widget.Count(e.Calls)+" of "+widget.Plural(k.Wanted, "vote"))
	}
	if n := k.Done(); n > 0 {
		text := widget.Count(n)
		if k.Unparsed > 0 {
			text += ", " + widget.Count(k.Unparsed) + " of them unparsed"
		}
		if k.Failed > 0 {
			text += ", " + widget.Count(k.Failed) + d.keys.Keyed(" failed ({t} on the job asks again)")
		}
		d.field("are there", text)
	}
	if e.Calls > 0 {
		d.field("tokens", "about "+widget.Short(e.PromptTokens)+" prompt · "+widget.Short(e.CompletionTokens)+" completion")
		d.field("cost", price(&e.Estimate))
	}
	if e.Time > 0 {
		d.field("time", "at least "+widget.Span(e.Time)+" at the endpoint's limits")
	}
	for _, l := range e.LeftOut {
		name := "left out"
		if l.Asked {
			name = "asked"
		}
		d.field(name, widget.Plural(l.Votes, "vote")+": "+l.Why)
	}
}

// warnings are what weakens the votes, or keeps them from their end.
func (d *lines) warnings(f *voteForm, e *estimated) {
	warn := func(text string) { d.text(d.t.Warn.Render, "! "+text) }
	for _, why := range e.Unfinished {
		warn(why)
	}
	if e.Stale > 0 {
		warn(widget.Plural(e.Stale, "vote") + " made under older criteria: concord judge votes --stale asks them again")
	}
	switch b := f.in.budget.Value(); {
	case b <= 0 || e.Calls == 0:
	case !e.Priced:
		warn("without a price the budget cannot be kept")
	case e.Cost > b:
		warn("pauses at " + widget.Money(b) + ", perhaps before its end")
	}
	if e.Live {
		d.text(d.t.Accent.Render, "• it is at work: enter sets its budget, and it continues")
	}
}

func (d *lines) assumed(e *estimated) {
	if len(e.Assumed) == 0 || e.Calls == 0 {
		return
	}
	d.out = append(d.out, "", d.t.Faint.Render("Assumed"))
	for _, a := range e.Assumed {
		d.text(d.t.Faint.Render, "- "+a)
	}
}

func styled(style func(...string) string, lines []string) []string {
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
}

// price is what a judging may cost.
func price(e *Estimate) string {
	if e.Priced {
		return "about " + widget.Money(e.Cost)
	}
	return "not known: no price is configured"
}
