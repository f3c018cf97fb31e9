package curate

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate/curation"
	"concord/eval"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// sampleText draws a sample, and what is known of it.
type sampleText struct {
	*keymap.Spelling
	theme  *widget.Theme
	look   Look
	others *others // of the card in front; nil: not shown
	cards  *candidates
}

// textLines is the question with its options, and what is known of it.
func (st *sampleText) textLines(c *Card, width int) []string {
	t, s := st.theme, &c.Sample
	width = max(4, width)
	out := st.othersLines(c, width) // first: what was asked for is not to be scrolled to
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
		if right := !st.look.HideTruth && o.Letter == s.Answer; right {
			say(t.Good.Render, "✓ "+string(o.Letter)+". "+o.Text)
		} else {
			say(t.Text.Render, "  "+string(o.Letter)+". "+o.Text)
		}
	}
	if c.Withheld {
		say(t.Faint.Render, "ground truth hidden until you have answered this sample's items in your queues")
	} else {
		out = append(out, st.answerLines(s, width)...)
	}
	axis := eval.Path(st.cards.axis())
	if axis == "" {
		out = append(out, "", t.Warn.Render(st.Keyed("no axis: {axis} says where it belongs")))
	} else {
		out = append(out, "")
		say(t.Accent.Render, axis+st.moved(s))
	}
	return append(out, st.modelLines(c, width)...)
}

// answerLines is the truth where no option shows it.
func (st *sampleText) answerLines(s *eval.Sample, width int) []string {
	t := st.theme
	switch {
	case st.look.HideTruth:
		return []string{t.Faint.Render(st.Keyed("the answer is hidden, {ground_truth} shows it"))}
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
func (st *sampleText) moved(s *eval.Sample) string {
	if was := eval.Path(s.Taxonomy); was != eval.Path(st.cards.axis()) && was != "" {
		return " (was " + was + ")"
	}
	return ""
}

// modelLines is what models made of the sample.
func (st *sampleText) modelLines(c *Card, width int) []string {
	t, f := st.theme, c.Finding
	switch {
	case f == nil:
		return nil
	case st.look.HideModels:
		return []string{t.Faint.Render(st.Keyed("models and difficulty are hidden, {difficulty} shows them"))}
	}
	text := fmt.Sprintf("without the image %d of %d models answer it", f.Blind.K, f.Blind.N)
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
func (st *sampleText) othersLines(c *Card, width int) []string {
	t := st.theme
	if st.others == nil || st.others.sample != c.Sample.Ordinal {
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
	add(": ", st.others.words)
	add(" adjudicated it: ", st.others.rulings)
	if len(out) == 1 {
		out = append(out, t.Faint.Render("nobody else has spoken yet"))
	}
	return append(out, "")
}

// reveal shows what others say, once it is stored that it is.
func (st *sampleText) reveal(msg revealed) tea.Cmd {
	if msg.err != nil {
		return notify(widget.Problem, "not shown before it is saved that it is: "+msg.err.Error())
	}
	if c := st.cards.card(); c != nil && c.Sample.Ordinal == msg.others.sample && st.cards.board.State().Answered(c.Sample.Ordinal) {
		st.others = &msg.others
	}
	return nil
}

// others is what other experts say of a sample.
type others struct {
	sample         eval.Ordinal
	words, rulings []curation.Word
}

// revealed is what others say, once it is stored that it is shown.
type revealed struct {
	of     *sampleText
	others others
	err    error
}
