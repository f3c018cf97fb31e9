package label

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval/stat"
	"concord/tui/annotation"
	"concord/tui/labeloption"
	"concord/tui/widget"
)

// standard is the guideline for the item in front where the queue has none.
func (m *Model) standard() string {
	if pg := m.Body(); pg != nil && labeloption.Scored(&pg.Item) {
		return labeloption.ScoreGuideline
	}
	return labeloption.LabelGuideline
}

// finished is what stands where no item is in front.
func (m *Model) finished(height int) []string {
	t, s := m.Theme, m.Session
	w := annotation.Words{
		Waiting: "Waiting for answers to read",
		Comes:   "An evaluation is running. Answers that its rules cannot read are put in front of you here, by themselves.",
	}
	if s.Queue().Rule.From == annotate.FromUnparsable {
		w.Nothing = "It has no items: the rules can read every answer that it was drawn from."
	}
	out := m.Head.Finished(w)
	if n := s.Len() - s.Open(); n > 0 {
		out = append(out, "")
		out = append(out, m.Tally(m.verdictCounts())...)
	}
	differ := " " + t.Key.Render(m.Spelled("w")) + "  what people and machines read differently, to look into and to settle"
	switch {
	case m.Done():
		out = append(out, "")
		out = append(out, m.alignment()...)
		out = append(out, "")
		if !m.deps.Apart {
			out = append(out, differ, " "+t.Key.Render(m.Spelled("a"))+"  the report: how far the machine's reading can be trusted")
		}
		out = append(out, " "+t.Key.Render(m.Spelled("left"))+"  back to the last item, "+t.Key.Render(m.Spelled("r"))+" there shows what the machine read",
			" "+t.Key.Render(m.Spelled("u"))+"  undo the last thing you did")
	case m.noCompare() == "" && s.Queue().Items > 0:
		out = append(out, "", differ)
	}
	return widget.Block(out, m.Width, height)
}

// verdictCounts is what the annotator has said, in numbers.
func (m *Model) verdictCounts() string {
	c := m.Session.Tally()
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
	if n := c.Verdicts[annotate.Scored]; n > 0 {
		return "scored " + widget.Count(n)
	}
	return strings.Join(parts, ", ")
}

// drewFrom reports whether the queue is made of what an extractor cannot read.
func (m *Model) drewFrom(extractor string) bool {
	rule := m.Session.Queue().Rule
	own, _, _ := strings.Cut(rule.Rules, "@")
	name, _, _ := strings.Cut(extractor, "@")
	return rule.From == annotate.FromUnparsable && own != "" && name == "rules:"+own
}

// alignment is how often each judge reads what the annotator does.
func (m *Model) alignment() []string {
	t := m.Theme
	out := []string{" " + t.Strong.Render("The judges' readings and yours")}
	switch {
	case m.summary.err != nil:
		return append(out, " "+t.Bad.Render(widget.Line(m.summary.err.Error())))
	case !m.summary.done:
		return append(out, " "+t.Faint.Render("comparing…"))
	case len(m.summary.against) == 0:
		on := " --dataset " + widget.Line(string(m.Session.Queue().Rule.Dataset))
		if m.Session.Tally().Verdicts[annotate.Scored] > 0 {
			out = append(out, " "+t.Faint.Render("No judge has scored these answers yet. Its scores come by"))
			return append(out, " "+t.Faint.Render("  concord judge scores"+on+" --judge NAME"))
		}
		out = append(out, " "+t.Faint.Render("No judge has read these answers yet: on the runs (h) J has one read them."))
		return append(out, " "+t.Faint.Render("  or concord import judgments FILE"+on))
	}
	against := slices.Clone(m.summary.against)
	slices.SortFunc(against, func(a, b agreement) int { return strings.Compare(a.extractor, b.extractor) })
	wide := 0
	for _, a := range against {
		wide = max(wide, min(28, widget.Width(widget.Line(a.extractor))))
	}
	flagged := m.Session.Tally().Flagged
	for _, a := range against {
		r := stat.NewRate(a.agree, a.n)
		line := fmt.Sprintf(" %s  %s of %s agree  %s  [%.1f, %.1f]", widget.Fit(widget.Line(a.extractor), wide),
			widget.Count(a.agree), widget.Count(a.n), widget.Percent(r.Value), 100*r.Low, 100*r.High)
		if left := len(m.Session.State().Labels) - flagged - a.n; left > 0 {
			line += t.Faint.Render(fmt.Sprintf("  %s not read", widget.Count(left)))
		}
		if flagged > 0 {
			line += t.Faint.Render(fmt.Sprintf("  %s flagged left out", widget.Count(flagged)))
		}
		out = append(out, line)
	}
	return out
}
