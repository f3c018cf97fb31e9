package judging

import (
	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// sizes are how much is asked, what that takes, and what is not asked.
func sizes(d *form.Sheet, e *Estimate, keys *keymap.Spelling) {
	k := &e.Tally
	if e.Calls == 0 {
		d.Field("calls", "none: every vote that can be asked for is there")
	} else {
		d.Field("calls", widget.Count(e.Calls)+" of "+widget.Plural(k.Wanted, "vote"))
	}
	if n := k.Done(); n > 0 {
		text := widget.Count(n)
		if k.Unparsed > 0 {
			text += ", " + widget.Count(k.Unparsed) + " of them unparsed"
		}
		if k.Failed > 0 {
			text += ", " + widget.Count(k.Failed) + keys.Keyed(" failed ({t} on the job asks again)")
		}
		d.Field("are there", text)
	}
	if e.Calls > 0 {
		d.Field("tokens", "about "+widget.Short(e.PromptTokens)+" prompt · "+widget.Short(e.CompletionTokens)+" completion")
		d.Field("cost", price(e))
	}
	if e.Time > 0 {
		d.Field("time", "at least "+widget.Span(e.Time)+" at the endpoint's limits")
	}
	for _, l := range e.LeftOut {
		name := "left out"
		if l.Asked {
			name = "asked"
		}
		d.Field(name, widget.Plural(l.Votes, "vote")+": "+l.Why)
	}
}

// warnings are what weakens the votes, or keeps them from their end.
func warnings(d *form.Sheet, f *voteForm, e *Estimate) {
	for _, why := range e.Unfinished {
		d.Warn(why)
	}
	if e.Stale > 0 {
		d.Warn(widget.Plural(e.Stale, "vote") + " made under older criteria: concord judge votes --stale asks them again")
	}
	switch b := f.in.budget.Value(); {
	case b <= 0 || e.Calls == 0:
	case !e.Priced:
		d.Warn("without a price the budget cannot be kept")
	case e.Cost > b:
		d.Warn("pauses at " + widget.Money(b) + ", perhaps before its end")
	}
	if e.Live {
		d.Say("it is at work: enter sets its budget, and it continues")
	}
}

// price is what a judging may cost.
func price(e *Estimate) string {
	if e.Priced {
		return "about " + widget.Money(e.Cost)
	}
	return "not known: no price is configured"
}
