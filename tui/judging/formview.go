package judging

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"concord/eval"
	"concord/tui/widget"
)

const sideBySide = 76 // width from which on the estimate stands beside the fields

// lines draw the form.
func (f *form) lines(width, height int) []string {
	t := f.m.theme
	head := t.Section("Have votes judged", "", true, width)
	switch {
	case !f.loaded && f.trouble == "":
		return []string{head, "", t.Faint.Render("  reading the project and the configuration…")}
	case f.empty():
		return append([]string{head, ""}, f.nothing(width)...)
	}
	if width < sideBySide {
		out := append([]string{head}, f.fields(width)...)
		out = append(out, f.says(width)...)
		return append(out, f.estimateLines(width)...)
	}
	at := min(width*55/100, 90)
	left := append(f.fields(at), f.says(at)...)
	left = append(left, f.candidates(at, height-1-len(left))...)
	return append([]string{head}, t.Beside(left, f.estimateLines(width-at-3), at, width, height-1)...)
}

// nothing says what to do before a judging can be put together.
func (f *form) nothing(width int) []string {
	t := f.m.theme
	var out []string
	text := func(style func(...string) string, s string) {
		for _, l := range widget.Wrap(s, max(1, width-4)) {
			out = append(out, "  "+style(l))
		}
	}
	for _, s := range []string{f.trouble, f.choices.Trouble} {
		if s != "" {
			text(t.Bad.Render, "✗ "+s)
			out = append(out, "")
		}
	}
	if f.loaded && f.choices.Trouble == "" && len(f.choices.Judges) == 0 {
		text(t.Text.Render, "No model is known that could judge: esc goes back to the runs, where m connects one.")
	}
	if f.loaded && f.choices.Trouble == "" && len(f.choices.Datasets) == 0 {
		text(t.Text.Render, "No dataset is in this project: esc goes back to the runs, where i imports one.")
	}
	return append(out, "", "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
}

// fields draw the lines of the form.
func (f *form) fields(width int) []string {
	out := make([]string, fieldCount)
	for i := range out {
		at := field(i)
		here := at == f.at
		out[i] = f.m.theme.Entry(fieldNames[at], f.off(at), here, width, func(width int) string { return f.value(at, here, width) })
	}
	return out
}

// value draws what a field holds, in about width cells.
func (f *form) value(at field, here bool, width int) string {
	t := f.m.theme
	switch at {
	case fieldDataset:
		return t.Picked(&f.dataset, here, width)
	case fieldModels:
		return t.PickedMany(&f.model, f.models, here, width)
	case fieldAnchor:
		return t.Picked(&f.anchor, here, width)
	case fieldJudge:
		return t.Picked(&f.judge, here, width)
	case fieldCriteria:
		d, _ := f.datasetChoice()
		return t.Box(f.criteria, here) + t.Faint.Render(" "+widget.Plural(d.Criteria, "sample")+" with some")
	case fieldInput:
		return f.sees(here)
	case fieldOrder:
		return t.Segments(orders[:], f.order, here)
	case fieldRepeats:
		return t.Number(&f.repeats, here, "times all is asked")
	case fieldConcurrency:
		return t.Number(&f.concurrency, here, "votes at once")
	case fieldBudget:
		if f.budget.Value() == 0 {
			return t.Number(&f.budget, here, "never pauses")
		}
		return t.Number(&f.budget, here, "cost at which it pauses")
	case fieldCount:
	}
	return ""
}

// sees draws what the judge may be shown; what is not held is struck out, and
// the line below the form says why.
func (f *form) sees(here bool) string {
	names := inputNames()
	for i := range names {
		if f.unseen(i) != "" {
			names[i] = f.m.theme.Disabled.Render("✗" + names[i])
		}
	}
	return f.m.theme.Segments(names, f.input, here)
}

// says is what the form has to say: why not, what it costs, what it does.
func (f *form) says(width int) []string {
	t := f.m.theme
	style, text := t.Faint.Render, ""
	switch why := f.whyNot(); {
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
	case f.at == fieldInput:
		text = f.unseenNote()
	case f.at == fieldOrder:
		text = "both asks each pair twice, with the answers swapped; shuffled asks once, the order drawn"
	case f.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+f.choices.Trouble
	}
	return widget.Remark(width, style, text)
}

// unseenNote says why something cannot be shown to the judge.
func (f *form) unseenNote() string {
	var out []string
	for i := range inputs {
		if why := f.unseen(i); why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

// candidates list what the field under the cursor can be.
func (f *form) candidates(width, height int) []string {
	p := f.pick()
	if p == nil || height < 3 {
		return nil
	}
	places, at := p.Matches()
	cursor := widget.Cursor{}
	cursor.Set(at, len(places), height-2)
	table := widget.Table{Rows: len(places), Cursor: cursor}
	d, _ := f.datasetChoice()
	switch f.at {
	case fieldDataset:
		table.Columns = []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1, Name: true},
			{Title: "samples", Width: 7, Right: true},
			{Title: "models", Width: 6, Right: true},
			{Title: "criteria", Width: 8, Right: true, Least: 52},
		}
		table.Row = func(i int) []string { return f.datasetCells(f.choices.Datasets[places[i]]) }
	case fieldJudge:
		table.Columns = []widget.Column{
			{Title: "judge", Width: 14, Grow: 1, Name: true},
			{Title: "per million", Width: 15, Least: 44},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 76, Name: true},
		}
		table.Row = func(i int) []string { return f.judgeCells(f.choices.Judges[places[i]]) }
	default:
		table.Columns = []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "answers", Width: 7, Right: true},
		}
		table.Row = func(i int) []string { return f.modelCells(d.Models[places[i]]) }
	}
	return append([]string{""}, f.m.theme.Table(table, width, height-1)...)
}

func (f *form) datasetCells(c DatasetChoice) []string {
	name := widget.Line(string(c.Name))
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name)
	}
	return []string{name, widget.Count(c.Samples), widget.Count(len(c.Models)), widget.Count(c.Criteria)}
}

func (f *form) modelCells(c ModelChoice) []string {
	sign := ""
	switch {
	case f.at == fieldModels && slices.Contains(f.models, c.Name):
		sign = "[x]"
	case f.at == fieldModels:
		sign = "[ ]"
	}
	return []string{sign, widget.Line(c.Name), widget.Count(c.Answers)}
}

func (f *form) judgeCells(c JudgeChoice) []string {
	name := widget.Line(c.Name)
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name + ": " + widget.Line(c.Why))
	}
	return []string{name, rate(c.Price), widget.Line(c.Endpoint)}
}

// rate is what a judge's tokens cost, per million.
func rate(p eval.Price) string {
	if !p.Known() {
		return "price not known"
	}
	return widget.Money(p.Prompt) + " / " + widget.Money(p.Completion)
}

// Keys are the bindings that matter now.
func (f *form) Keys() []key.Binding {
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
	if f.at == fieldModels {
		keys = append(keys, k.toggle)
	}
	if f.pick() != nil {
		keys = append(keys, k.filter)
	}
	if f.figure() != nil {
		keys = append(keys, k.number)
	}
	return append(keys, k.back)
}
