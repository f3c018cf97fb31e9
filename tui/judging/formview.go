package judging

import (
	"github.com/charmbracelet/bubbles/key"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

const sideBySide = 76 // width from which on the estimate stands beside the fields

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
	if width < sideBySide {
		out := append([]string{head}, f.in.fields(width)...)
		out = append(out, f.says(width)...)
		return append(out, f.estimateLines(width)...)
	}
	at := min(width*55/100, 90)
	left := append(f.in.fields(at), f.says(at)...)
	left = append(left, f.in.candidates(at, height-1-len(left))...)
	return append([]string{head}, t.Beside(left, f.estimateLines(width-at-3), at, width, height-1)...)
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
		e := &f.estimate
		style, text = t.Warn.Render, "This makes "+widget.Plural(e.Calls, "call")+" and costs "+price(&e.Estimate)+". enter starts it, esc does not."
		if !e.Priced {
			text = "This makes " + widget.Plural(e.Calls, "call") + " at a price that is not known. enter starts it, esc does not."
		}
	case f.entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case f.trouble != "":
		style, text = t.Bad.Render, "✗ "+f.trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case f.in.at == fieldInput:
		text = f.in.unseenNote()
	case f.in.at == fieldOrder:
		text = "both asks each pair twice, with the answers swapped; shuffled asks once, the order drawn"
	case f.in.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+f.in.choices.Trouble
	}
	return form.Remark(width, style, text)
}

// rate is what a judge's tokens cost, per million.
func rate(p eval.Price) string {
	if !p.Known() {
		return "price not known"
	}
	return widget.Money(p.Prompt) + " / " + widget.Money(p.Completion)
}

// Keys are the bindings that matter now.
func (f *voteForm) Keys() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.empty():
		k.start.SetHelp("enter", "look again")
		return []key.Binding{k.start, k.back}
	case f.phase == confirming:
		k.start.SetHelp("enter", "start it")
		return []key.Binding{k.start, k.back}
	}
	keys := []key.Binding{k.start, k.fields, k.change}
	if f.in.at == fieldModels {
		keys = append(keys, k.toggle)
	}
	if f.in.pick() != nil {
		keys = append(keys, k.filter)
	}
	if f.in.figure() != nil {
		keys = append(keys, k.number)
	}
	return append(keys, k.back)
}
