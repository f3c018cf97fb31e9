package judging

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/widget"
)

// lines draw the form.
func (f *voteForm) lines(width, height int) []string {
	t := f.theme
	head := t.Section("Judge pairs", "", true, width)
	switch {
	case !f.loaded && f.trouble == "":
		return []string{head, "", t.Faint.Render("  loading the project and the configuration…")}
	case f.empty():
		return append([]string{head, ""}, f.nothing(width)...)
	}
	fields := func(width int) []string {
		return append(form.Lines(t, f.in.fields(), f.in.at, width), f.says(width)...)
	}
	estimate := func(width int) []string {
		return f.asking.Lines(t, width, "none: the judge run cannot be", func(s *form.Sheet) {
			e := &f.asking.Latest
			sizes(s, e, f.Spelling)
			warnings(s, f, e)
			if e.Calls > 0 {
				s.Assumed(e.Assumed)
			}
		})
	}
	return form.Beside(t, head, width, height, fields, estimate, f.in.candidates)
}

// nothing says what to do before a judging can be put together.
func (f *voteForm) nothing(width int) []string {
	t := f.theme
	var out []string
	text := func(style func(...string) string, s string) {
		for _, l := range widget.Wrap(s, max(1, width-4)) {
			out = append(out, "  "+style(l))
		}
	}
	for _, s := range []string{f.trouble, f.in.choices.Trouble} {
		if s != "" {
			text(t.Bad.Render, "✗ "+s)
			out = append(out, "")
		}
	}
	if f.loaded && f.in.choices.Trouble == "" && len(f.in.choices.Judges) == 0 {
		text(t.Text.Render, "No model is known that could judge: esc goes back to the runs, where m connects one.")
	}
	if f.loaded && f.in.choices.Trouble == "" && len(f.in.choices.Datasets) == 0 {
		text(t.Text.Render, "No dataset is in this project: esc goes back to the runs, where i imports one.")
	}
	return append(out, "", "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
}

// says is what the form has to say: why not, what it costs, what it does.
func (f *voteForm) says(width int) []string {
	t := f.theme
	style, text := t.Faint.Render, ""
	switch why := f.in.whyNot(); {
	case f.phase == starting:
		style, text = t.Accent.Render, "starting…"
	case f.phase == confirming:
		e := &f.asking.Latest
		style, text = t.Warn.Render, "This makes "+widget.Plural(e.Calls, "call")+" and costs "+price(e)+". enter starts it, esc does not."
		if !e.Priced {
			text = "This makes " + widget.Plural(e.Calls, "call") + " at a price that is not known. enter starts it, esc does not."
		}
	case f.asking.Entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case f.trouble != "":
		style, text = t.Bad.Render, "✗ "+f.trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case f.in.field().At == &f.in.input:
		text = f.in.unseenNote()
	case f.in.field().At == &f.in.order:
		text = "both asks each pair twice, with the answers swapped; shuffled asks once, the order drawn"
	case f.in.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+f.in.choices.Trouble
	}
	return form.Remark(width, style, text)
}

// Keys are the bindings that matter now.
func (f *voteForm) Keys() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.empty():
		return k.To("look again")
	case f.phase == confirming:
		return k.To("start it")
	}
	return k.Of(f.in.field())
}
