package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval/stat"
	"concord/tui/widget"
)

// standard is the guideline of a queue that has none of its own.
const standard = `Say which option the answer chose, not which one is right.

- An option: the answer settles on it, in whatever words. A letter, the option's text, a paraphrase, or what follows from its last sentence all count. When letter and text disagree, take what the answer ends on.
- none: it commits itself to something that is no option.
- ambiguous: it names several options and settles on none.
- refused: it declines to answer, or says that it cannot see the picture.

Skip what you want to see again at the end. Flag what somebody should look at twice. Everything can be undone, also tomorrow.`

func (m *Model) guideText() []string {
	text := m.session.Queue().Guideline
	if strings.TrimSpace(text) == "" {
		text = standard
	}
	return widget.Wrap(text, max(1, min(m.width-2, 90)))
}

func (m *Model) guideline(height int) []string {
	lines := m.guideText()
	rows := height - 1
	from := max(0, min(m.top[panelPane], len(lines)-rows))
	out := []string{m.section("Guideline", from, rows, len(lines), "j k scroll", true, m.width)}
	for _, l := range lines[from:min(from+rows, len(lines))] {
		out = append(out, " "+l)
	}
	return widget.Block(out, m.width, height)
}

// finished is what stands where no item is in front: the end of the queue,
// or nothing to do yet.
func (m *Model) finished(height int) []string {
	t, s := m.theme, m.session
	var out []string
	say := func(style func(...string) string, format string, args ...any) {
		for _, l := range widget.Wrap(fmt.Sprintf(format, args...), max(1, m.width-2)) {
			out = append(out, " "+style(l))
		}
	}
	say(t.Text.Render, "")
	switch {
	case s.Open() > 0:
		say(t.Title.Render, "The end of the queue")
		say(t.Text.Render, "%s still open: enter goes to the next one.", are(s.Open(), "item"))
	case m.growing && s.Len() == 0:
		say(t.Title.Render, "Waiting for answers to read")
		say(t.Text.Render, "An evaluation is running. Answers that its rules cannot read are put in front of you here, by themselves.")
	case m.growing:
		say(t.Title.Render, "All %s answered; waiting for more", are(s.Len(), "item"))
		say(t.Text.Render, "The evaluation still runs. New items appear here by themselves.")
	case s.Len() == 0:
		say(t.Title.Render, "Nothing to do in this queue")
		say(t.Text.Render, "%s", m.whyNothing())
	default:
		say(t.Title.Render, "Done: all %s answered", are(s.Len(), "item"))
	}
	if n := s.Len() - s.Open(); n > 0 {
		out = append(out, "")
		out = append(out, m.tally()...)
	}
	if s.Open() == 0 && !m.growing && s.Len() > 0 {
		out = append(out, "")
		out = append(out, m.alignment()...)
		out = append(out, "", " "+t.Key.Render("a")+"  the report: how far the machine's reading can be trusted",
			" "+t.Key.Render("←")+"  back to the last item, "+t.Key.Render("r")+" there shows what the machine read",
			" "+t.Key.Render("u")+"  undo the last thing you did")
	}
	return widget.Block(out, m.width, height)
}

// whyNothing says why there is nothing to label in a queue that stands.
func (m *Model) whyNothing() string {
	q := m.session.Queue()
	switch {
	case q.Items == 0 && q.Rule.From == annotate.FromUnparsable:
		return "It has no items: the rules can read every answer that it was drawn from."
	case q.Items == 0:
		return "It has no items."
	}
	return fmt.Sprintf("It asks for %s an item, and others have given them all. A queue made with --overlap %d asks for one more.",
		widget.Plural(max(q.Overlap, 1), "label"), max(q.Overlap, 1)+1)
}

func are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return widget.Plural(n, noun) + " are"
}

// tally is what the annotator has said, in numbers.
func (m *Model) tally() []string {
	t, c := m.theme, m.session.Tally()
	var parts []string
	for _, v := range []annotate.Verdict{
		annotate.PickedOption, annotate.SaidNone, annotate.SaidAmbiguous, annotate.SaidRefused,
	} {
		name := v.String()
		if v == annotate.PickedOption {
			name = "one option"
		}
		parts = append(parts, fmt.Sprintf("%s %s", name, widget.Count(c.Verdicts[v])))
	}
	out := []string{" " + t.Field("you said", strings.Join(parts, ", "), 9)}
	if c.Spent > 0 {
		each := c.Spent / time.Duration(max(c.Done, 1))
		out = append(out, " "+t.Field("time", fmt.Sprintf("%s, %.1f s an item", widget.Span(c.Spent), each.Seconds()), 9))
	}
	if c.Flagged > 0 {
		out = append(out, " "+t.Field("flagged", widget.Count(c.Flagged), 9))
	}
	return out
}

// drewFrom reports whether the queue is made of what an extractor cannot read.
func (m *Model) drewFrom(extractor string) bool {
	rule := m.session.Queue().Rule
	own, _, _ := strings.Cut(rule.Rules, "@")
	name, _, _ := strings.Cut(extractor, "@")
	return rule.From == annotate.FromUnparsable && own != "" && name == "rules:"+own
}

// alignment is how often each judge reads what the annotator does.
func (m *Model) alignment() []string {
	t := m.theme
	out := []string{" " + t.Strong.Render("The judges' readings and yours")}
	switch {
	case m.summary.err != nil:
		return append(out, " "+t.Bad.Render(widget.Line(m.summary.err.Error())))
	case !m.summary.done:
		return append(out, " "+t.Faint.Render("comparing…"))
	case len(m.summary.against) == 0:
		out = append(out, " "+t.Faint.Render("No judge has read these answers yet. Its readings come by"))
		return append(out, " "+t.Faint.Render("  concord import judgments FILE --dataset "+widget.Line(string(m.session.Queue().Rule.Dataset))))
	}
	against := slices.Clone(m.summary.against)
	slices.SortFunc(against, func(a, b agreement) int { return strings.Compare(a.extractor, b.extractor) })
	wide := 0
	for _, a := range against {
		wide = max(wide, min(28, widget.Width(widget.Line(a.extractor))))
	}
	flagged := m.session.Tally().Flagged
	for _, a := range against {
		r := stat.NewRate(a.agree, a.n)
		line := fmt.Sprintf(" %s  %s of %s agree  %s  [%.1f, %.1f]", widget.Fit(widget.Line(a.extractor), wide),
			widget.Count(a.agree), widget.Count(a.n), widget.Percent(r.Value), 100*r.Low, 100*r.High)
		if left := len(m.session.State().Labels) - flagged - a.n; left > 0 {
			line += t.Faint.Render(fmt.Sprintf("  %s not read", widget.Count(left)))
		}
		if flagged > 0 {
			line += t.Faint.Render(fmt.Sprintf("  %s flagged left out", widget.Count(flagged)))
		}
		out = append(out, line)
	}
	return out
}
