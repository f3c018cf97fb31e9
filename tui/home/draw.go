package home

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// drawForm draw the form.
func (f *runForm) drawForm(width, height int) []string {
	t := f.m.theme
	switch {
	case !f.loaded && f.trouble == "":
		return []string{t.DrawSection("New run", "", true, width), "", t.Faint.Render("  loading the configuration…")}
	case f.isEmpty():
		return append([]string{t.DrawSection("New run", "", true, width), ""}, drawNoChoices(f, width)...)
	case f.phase == differing:
		return drawFork(f, width, height)
	}
	fields := func(width int) []string {
		return append(form.DrawFields(t, f.formFields(), f.at, width), drawNotes(f, width)...)
	}
	estimate := func(width int) []string {
		return f.asking.DrawEstimate(t, width, "none: the run cannot be", func(s *widget.Sheet) { estimateFigures(f, s) })
	}
	return form.DrawForm(t, t.DrawSection("New run", "", true, width), width, height, fields, estimate, f.drawCandidates)
}

// drawNoChoices says what to do before a run can be put together.
func drawNoChoices(f *runForm, width int) []string {
	t := f.m.theme
	var out []string
	text := func(style func(...string) string, s string) {
		for _, l := range widget.WrapText(s, max(1, width-4)) {
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
		text(t.Text.Render, "No model is known yet: say where one is served, and choose among those that the server lists.")
		out = append(out, "  "+t.Key.Render("m")+t.KeyText.Render(" connects a model"), "")
	}
	if f.loaded && len(f.choices.Datasets) == 0 {
		text(t.Text.Render, "No questions are in this project yet: a file brings them in.")
		out = append(out, "  "+t.Key.Render("i")+t.KeyText.Render(" imports a file"), "")
	}
	return append(out, "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
}

// drawNotes draws what the form has to say: why not, what it costs, what it does.
func drawNotes(f *runForm, width int) []string {
	t := f.m.theme
	style, text := t.Faint.Render, ""
	switch why := f.whyNot(); {
	case f.phase == starting:
		style, text = t.Accent.Render, "starting…"
	case f.phase == confirming:
		e := &f.asking.Latest
		style, text = t.Warn.Render, "This costs "+formatCost(e)+". enter starts it, esc does not."
		if !e.Priced && e.CostHigh == 0 {
			text = "This takes up to " + widget.FormatPlural(e.CallsHigh+e.JudgeCallsHigh, "call") + " at a price that is not known. enter starts it, esc does not."
		}
		if f.resume != 0 {
			text = fmt.Sprintf("Run %d continues. %s", f.resume, text)
		}
	case f.asking.Entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case f.trouble != "":
		style, text = t.Bad.Render, "✗ "+f.trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case f.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+f.choices.Trouble
	}
	return form.WrapRemark(width, style, text)
}

// drawCandidates list what the field under the cursor can be.
func (f *runForm) drawCandidates(width, height int) []string {
	p := f.currentField().Pick
	if p == nil || height < 3 {
		return nil
	}
	places, at := p.Matches()
	cursor := widget.Cursor{}
	cursor.Set(at, len(places), height-2)
	table := widget.Table{Rows: len(places), Cursor: cursor}
	if p == &f.dataset {
		table.Columns = []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1, Name: true},
			{Title: "samples", Width: 7, Right: true},
			{Title: "images", Width: 8, Right: true},
			{Title: "kinds", Width: 14, Least: 60},
		}
		table.Row = func(i int) []string { return makeChoiceCells(f, f.choices.Datasets[places[i]]) }
	} else {
		table.Columns = []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "per million", Width: 15, Least: 54},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 76, Name: true},
		}
		table.Row = func(i int) []string { return makeModelCells(f, f.choices.Models[places[i]]) }
	}
	return append([]string{""}, f.m.theme.DrawTable(table, width, height-1)...)
}

func makeChoiceCells(f *runForm, c DatasetChoice) []string {
	name := widget.CleanLine(string(c.Name))
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name)
	}
	return []string{name, widget.FormatCount(c.Samples), widget.FormatCount(c.Pictures), formatKinds(c)}
}

func makeModelCells(f *runForm, c ModelChoice) []string {
	name, sign := widget.CleanLine(c.Name), ""
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name + ": " + widget.CleanLine(c.Why))
	}
	if f.currentField().Taken != nil {
		sign = "[ ]"
		if slices.Contains(f.judges, c.Name) {
			sign = "[x]"
		}
	}
	return []string{sign, name, job.FormatPrice(c.Price), widget.CleanLine(c.Endpoint)}
}

// Bindings are the bindings that matter now.
func (f *runForm) Bindings() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.isEmpty():
		return append(exitKeys(f), k.KeysToAnswer("look again")...)
	case f.phase == differing:
		k.Start.SetHelp("enter", "do that")
		k.Fields.SetHelp("↑↓", "choose")
		return []key.Binding{k.Start, k.Fields, k.Back}
	case f.phase == confirming:
		return k.KeysToAnswer("start it")
	}
	return k.KeysOfField(f.currentField())
}
