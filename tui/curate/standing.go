package curate

import (
	"fmt"
	"strings"

	"concord/annotate/curation"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// standing draws how the sample in front stands, and what can be said of it.
type standing struct {
	*keymap.Spelling
	theme *widget.Theme
	cards *candidates
	size  *layout
	apart bool // rulings are for others
}

// finished is what stands where no sample is in front.
func (st *standing) finished(width int) []string {
	say := st.Keyed("Nothing waits for you here. {next_state} shows samples by their state, {balance} the balance of all axes.")
	switch {
	case len(st.cards.shown) == 0 && st.cards.settle:
		say = st.Keyed("There is nothing to adjudicate: where enough experts have answered, they agree. {settle} goes back to verdicts.")
	case len(st.cards.shown) == 0 && st.cards.filter.on(st.cards.settle):
		say = "Nothing is left by the filter: esc shows everything again."
	case len(st.cards.shown) == 0:
		say = "There are no candidates: the inspection kept no sample of the pool."
	}
	if n := st.cards.board.Disputes().Open; n > 0 && !st.cards.settle && !st.apart {
		say += fmt.Sprintf(" Expert disagreements: %s. %s adjudicates them, %s lists them by dataset.", widget.Plural(n, "candidate"), st.Spelled("settle"), st.Spelled("experts"))
	}
	return append([]string{""}, st.theme.Text.Wrap(" ", say, width-1)...)
}

// placeLine is which sample is in front, and how it stands.
func (st *standing) placeLine() string {
	t, c := st.theme, st.cards.card()
	if c == nil {
		return t.Faint.Render(fmt.Sprintf(" %s", widget.Plural(len(st.cards.shown), "sample")))
	}
	o := c.Sample.Ordinal
	left := t.Faint.Render(fmt.Sprintf(" sample %s of %s", widget.Count(st.cards.at+1), widget.Count(len(st.cards.shown))))
	left += t.Faint.Render("  id " + widget.Cut(widget.Line(string(c.Sample.ID)), 20))
	if c.Sample.Source != "" {
		left += t.Faint.Render("  from " + widget.Cut(widget.Line(c.Sample.Source), 20))
	}
	right := ""
	switch st.cards.board.Standing(o) {
	case curation.PutOff:
		right = t.Faint.Render("put off before ")
	case curation.NotNeeded:
		right = t.Faint.Render("others have decided ")
	case curation.Mine:
		if d, err := st.cards.board.Decision(o); err == nil {
			right = st.decisionText(&d) + " "
		}
	case curation.ToDo:
	}
	return widget.Ends(left, right, st.size.width)
}

// decisionText is what everybody's words come to.
func (st *standing) decisionText(d *curation.Decision) string {
	t := st.theme
	text, style := d.Outcome.String(), t.Faint
	switch d.Outcome {
	case curation.Accepted:
		text, style = "✓ accepted", t.Good
	case curation.Dropped:
		text, style = "✗ dropped: "+word(d.Verdict), t.Bad
	case curation.Contested:
		text, style = "≠ contested", t.Warn
	case curation.Open:
		text = "○ open"
	}
	switch of := st.cards.board.Panel().Experts; {
	case d.Ruled:
		text += ", adjudicated"
	case of > 1:
		text += fmt.Sprintf(", %d of %d experts", d.Of, of)
	}
	if d.Disputed() && d.Outcome != curation.Contested {
		text += ", they differ"
	}
	return style.Render(text)
}

// verdictLines are the verdicts with their keys, all of them whatever the width;
// the person's own bears a mark.
func (st *standing) verdictLines() []string {
	c := st.cards.card()
	if c == nil {
		return make([]string, verdictRows(st.size.width))
	}
	own := st.cards.board.State().Words[c.Sample.Ordinal].Verdict
	if st.cards.settle {
		own = st.cards.board.State().Rulings[c.Sample.Ordinal].Verdict
	}
	var out []string
	for row, first := 0, 0; row < verdictRows(st.size.width); row++ {
		all, to := curation.AllVerdicts(), verdictsIn(st.size.width, first)
		out = append(out, st.verdictRow(own, first, all[first:to]))
		first = to
	}
	return out
}

// verdictRow is some of the verdicts in a line.
func (st *standing) verdictRow(own curation.Verdict, first int, some []curation.Verdict) string {
	t := st.theme
	parts := make([]string, 0, len(some))
	for i, v := range some {
		i += first
		name := verdictWord(v, st.size.width)
		text := t.Key.Render(fmt.Sprint(i+1)) + " " + name
		if v == own {
			text = t.Good.Render("▸") + t.Key.Render(fmt.Sprint(i+1)) + " " + t.Strong.Render(name)
		}
		parts = append(parts, text)
	}
	lead := " "
	if st.cards.settle && first == 0 {
		lead = " " + t.Warn.Render("adjudication ")
	}
	return widget.Fit(lead+strings.Join(parts, "  "), st.size.width)
}

// word is a verdict in a few words.
func word(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "image needed"
	case curation.NeedsNone:
		return "answerable without image"
	case curation.InQuestion:
		return "answer in the question"
	case curation.Wrong:
		return "wrong or ambiguous"
	case curation.Duplicate:
		return "duplicate"
	case curation.Basic:
		return "no advanced ability"
	case curation.VerdictUnset:
	}
	return "no verdict"
}

// shortWord is a verdict where there is little room.
func shortWord(v curation.Verdict) string {
	switch v {
	case curation.NeedsImage:
		return "image needed"
	case curation.NeedsNone:
		return "answerable"
	case curation.InQuestion:
		return "in question"
	case curation.Wrong:
		return "wrong"
	case curation.Basic:
		return "basic"
	case curation.Duplicate, curation.VerdictUnset:
	}
	return word(v)
}

// wordy is the width from which verdicts have all their words.
const wordy = 110

// verdictWord is a verdict in as many words as there is room for.
func verdictWord(v curation.Verdict, width int) string {
	if width >= wordy {
		return word(v)
	}
	return shortWord(v)
}

// verdictsIn is up to which verdict those from first on stand in one line.
func verdictsIn(width, first int) int {
	const around = 4                             // cells of the key, the mark and the air behind a word
	all, room := curation.AllVerdicts(), width-8 // less the word that may stand before them
	to := first
	for to < len(all) {
		if room -= widget.Width(verdictWord(all[to], width)) + around; room < 0 && to > first {
			break
		}
		to++
	}
	return to
}

// verdictRows is how many lines the verdicts take.
func verdictRows(width int) int {
	n := 0
	for at := 0; at < len(curation.AllVerdicts()); n++ {
		at = verdictsIn(width, at)
	}
	return n
}
