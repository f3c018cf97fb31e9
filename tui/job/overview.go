package job

import (
	"fmt"
	"strings"
	"time"

	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// NameWidth is the width of the names in an overview.
const NameWidth = 11

// Overview is all that a row tells of itself, seen at that time: one line for
// each matter, so that nothing below jumps while a job is at work.
func (r *Row) Overview(t *widget.Theme, keys *keymap.Spelling, width int, seen time.Time) []string {
	o := overview{t: t, keys: keys, r: r, width: width}
	o.why(seen)
	o.say(r.Facts()+"s", t.Bar(o.bar(), r.Share())+" "+r.Progressed())
	o.replies()
	o.calls()
	o.cost()
	o.votes()
	p := &r.Progress
	switch {
	case p.Err != nil:
		o.say("ended by", t.Bad.Render("✗ "+Clip(p.Err.Error())))
	case p.LastFailure != "":
		o.say("last error", t.Warn.Render("! "+Clip(told(p.LastFailure))))
	}
	o.order()
	return o.out
}

// overview draws a row for one width.
type overview struct {
	t     *widget.Theme
	keys  *keymap.Spelling
	r     *Row
	width int
	out   []string
}

// bar is the width of bars: what their numbers leave.
func (o *overview) bar() int { return max(6, min(widget.MostBar, o.width-NameWidth-26)) }

func (o *overview) say(name, text string) {
	o.out = append(o.out, widget.Cut(o.t.Field(name, text, NameWidth), o.width))
}

// why says why a job rests, and until when.
func (o *overview) why(seen time.Time) {
	p := &o.r.Progress
	if o.r.Resting && o.r.Whole() {
		return // its order does
	}
	text := Clip(p.Why)
	switch {
	case p.State == eval.Holding && !p.Until.IsZero():
		wait := max(p.Until.Sub(seen), 0).Round(time.Second)
		text = Join(text, fmt.Sprintf("tries again in %s", widget.Span(wait)))
	case p.State == eval.Paused && text != "":
		text += o.keys.Keyed("; {V} raises the budget")
	case p.State == eval.Paused:
		text = o.keys.Keyed("no call is started; {p} resumes it")
	}
	if p.State == eval.Holding || p.State == eval.Paused {
		o.say(p.State.String(), o.t.Warn.Render(text))
	}
}

// replies are what became of the calls; together they are all of them.
func (o *overview) replies() {
	k := &o.r.Tally
	parts := []string{widget.Count(k.Stored) + " read"}
	style := func(n int, word string, paint func(...string) string) {
		text := widget.Count(n) + " " + word
		if n > 0 {
			text = paint(text)
		}
		parts = append(parts, text)
	}
	style(k.Unparsed, "unparsed", o.t.Warn.Render)
	style(k.Failed, "failed", o.t.Bad.Render)
	if n := k.Pending(); k.Wanted > 0 && n > 0 {
		parts = append(parts, widget.Count(n)+" to ask")
	}
	o.say("replies", strings.Join(parts, " · "))
}

// calls are those under way and to come, of the whole order.
func (o *overview) calls() {
	p := &o.r.Progress
	switch {
	case !o.r.Moves() || o.r.Resting && o.r.Whole():
		return
	case o.r.Resting:
		o.say("calls", o.t.Faint.Render("none yet: another comparison of its order comes first"))
		return
	}
	var parts []string
	if p.State == eval.Running {
		parts = append(parts, widget.Rate(p.Rate))
		if d, ok := p.ETA(); ok {
			parts = append(parts, "about "+widget.Span(d)+" left")
		}
	}
	parts = append(parts, fmt.Sprintf("%d in flight", p.InFlight))
	if p.Retrying > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting to retry", p.Retrying))
	}
	if p.Tally.PutOff > 0 {
		parts = append(parts, widget.Count(p.Tally.PutOff)+" put off")
	}
	o.say("calls", strings.Join(append(parts, widget.Count(p.CallsLeft)+" left"), " · "))
}

// cost is what the row took, in money and tokens, and what its order may cost.
func (o *overview) cost() {
	r := o.r
	text := r.Spent()
	if p := &r.Progress; r.Moves() && p.Budget > 0 {
		text += fmt.Sprintf(" · budget %s of %s", Amount(p.Cost, p.Priced), widget.Money(p.Budget))
	}
	u := &r.Tally.Usage
	o.say("cost", Join(text, widget.Short(u.Prompt)+" prompt + "+widget.Short(u.Completion)+" completion tokens"))
}

// votes are the totals that are kept: by the place of the answer, whosever it
// is.
func (o *overview) votes() {
	if o.r.Work != eval.Voting {
		return
	}
	v := &o.r.Votes.Votes
	o.say("places", fmt.Sprintf("first answer %s · second %s · unable %s", widget.Count(v[eval.Answer1]), widget.Count(v[eval.Answer2]),
		widget.Count(v[eval.SituationOne]+v[eval.SituationTwo])))
}

// order is what the row is asked together with, and what is left out of it.
func (o *overview) order() {
	p := &o.r.Progress
	if o.r.Shares > 0 {
		o.say("order", "asked together with "+widget.Plural(o.r.Shares, "other comparison")+": they pause and end together")
	}
	for _, l := range p.Job.LeftOut {
		name, what := "left out", ""
		if l.Asked {
			name, what = "asked", " all the same"
		}
		o.say(name, o.t.Faint.Render(widget.Plural(l.Facts, o.r.Facts())+": "+strings.ReplaceAll(Clip(l.Reason), "_", " ")+what))
	}
}

// told is a failure's message without the endpoint and the model, which are the
// job's own: they would fill the line.
func told(text string) string {
	before, rest, _ := strings.Cut(text, "endpoint \"")
	_, what, named := strings.Cut(rest, "model \"")
	if _, what, ok := strings.Cut(what, "\": "); ok && named {
		return before + what
	}
	return text
}

// Clip is a stranger's text for one line: it may be megabytes.
func Clip(s string) string { return widget.Line(widget.Head(s)) }

// Join sets two texts apart, when there are two.
func Join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}

// Rate is what a model's tokens cost, per million.
func Rate(p eval.Price) string {
	if !p.Known() {
		return "price not known"
	}
	return widget.Money(p.Prompt) + " / " + widget.Money(p.Completion)
}
