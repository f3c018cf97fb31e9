package home

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// lines draw the jury, in the place of what is known of its run.
func (j *jury) lines(width, height int) []string {
	t := j.m.theme
	r, _ := j.row()
	out := []string{t.Section("Judges", title(r), true, width)}
	if !j.loaded {
		return append(out, t.Faint.Render("  loading the configuration…"))
	}
	below := j.says(r, width)
	if len(j.choices.Models) == 0 {
		return append(out, below...)
	}
	out = append(out, widget.Cut("  "+j.matter(r), width))
	room := height - len(out) - len(below)
	places, _ := j.pick.Matches()
	return append(append(out, j.table(r, width, min(room, len(places)+1))...), below...)
}

// matter is what there is to judge.
func (j *jury) matter(r Row) string {
	c := r.Progress.Counts
	out := fmt.Sprintf("the rules cannot read %s of %s", widget.Count(c.Unparsable()), widget.Plural(c.Predictions-c.Failures, "answer"))
	if grows(r) {
		out += ", and more arrive"
	}
	if f := j.pick.Filter(); f != "" {
		out += "  " + j.m.theme.Faint.Render("“"+widget.Cut(f, 8)+"”")
	}
	return out
}

func (j *jury) table(r Row, width, height int) []string {
	places, at := j.pick.Matches()
	cursor := widget.Cursor{}
	cursor.Set(at, len(places), height-1)
	return j.m.theme.Table(widget.Table{
		Columns: []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "has read", Width: 8, Right: true},
			{Title: "left", Width: 6, Right: true},
			{Title: "per million", Width: 15, Least: 56},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 90, Name: true},
		},
		Rows:    len(places),
		Row:     func(i int) []string { return j.cells(j.choices.Models[places[i]], r) },
		Cursor:  cursor,
		Focused: true,
	}, width, height)
}

func (j *jury) cells(c ModelChoice, r Row) []string {
	name, sign := widget.Line(c.Name), "[ ]"
	switch {
	case j.sits(c.Name, r):
		sign = " ● "
	case slices.Contains(j.chosen, c.Name):
		sign = "[x]"
	case j.whyNot(c, r) != "":
		sign = " – "
	}
	if c.Why != "" {
		name = j.m.theme.Disabled.Render("✗ " + name)
	}
	p, _ := judgeOf(r, c.Name)
	return []string{
		sign, name, widget.Count(p.Counts.Judged), widget.Count(left(r, c.Name)), job.Rate(c.Price), widget.Line(c.Endpoint),
	}
}

// says is what the jury has to say: what went wrong, why the candidate under
// the cursor cannot be taken in, or what starting will do.
func (j *jury) says(r Row, width int) []string {
	t := j.m.theme
	style, text := t.Faint.Render, "space takes a judge in or out, enter starts"
	c, _ := j.choice()
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
		style, text = t.Accent.Render, j.effect(r)
	case j.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+j.choices.Trouble
	case why != "":
		text = c.Name + ": " + why
	}
	return form.Remark(width, style, text)
}

// effect is what starting does.
func (j *jury) effect(r Row) string {
	calls, priced := 0, true
	for _, name := range j.chosen {
		calls += left(r, name)
		for _, c := range j.choices.Models {
			priced = priced && (c.Name != name || c.Price.Known())
		}
	}
	out := "enter starts: " + widget.Plural(calls, "answer") + " to read"
	if len(j.chosen) > 1 {
		out = fmt.Sprintf("enter starts: %s to make, by %d judges", widget.Plural(calls, "extraction"), len(j.chosen))
	}
	if grows(r) {
		out += ", and what comes in; the run continues with them"
	}
	if !priced {
		out += "; not every price is known"
	}
	return out
}

// Keys are the bindings that matter now.
func (j *jury) Keys() []key.Binding {
	k := j.m.formKeys
	if j.loaded && len(j.choices.Models) == 0 {
		return k.To("look again")
	}
	k.Fields.SetHelp("↑↓", "choose")
	return []key.Binding{k.Toggle, k.Start, k.Fields, k.Filter, k.Back}
}
