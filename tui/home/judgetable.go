package home

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// drawLines draw the jury, in the place of what is known of its run.
func (j *judgePicker) drawLines(width, height int) []string {
	t := j.m.theme
	r, _ := j.currentRun()
	out := []string{t.DrawSection("Judges", runTitle(r), true, width)}
	if !j.loaded {
		return append(out, t.Faint.Render("  loading the configuration…"))
	}
	below := j.drawRemarks(r, width)
	if len(j.choices.Models) == 0 {
		return append(out, below...)
	}
	out = append(out, widget.CutWidth("  "+j.describeMatter(r), width))
	room := height - len(out) - len(below)
	places, _ := j.pick.Matches()
	return append(append(out, j.drawTable(r, width, min(room, len(places)+1))...), below...)
}

// describeMatter describes what there is to judge.
func (j *judgePicker) describeMatter(r Row) string {
	c := r.Progress.Counts
	out := fmt.Sprintf("the rules cannot read %s of %s", widget.FormatCount(c.Unparsable()), widget.FormatPlural(c.Predictions-c.Failures, "answer"))
	if isGrowing(r) {
		out += ", and more arrive"
	}
	if f := j.pick.Filter(); f != "" {
		out += "  " + j.m.theme.Faint.Render("“"+widget.CutWidth(f, 8)+"”")
	}
	return out
}

func (j *judgePicker) drawTable(r Row, width, height int) []string {
	places, at := j.pick.Matches()
	cursor := widget.Cursor{}
	cursor.Set(at, len(places), height-1)
	return j.m.theme.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "has read", Width: 8, Right: true},
			{Title: "left", Width: 6, Right: true},
			{Title: "per million", Width: 15, Least: 56},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 90, Name: true},
		},
		Rows:    len(places),
		Row:     func(i int) []string { return j.makeCells(j.choices.Models[places[i]], r) },
		Cursor:  cursor,
		Focused: true,
	}, width, height)
}

func (j *judgePicker) makeCells(c ModelChoice, r Row) []string {
	name, sign := widget.CleanLine(c.Name), "[ ]"
	switch {
	case j.isAtWork(c.Name, r):
		sign = " ● "
	case slices.Contains(j.chosen, c.Name):
		sign = "[x]"
	case j.whyNot(c, r) != "":
		sign = " – "
	}
	if c.Why != "" {
		name = j.m.theme.Disabled.Render("✗ " + name)
	}
	p, _ := findJudge(r, c.Name)
	return []string{
		sign, name, widget.FormatCount(p.Counts.Judged), widget.FormatCount(countLeft(r, c.Name)), job.FormatPrice(c.Price), widget.CleanLine(c.Endpoint),
	}
}

// drawRemarks draws what the jury has to say: what went wrong, why the candidate under
// the cursor cannot be taken in, or what starting will do.
func (j *judgePicker) drawRemarks(r Row, width int) []string {
	t := j.m.theme
	style, text := t.Faint.Render, "space takes a judge in or out, enter starts"
	c, _ := j.currentCandidate()
	switch why := j.whyNot(c, r); {
	case j.calling:
		style, text = t.Accent.Render, "starting…"
	case j.trouble != "":
		style, text = t.Bad.Render, "✗ "+j.trouble
	case len(j.choices.Models) == 0 && j.choices.Trouble != "":
		style, text = t.Bad.Render, "✗ "+j.choices.Trouble
	case len(j.choices.Models) == 0:
		style, text = t.Warn.Render, "! no model is configured: concord config init writes a configuration to fill in"
	case c.Why != "":
		style, text = t.Bad.Render, "✗ "+c.Name+": "+why
	case len(j.chosen) > 0:
		style, text = t.Accent.Render, j.describeEffect(r)
	case j.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+j.choices.Trouble
	case why != "":
		text = c.Name + ": " + why
	}
	return form.WrapRemark(width, style, text)
}

// describeEffect describes what starting does.
func (j *judgePicker) describeEffect(r Row) string {
	calls, priced := 0, true
	for _, name := range j.chosen {
		calls += countLeft(r, name)
		for _, c := range j.choices.Models {
			priced = priced && (c.Name != name || c.Price.IsKnown())
		}
	}
	out := "enter starts: " + widget.FormatPlural(calls, "answer") + " to read"
	if len(j.chosen) > 1 {
		out = fmt.Sprintf("enter starts: %s to make, by %d judges", widget.FormatPlural(calls, "extraction"), len(j.chosen))
	}
	if isGrowing(r) {
		out += ", and what comes in; the run continues with them"
	}
	if !priced {
		out += "; not every price is known"
	}
	return out
}

// Bindings are the bindings that matter now.
func (j *judgePicker) Bindings() []key.Binding {
	k := j.m.formKeys
	if j.loaded && len(j.choices.Models) == 0 {
		return k.KeysToAnswer("look again")
	}
	k.Fields.SetHelp("↑↓", "choose")
	return []key.Binding{k.Toggle, k.Start, k.Fields, k.Filter, k.Back}
}
