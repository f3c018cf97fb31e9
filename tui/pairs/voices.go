package pairs

import (
	"strconv"
	"strings"

	"concord/eval"
	"concord/tui/drilldown"
	"concord/tui/widget"
)

// votes are every judge's and every person's, a line each.
func (p *page) votes() []string {
	t := p.Theme
	out := []string{t.Section("Votes", "win: "+p.name(0)+" is preferred", false, p.Width)}
	if len(p.Ballots)+len(p.People) == 0 {
		return append(out, t.Faint.Render("nobody has voted on this pair"))
	}
	wide := 0
	for i := range p.Ballots {
		if p.Wide() {
			wide = max(wide, widget.Width(method(&p.Ballots[i].Ballot)))
		}
	}
	for i := range p.People {
		wide = max(wide, widget.Width(widget.Line(string(p.People[i].Who))))
	}
	wide = min(wide, max(12, p.Width/2-6))
	for i := range p.Ballots {
		b := &p.Ballots[i]
		name := method(&b.Ballot)
		if !p.Wide() { // on a line of its own
			out = append(out, widget.Cut(name, p.Width))
			name = ""
		}
		line := widget.Fit(name, wide) + "  " + t.Strong.Render(widget.Fit(strings.ReplaceAll(b.Outcome, "_", " "), 13)) +
			"  shown first: " + replied(p, &b.Orders[0]) + " · second: " + replied(p, &b.Orders[1])
		out = append(out, widget.Cut(line, p.Width))
	}
	for i := range p.People {
		out = append(out, voterLines(p, &p.People[i], wide)...)
	}
	return out
}

// method is how a judge was asked, in a few words.
func method(b *eval.Ballot) string {
	parts := []string{widget.Line(b.Judge), "without criteria"}
	if b.Criteria {
		parts[1] = "with criteria"
	}
	if b.Input != eval.SeesImage {
		parts = append(parts, b.Input.String())
	}
	if b.Repeat > 0 {
		parts = append(parts, "repeat "+strconv.Itoa(b.Repeat))
	}
	return strings.Join(parts, ", ")
}

// replied is what one order gave.
func replied(p *page, r *Reply) string {
	t := p.Theme
	switch {
	case !r.Asked:
		return t.Faint.Render("not asked")
	case r.Failure != "":
		return t.Bad.Render("✗ failed")
	case r.Vote == eval.VoteUnset:
		return t.Warn.Render("unparsed")
	}
	return word(r.Vote)
}

// voterLines is what one person voted, with what has to be known of the vote.
func voterLines(p *page, v *Vote, wide int) []string {
	t := p.Theme
	side := "shown first"
	if v.Second {
		side = "shown second"
	}
	line := widget.Fit(widget.Line(string(v.Who)), wide) + "  " + t.Strong.Render(widget.Fit(word(v.Vote), 13)) + "  " + side
	if v.Flagged {
		line += "  " + t.Warn.Render("⚑ flagged")
	}
	if v.Informed {
		line += "  " + t.Warn.Render("after the reveal, counts for nothing")
	}
	out := []string{widget.Cut(line+t.Faint.Render("  "+widget.Line(string(v.Queue))), p.Width)}
	if v.Note != "" {
		for _, l := range drilldown.Some(widget.Wrap("note: "+drilldown.Limit(v.Note), max(8, p.Width-wide-2)), 4) {
			out = append(out, widget.Cut(strings.Repeat(" ", wide+2)+l, p.Width))
		}
	}
	return out
}

// replies are the judges' raw replies, each under whose answer stood first.
func (p *page) replies() []string {
	t := p.Theme
	var out []string
	for i := range p.Ballots {
		b := &p.Ballots[i]
		for k := range b.Orders {
			r := &b.Orders[k]
			if !r.Asked {
				continue
			}
			note := p.name(k) + " first"
			if r.Stale {
				note += ", by criteria that were revised since"
			}
			out = append(out, t.Section("Reply of "+method(&b.Ballot), note, false, p.Width))
			switch {
			case r.Failure != "":
				for _, l := range drilldown.Some(widget.Wrap(drilldown.Limit(r.Failure), p.Width), 6) {
					out = append(out, t.Bad.Render(l))
				}
			case strings.TrimSpace(r.Raw) == "":
				out = append(out, t.Faint.Render("(empty)"))
			default:
				out = append(out, drilldown.Some(widget.Wrap(drilldown.Limit(r.Raw), p.Width), 60)...)
			}
		}
	}
	return out
}
