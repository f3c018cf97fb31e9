package curate

import (
	"fmt"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/widget"
)

// textLines is the question with its options, and what is known of it.
func (m *Model) textLines(c *Card, width int) []string {
	t, s := m.theme, &c.Sample
	width = max(4, width)
	out := m.othersLines(c, width) // first: what was asked for is not to be scrolled to
	say := func(style func(...string) string, text string) {
		for _, l := range widget.Wrap(text, width) {
			out = append(out, style(l))
		}
	}
	say(t.Strong.Render, s.Question)
	if s.Hint != "" {
		say(t.Faint.Render, "Hint: "+s.Hint)
	}
	out = append(out, "")
	for _, o := range s.Options {
		if right := !m.look.HideTruth && o.Letter == s.Answer; right {
			say(t.Good.Render, "✓ "+string(o.Letter)+". "+o.Text)
		} else {
			say(t.Text.Render, "  "+string(o.Letter)+". "+o.Text)
		}
	}
	out = append(out, m.answerLines(s, width)...)
	axis := eval.Path(m.axis())
	if axis == "" {
		out = append(out, "", t.Warn.Render(m.Keyed("no axis: {p} says where it belongs")))
	} else {
		out = append(out, "")
		say(t.Accent.Render, axis+m.moved(s))
	}
	return append(out, m.modelLines(c, width)...)
}

// answerLines is the truth where no option shows it.
func (m *Model) answerLines(s *eval.Sample, width int) []string {
	t := m.theme
	switch {
	case m.look.HideTruth:
		return []string{t.Faint.Render(m.Keyed("the answer is hidden, {t} shows it"))}
	case slices.ContainsFunc(s.Options, func(o eval.Option) bool { return o.Letter == s.Answer }):
		return nil
	case s.Answer != "" || s.Reference != "":
		var out []string
		for _, l := range widget.Wrap(strings.TrimSpace("answer: "+string(s.Answer)+" "+s.Reference), width) {
			out = append(out, t.Good.Render(l))
		}
		return out
	}
	return []string{t.Warn.Render("the dataset has no answer to it")}
}

// moved says where the dataset has a sample that stands elsewhere.
func (m *Model) moved(s *eval.Sample) string {
	if was := eval.Path(s.Taxonomy); was != eval.Path(m.axis()) && was != "" {
		return " (was " + was + ")"
	}
	return ""
}

// modelLines is what models made of the sample.
func (m *Model) modelLines(c *Card, width int) []string {
	t, f := m.theme, c.Finding
	switch {
	case f == nil:
		return nil
	case m.look.HideModels:
		return []string{t.Faint.Render(m.Keyed("hits and difficulty are hidden, {d} shows them"))}
	}
	text := fmt.Sprintf("without the picture %d of %d models answer it", f.Blind.K, f.Blind.N)
	if f.Sighted.N > 0 {
		text += fmt.Sprintf(", with it %d of %d", f.Sighted.K, f.Sighted.N)
	}
	if d := f.Difficulty.String(); d != "" {
		text += ": " + d
	}
	var out []string
	for _, l := range widget.Wrap(text, width) {
		out = append(out, t.Faint.Render(l))
	}
	return out
}

// othersLines is what other experts say, where it was asked for.
func (m *Model) othersLines(c *Card, width int) []string {
	t := m.theme
	if m.others == nil || m.others.sample != c.Sample.Ordinal {
		return nil
	}
	out := []string{t.Title.Render("Others")}
	add := func(what string, words []curation.Word) {
		for i := range words {
			w := &words[i]
			text := string(w.Expert) + what + word(w.Verdict)
			if w.Axis != nil {
				text += ", " + eval.Path(w.Axis)
			}
			if w.Note != "" {
				text += ": " + w.Note
			}
			out = append(out, widget.Wrap(text, width)...)
		}
	}
	add(": ", m.others.words)
	add(" settled it: ", m.others.rulings)
	if len(out) == 1 {
		out = append(out, t.Faint.Render("nobody else has spoken yet"))
	}
	return append(out, "")
}
