package home

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// lines draw the form.
func (f *runForm) lines(width, height int) []string {
	t := f.m.theme
	switch {
	case !f.loaded && f.trouble == "":
		return []string{t.Section("New run", "", true, width), "", t.Faint.Render("  loading the configuration…")}
	case f.empty():
		return append([]string{t.Section("New run", "", true, width), ""}, noChoices(f, width)...)
	case f.phase == differing:
		return forkLines(f, width, height)
	}
	fields := func(width int) []string {
		return append(form.Lines(t, f.fields(), f.at, width), formNotes(f, width)...)
	}
	estimate := func(width int) []string {
		return f.asking.Lines(t, width, "none: the run cannot be", func(s *widget.Sheet) { estimateFigures(f, s) })
	}
	return form.Beside(t, t.Section("New run", "", true, width), width, height, fields, estimate, f.candidates)
}

// noChoices says what to do before a run can be put together.
func noChoices(f *runForm, width int) []string {
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
		text(t.Text.Render, "No model is known yet: say where one is served, and choose among those that the server lists.")
		out = append(out, "  "+t.Key.Render("m")+t.KeyText.Render(" connects a model"), "")
	}
	if f.loaded && len(f.choices.Datasets) == 0 {
		text(t.Text.Render, "No questions are in this project yet: a file brings them in.")
		out = append(out, "  "+t.Key.Render("i")+t.KeyText.Render(" imports a file"), "")
	}
	return append(out, "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
}

// formNotes are what the form has to say: why not, what it costs, what it does.
func formNotes(f *runForm, width int) []string {
	t := f.m.theme
	style, text := t.Faint.Render, ""
	switch why := f.whyNot(); {
	case f.phase == starting:
		style, text = t.Accent.Render, "starting…"
	case f.phase == confirming:
		e := &f.asking.Latest
		style, text = t.Warn.Render, "This costs "+cost(e)+". enter starts it, esc does not."
		if !e.Priced && e.CostHigh == 0 {
			text = "This takes up to " + widget.Plural(e.CallsHigh+e.JudgeCallsHigh, "call") + " at a price that is not known. enter starts it, esc does not."
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
	return form.Remark(width, style, text)
}

// candidates list what the field under the cursor can be.
func (f *runForm) candidates(width, height int) []string {
	p := f.field().Pick
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
		table.Row = func(i int) []string { return choiceCells(f, f.choices.Datasets[places[i]]) }
	} else {
		table.Columns = []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "per million", Width: 15, Least: 54},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 76, Name: true},
		}
		table.Row = func(i int) []string { return modelCells(f, f.choices.Models[places[i]]) }
	}
	return append([]string{""}, f.m.theme.Table(table, width, height-1)...)
}

func choiceCells(f *runForm, c DatasetChoice) []string {
	name := widget.Line(string(c.Name))
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name)
	}
	return []string{name, widget.Count(c.Samples), widget.Count(c.Pictures), kinds(c)}
}

func modelCells(f *runForm, c ModelChoice) []string {
	name, sign := widget.Line(c.Name), ""
	if c.Why != "" {
		name = f.m.theme.Disabled.Render("✗ " + name + ": " + widget.Line(c.Why))
	}
	if f.field().Taken != nil {
		sign = "[ ]"
		if slices.Contains(f.judges, c.Name) {
			sign = "[x]"
		}
	}
	return []string{sign, name, job.Rate(c.Price), widget.Line(c.Endpoint)}
}

// Keys are the bindings that matter now.
func (f *runForm) Keys() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.empty():
		return append(exitKeys(f), k.To("look again")...)
	case f.phase == differing:
		k.Start.SetHelp("enter", "do that")
		k.Fields.SetHelp("↑↓", "choose")
		return []key.Binding{k.Start, k.Fields, k.Back}
	case f.phase == confirming:
		return k.To("start it")
	}
	return k.Of(f.field())
}
