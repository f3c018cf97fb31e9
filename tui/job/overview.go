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

// DrawOverview draws all that a row tells of itself, seen at that time: one line for
// each matter, so that nothing below jumps while a job is at work.
func (r *Row) DrawOverview(t *widget.Theme, keys *keymap.Spelling, width int, seen time.Time) []string {
	o := overview{t: t, keys: keys, r: r, width: width}
	o.addWhyResting(seen)
	o.addField(r.FactNoun()+"s", t.DrawBar(max(6, min(widget.MostBar, o.width-NameWidth-26)), r.DoneShare())+" "+r.FormatProgress())
	o.addReplies()
	o.addCalls()
	o.addCost()
	o.addVotes()
	p := &r.Progress
	switch {
	case p.Err != nil:
		o.addField("ended by", t.Bad.Render("✗ "+CleanHeadOfText(p.Err.Error())))
	case p.LastFailure != "":
		o.addField("last error", t.Warn.Render("! "+CleanHeadOfText(shortenFailure(p.LastFailure))))
	}
	o.addOrderNotes()
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

func (o *overview) addField(name, text string) {
	o.out = append(o.out, widget.CutWidth(o.t.DrawField(name, text, NameWidth), o.width))
}

// addWhyResting says why a job rests, and until when.
func (o *overview) addWhyResting(seen time.Time) {
	p := &o.r.Progress
	if o.r.Resting && o.r.IsAllAsked() {
		return // its order does
	}
	text := CleanHeadOfText(p.Why)
	switch {
	case p.State == eval.Holding && !p.Until.IsZero():
		wait := max(p.Until.Sub(seen), 0).Round(time.Second)
		text = JoinWithDot(text, fmt.Sprintf("tries again in %s", widget.FormatDuration(wait)))
	case p.State == eval.Paused && text != "":
		text += o.keys.SpellText("; {V} raises the budget")
	case p.State == eval.Paused:
		text = o.keys.SpellText("no call is started; {p} resumes it")
	}
	if p.State == eval.Holding || p.State == eval.Paused {
		o.addField(p.State.String(), o.t.Warn.Render(text))
	}
}

// addReplies adds what became of the calls; together they are all of them.
func (o *overview) addReplies() {
	k := &o.r.Tally
	parts := []string{widget.FormatCount(k.Stored) + " read"}
	style := func(n int, word string, paint func(...string) string) {
		text := widget.FormatCount(n) + " " + word
		if n > 0 {
			text = paint(text)
		}
		parts = append(parts, text)
	}
	style(k.Unparsed, "unparsed", o.t.Warn.Render)
	style(k.Failed, "failed", o.t.Bad.Render)
	if n := k.CountPending(); k.Wanted > 0 && n > 0 {
		parts = append(parts, widget.FormatCount(n)+" to ask")
	}
	o.addField("replies", strings.Join(parts, " · "))
}

// addCalls adds those under way and to come, of the whole order.
func (o *overview) addCalls() {
	p := &o.r.Progress
	switch {
	case !o.r.IsMoving() || o.r.Resting && o.r.IsAllAsked():
		return
	case o.r.Resting:
		o.addField("calls", o.t.Faint.Render("none yet: another comparison of its order comes first"))
		return
	}
	var parts []string
	if p.State == eval.Running {
		parts = append(parts, widget.FormatRate(p.Rate))
		if d, ok := p.ETA(); ok {
			parts = append(parts, "about "+widget.FormatDuration(d)+" left")
		}
	}
	parts = append(parts, fmt.Sprintf("%d in flight", p.InFlight))
	if p.Retrying > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting to retry", p.Retrying))
	}
	if p.Tally.PutOff > 0 {
		parts = append(parts, widget.FormatCount(p.Tally.PutOff)+" put off")
	}
	o.addField("calls", strings.Join(append(parts, widget.FormatCount(p.CallsLeft)+" left"), " · "))
}

// addCost adds what the row took, in money and tokens, and what its order may cost.
func (o *overview) addCost() {
	r := o.r
	text := r.FormatCost()
	if p := &r.Progress; r.IsMoving() && p.Budget > 0 {
		text += fmt.Sprintf(" · budget %s of %s", FormatPartialCost(p.Cost, p.Priced), widget.FormatMoney(p.Budget))
	}
	u := &r.Tally.Usage
	o.addField("cost", JoinWithDot(text, FormatPromptTokens(u)+" + "+widget.FormatAbbreviated(u.Completion)+" completion tokens"))
}

// addVotes adds the totals that are kept: by the place of the answer, whosever it is.
func (o *overview) addVotes() {
	if o.r.Work != eval.Voting {
		return
	}
	v := &o.r.Votes.Votes
	o.addField("places", fmt.Sprintf("first answer %s · second %s · unable %s", widget.FormatCount(v[eval.Answer1]), widget.FormatCount(v[eval.Answer2]),
		widget.FormatCount(v[eval.SituationOne]+v[eval.SituationTwo])))
}

// addOrderNotes adds what the row is asked together with, and what is left out of it.
func (o *overview) addOrderNotes() {
	p := &o.r.Progress
	if o.r.Shares > 0 {
		o.addField("order", "asked together with "+widget.FormatPlural(o.r.Shares, "other comparison")+": they pause and end together")
	}
	for _, l := range p.Job.LeftOut {
		name, what := "left out", ""
		if l.Asked {
			name, what = "asked", " all the same"
		}
		o.addField(name, o.t.Faint.Render(widget.FormatPlural(l.Facts, o.r.FactNoun())+": "+strings.ReplaceAll(CleanHeadOfText(l.Reason), "_", " ")+what))
	}
}

// shortenFailure gives a failure's message without the endpoint and the model, which are the
// job's own: they would fill the line.
func shortenFailure(text string) string {
	before, rest, _ := strings.Cut(text, "endpoint \"")
	_, what, named := strings.Cut(rest, "model \"")
	if _, what, ok := strings.Cut(what, "\": "); ok && named {
		return before + what
	}
	return text
}

// CleanHeadOfText gives a stranger's text for one line: it may be megabytes.
func CleanHeadOfText(s string) string { return widget.CleanLine(widget.HeadOfText(s)) }

// JoinWithDot sets two texts apart, when there are two.
func JoinWithDot(a, b string) string { return a + eval.Either(a == "" || b == "", "", " · ") + b }

// FormatPromptTokens gives the tokens that calls sent.
func FormatPromptTokens(u *eval.Usage) string {
	return widget.FormatAbbreviated(u.Prompt) + " prompt" + eval.Either(u.Cached > 0, " ("+widget.FormatAbbreviated(u.Cached)+" cached)", "")
}

// FormatPrice gives what a model's tokens cost, per million.
func FormatPrice(p eval.Price) string {
	return eval.Either(p.IsKnown(), widget.FormatMoney(p.Prompt)+" / "+widget.FormatMoney(p.Completion), "price not known")
}
