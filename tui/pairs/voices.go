package pairs

import (
	"strconv"
	"strings"

	"concord/eval"
	"concord/tui/widget"
)

// votes are every judge's and every person's, a line each.
func (p *page) votes() []string {
	t := p.theme
	out := []string{t.Section("Votes", "win: "+p.name(0)+" is preferred", false, p.width)}
	if len(p.Ballots)+len(p.People) == 0 {
		return append(out, t.Faint.Render("nobody has voted on this pair"))
	}
	wide := 0
	for i := range p.Ballots {
		if p.wide() {
			wide = max(wide, widget.Width(method(&p.Ballots[i].Ballot)))
		}
	}
	for i := range p.People {
		wide = max(wide, widget.Width(widget.Line(string(p.People[i].Who))))
	}
	wide = min(wide, max(12, p.width/2-6))
	for i := range p.Ballots {
		b := &p.Ballots[i]
		name := method(&b.Ballot)
		if !p.wide() { // on a line of its own
			out = append(out, widget.Cut(name, p.width))
			name = ""
		}
		line := widget.Fit(name, wide) + "  " + t.Strong.Render(widget.Fit(strings.ReplaceAll(b.Outcome, "_", " "), 13)) +
			"  shown first: " + replied(p, &b.Orders[0]) + " · second: " + replied(p, &b.Orders[1])
		out = append(out, widget.Cut(line, p.width))
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
	t := p.theme
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
	t := p.theme
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
	out := []string{widget.Cut(line+t.Faint.Render("  "+widget.Line(string(v.Queue))), p.width)}
	if v.Note != "" {
		for _, l := range some(widget.Wrap("note: "+limit(v.Note), max(8, p.width-wide-2)), 4) {
			out = append(out, widget.Cut(strings.Repeat(" ", wide+2)+l, p.width))
		}
	}
	return out
}

// replies are the judges' raw replies, each under whose answer stood first.
func (p *page) replies() []string {
	t := p.theme
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
			out = append(out, t.Section("Reply of "+method(&b.Ballot), note, false, p.width))
			switch {
			case r.Failure != "":
				for _, l := range some(widget.Wrap(limit(r.Failure), p.width), 6) {
					out = append(out, t.Bad.Render(l))
				}
			case strings.TrimSpace(r.Raw) == "":
				out = append(out, t.Faint.Render("(empty)"))
			default:
				out = append(out, some(widget.Wrap(limit(r.Raw), p.width), 60)...)
			}
		}
	}
	return out
}
