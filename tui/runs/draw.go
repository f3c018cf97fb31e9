package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/widget"
)

const (
	labelWidth = 12
	sideBySide = 76 // width from which on the estimate stands beside the fields
)

// lines draw the form.
func (f *form) lines(width, height int) []string {
	t := f.m.theme
	switch {
	case !f.loaded && f.trouble == "":
		return []string{t.Section("New run", "", true, width), "", t.Faint.Render("  reading the configuration…")}
	case f.empty():
		return append([]string{t.Section("New run", "", true, width), ""}, f.nothing(width)...)
	case f.phase == differing:
		return f.forkLines(width, height)
	}
	head := t.Section("New run", "", true, width)
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

// nothing says what to do before a run can be put together.
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
	if f.choices.Trouble != "" { // what else there is, is not known
		text(t.Text.Render, "Mend that, here or in another terminal; concord doctor checks it.")
		return append(out, "", "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
	}
	if f.loaded && len(f.choices.Models) == 0 {
		text(t.Text.Render, "No model is configured. Either of these makes one:")
		text(t.Accent.Render, "  export OPENAI_API_KEY=…   OPENAI_BASE_URL for other endpoints\n  concord config init       writes a configuration to fill in")
		out = append(out, "")
	}
	if f.loaded && len(f.choices.Datasets) == 0 {
		text(t.Text.Render, "No dataset is in this project:")
		text(t.Accent.Render, "  concord import dataset FILE")
		out = append(out, "")
	}
	text(t.Faint.Render, "A ready project to look at, with no key and no network: concord demo")
	return append(out, "", "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
}

// fields draw the lines of the form.
func (f *form) fields(width int) []string {
	out := make([]string, fieldCount)
	for i := range out {
		out[i] = f.fieldLine(field(i), width)
	}
	return out
}

func (f *form) fieldLine(at field, width int) string {
	t := f.m.theme
	here := at == f.at
	lead, label := "  ", t.Faint.Render(widget.Fit(fieldNames[at], labelWidth))
	if here {
		lead, label = t.Accent.Render("› "), t.Title.Render(widget.Fit(fieldNames[at], labelWidth))
	}
	if why := f.off(at); why != "" {
		return widget.Cut(lead+label+t.Disabled.Render("– "+why), width)
	}
	return widget.Cut(lead+label+f.value(at, here, width-labelWidth-2), width)
}

// value draws what a field holds, in about width cells.
func (f *form) value(at field, here bool, width int) string {
	t := f.m.theme
	switch at {
	case fieldDataset:
		return f.picked(&f.dataset, here, width)
	case fieldModel:
		return f.picked(&f.model, here, width)
	case fieldModality:
		return f.segments(len(given), f.modality, here, func(i int) string { return given[i].String() })
	case fieldStrategy:
		return f.segments(len(strategies), f.strategy, here, func(i int) string { return strategies[i].String() })
	case fieldAllPasses:
		return f.box(f.allPasses, here) + t.Faint.Render(" after a wrong one, too")
	case fieldFallback:
		return f.box(f.fallback, here) + t.Faint.Render(" draw what no judge reads")
	case fieldJudges:
		return f.judgesValue(here, width)
	case fieldShots:
		return f.number(&f.shots, here, "worked examples")
	case fieldConcurrency:
		return f.number(&f.concurrency, here, "questions at once")
	case fieldBudget:
		if f.budget.Value() == 0 {
			return f.number(&f.budget, here, "never pauses")
		}
		return f.number(&f.budget, here, "cost at which it pauses")
	case fieldCount:
	}
	return ""
}

// focus marks a value under the cursor, without colours, too.
func (f *form) focus(value string, here bool) string {
	if here {
		return f.m.theme.Selected.Render("‹ " + value + " ›")
	}
	return value
}

func (f *form) picked(p *widget.Pick, here bool, width int) string {
	places, at := p.Matches()
	note := ""
	if here {
		note = fmt.Sprintf(" %d of %d", at+1, len(places))
		if p.Filter() != "" {
			note = fmt.Sprintf(" “%s” %d of %d", widget.Cut(p.Filter(), 8), at+1, len(places))
		}
	}
	name := widget.Cut(widget.Line(p.Value()), max(8, width-4-widget.Width(note)))
	return f.focus(name, here) + f.m.theme.Faint.Render(note)
}

func (f *form) segments(n, at int, here bool, name func(int) string) string {
	t := f.m.theme
	parts := make([]string, n)
	for i := range parts {
		switch {
		case i != at:
			parts[i] = t.Faint.Render(name(i))
		case here:
			parts[i] = t.Selected.Render("[" + name(i) + "]")
		default:
			parts[i] = "[" + name(i) + "]"
		}
	}
	return strings.Join(parts, " ")
}

func (f *form) box(on, here bool) string {
	text := "[ ]"
	if on {
		text = "[x]"
	}
	if here {
		return f.m.theme.Selected.Render(text)
	}
	return text
}

func (f *form) number(n *widget.Figure, here bool, note string) string {
	return f.focus(n.Text(), here) + f.m.theme.Faint.Render(" "+note)
}

// judgesValue draws the judges; with the cursor, the one that space takes in
// or out, too.
func (f *form) judgesValue(here bool, width int) string {
	t := f.m.theme
	list := "none"
	if len(f.judges) > 0 {
		list = widget.Line(strings.Join(f.judges, ", "))
	}
	if !here {
		return widget.Cut(list, width)
	}
	sign := "[ ] "
	if slices.Contains(f.judges, f.judge.Value()) {
		sign = "[x] "
	}
	return f.focus(sign+widget.Cut(widget.Line(f.judge.Value()), max(8, width/2)), true) + t.Faint.Render(" "+list)
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
		style, text = t.Warn.Render, "This costs "+cost(&e.Estimate)+". enter starts it, esc does not."
		if !e.Priced && e.CostHigh == 0 {
			text = "This takes up to " + widget.Plural(e.CallsHigh+e.JudgeCallsHigh, "call") + " at a price that is not known. enter starts it, esc does not."
		}
		if f.resume != 0 {
			text = fmt.Sprintf("Run %d goes on. %s", f.resume, text)
		}
	case f.entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case f.trouble != "":
		style, text = t.Bad.Render, "✗ "+f.trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case f.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+f.choices.Trouble
	}
	return remark(width, style, text)
}

// remark is a text below a form, of three lines at most.
func remark(width int, style func(...string) string, text string) []string {
	lines := widget.Wrap(text, max(1, width-2))
	if len(lines) > 3 {
		lines = append(lines[:2:2], lines[2]+"…")
	}
	for i := range lines {
		lines[i] = widget.Cut("  "+style(lines[i]), width)
	}
	return lines
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
	if f.at == fieldDataset {
		table.Columns = []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1},
			{Title: "samples", Width: 7, Right: true},
			{Title: "pictures", Width: 8, Right: true},
			{Title: "kinds", Width: 14, Least: 60},
		}
		table.Row = func(i int) []string { return f.datasetCells(f.choices.Datasets[places[i]]) }
	} else {
		table.Columns = []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1},
			{Title: "per million", Width: 15, Least: 54},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 76},
		}
		table.Row = func(i int) []string { return f.modelCells(f.choices.Models[places[i]]) }
	}
	return append([]string{""}, f.m.theme.Table(table, width, height-1)...)
}

func (f *form) datasetCells(c DatasetChoice) []string {
	name := widget.Line(string(c.Name))
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name)
	}
	return []string{name, widget.Count(c.Samples), widget.Count(c.Pictures), kinds(c)}
}

func (f *form) modelCells(c ModelChoice) []string {
	name, sign := widget.Line(c.Name), ""
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name + ": " + widget.Line(c.Why))
	}
	if f.at == fieldJudges {
		sign = "[ ]"
		if slices.Contains(f.judges, c.Name) {
			sign = "[x]"
		}
	}
	return []string{sign, name, price(c.Price), widget.Line(c.Endpoint)}
}

// Keys are the bindings that matter now.
func (f *form) Keys() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.empty():
		k.start.SetHelp("enter", "look again")
		return []key.Binding{k.start, k.back}
	case f.phase == differing:
		k.start.SetHelp("enter", "do that")
		k.fields.SetHelp("↑↓", "choose")
		return []key.Binding{k.start, k.fields, k.back}
	case f.phase == confirming:
		k.start.SetHelp("enter", "start it")
		return []key.Binding{k.start, k.back}
	}
	keys := []key.Binding{k.start, k.fields, k.change}
	if f.at == fieldJudges {
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
