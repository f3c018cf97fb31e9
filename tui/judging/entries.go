package judging

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// entries is what stands in the fields of the form, and what they can be given.
type entries struct {
	theme *widget.Theme
	*keymap.Spelling
	choices                      Choices
	at                           field
	dataset, model, anchor       form.Pick
	models                       []string // those chosen, in their order
	judge                        form.Pick
	criteria                     bool
	input, order                 int // places in inputs and orders
	repeats, concurrency, budget form.Figure
	lastDataset                  string // that models and anchor were chosen for
}

// pick is the field's list of names; nil when it has none.
func (e *entries) pick() *form.Pick {
	switch e.at {
	case fieldDataset:
		return &e.dataset
	case fieldModels:
		return &e.model
	case fieldAnchor:
		return &e.anchor
	case fieldJudge:
		return &e.judge
	default:
		return nil
	}
}

// figure is the field's number; nil when it has none.
func (e *entries) figure() *form.Figure {
	switch e.at {
	case fieldRepeats:
		return &e.repeats
	case fieldConcurrency:
		return &e.concurrency
	case fieldBudget:
		return &e.budget
	default:
		return nil
	}
}

func (e *entries) goTo(at field) {
	if p := e.pick(); p != nil {
		p.Clear()
	}
	if n := e.figure(); n != nil {
		n.Leave()
	}
	e.at = at % fieldCount
}

// edit changes the field under the cursor.
func (e *entries) edit(msg tea.KeyMsg) tea.Cmd {
	switch e.at {
	case fieldCriteria:
		if msg.Type == tea.KeySpace || msg.Type == tea.KeyLeft || msg.Type == tea.KeyRight {
			e.criteria = !e.criteria
		}
	case fieldInput:
		return e.look(msg)
	case fieldOrder:
		form.Turn(&e.order, orders[:], msg)
	case fieldModels:
		if msg.Type == tea.KeySpace {
			e.models = form.Toggle(e.models, e.model.Value())
			e.model.Clear()
			return nil
		}
		e.model.Press(msg)
	default:
		if p := e.pick(); p != nil {
			p.Press(msg)
			e.derive()
		}
		if n := e.figure(); n != nil {
			n.Press(msg)
		}
	}
	return nil
}

// look chooses what the judge sees. What is not held is passed over by arrows,
// and refused by its letter.
func (e *entries) look(msg tea.KeyMsg) tea.Cmd {
	for range inputs {
		was := e.input
		if !form.Turn(&e.input, inputNames(), msg) {
			return nil
		}
		why := e.unseen(e.input)
		if why == "" {
			return nil
		}
		if msg.Type == tea.KeyRunes {
			e.input = was
			return notify(widget.Info, why)
		}
	}
	return nil
}

// fields draw the lines of the form.
func (e *entries) fields(width int) []string {
	out := make([]string, fieldCount)
	for i := range out {
		at := field(i)
		here := at == e.at
		out[i] = form.Entry(e.theme, fieldNames[at], e.off(at), here, width, func(width int) string { return e.value(at, here, width) })
	}
	return out
}

// value draws what a field holds, in about width cells.
func (e *entries) value(at field, here bool, width int) string {
	t := e.theme
	switch at {
	case fieldDataset:
		return form.Picked(t, &e.dataset, here, width)
	case fieldModels:
		return form.PickedMany(t, &e.model, e.models, here, width)
	case fieldAnchor:
		return form.Picked(t, &e.anchor, here, width)
	case fieldJudge:
		return form.Picked(t, &e.judge, here, width)
	case fieldCriteria:
		d, _ := e.datasetChoice()
		return form.Box(t, e.criteria, here) + t.Faint.Render(" "+widget.Plural(d.Criteria, "sample")+" with some")
	case fieldInput:
		return e.sees(here)
	case fieldOrder:
		return form.Segments(t, orders[:], e.order, here)
	case fieldRepeats:
		return form.Number(t, &e.repeats, here, "times all is asked")
	case fieldConcurrency:
		return form.Number(t, &e.concurrency, here, "votes")
	case fieldBudget:
		if e.budget.Value() == 0 {
			return form.Number(t, &e.budget, here, "never pauses")
		}
		return form.Number(t, &e.budget, here, "cost at which it pauses")
	case fieldCount:
	}
	return ""
}

// sees draws what the judge may be shown; what is not held is struck out, and
// the line below the form says why.
func (e *entries) sees(here bool) string {
	names := inputNames()
	for i := range names {
		if e.unseen(i) != "" {
			names[i] = e.theme.Disabled.Render("✗" + names[i])
		}
	}
	return form.Segments(e.theme, names, e.input, here)
}

// unseenNote says why something cannot be shown to the judge.
func (e *entries) unseenNote() string {
	var out []string
	for i := range inputs {
		if why := e.unseen(i); why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

// candidates list what the field under the cursor can be.
func (e *entries) candidates(width, height int) []string {
	p := e.pick()
	if p == nil || height < 3 {
		return nil
	}
	places, at := p.Matches()
	cursor := widget.Cursor{}
	cursor.Set(at, len(places), height-2)
	table := widget.Table{Rows: len(places), Cursor: cursor}
	d, _ := e.datasetChoice()
	switch e.at {
	case fieldDataset:
		table.Columns = []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1, Name: true},
			{Title: "samples", Width: 7, Right: true},
			{Title: "models", Width: 6, Right: true},
			{Title: "criteria", Width: 8, Right: true, Least: 52},
		}
		table.Row = func(i int) []string { return e.datasetCells(e.choices.Datasets[places[i]]) }
	case fieldJudge:
		table.Columns = []widget.Column{
			{Title: "judge", Width: 14, Grow: 1, Name: true},
			{Title: "per million", Width: 15, Least: 44},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 76, Name: true},
		}
		table.Row = func(i int) []string { return e.judgeCells(e.choices.Judges[places[i]]) }
	default:
		table.Columns = []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "answers", Width: 7, Right: true},
		}
		table.Row = func(i int) []string { return e.modelCells(d.Models[places[i]]) }
	}
	return append([]string{""}, e.theme.Table(table, width, height-1)...)
}

func (e *entries) datasetCells(c DatasetChoice) []string {
	name := widget.Line(string(c.Name))
	if c.Why != "" {
		name = e.theme.Disabled.Render("✗ " + name)
	}
	return []string{name, widget.Count(c.Samples), widget.Count(len(c.Models)), widget.Count(c.Criteria)}
}

func (e *entries) modelCells(c ModelChoice) []string {
	sign := ""
	switch {
	case e.at == fieldModels && slices.Contains(e.models, c.Name):
		sign = "[x]"
	case e.at == fieldModels:
		sign = "[ ]"
	}
	return []string{sign, widget.Line(c.Name), widget.Count(c.Answers)}
}

func (e *entries) judgeCells(c JudgeChoice) []string {
	name := widget.Line(c.Name)
	if c.Why != "" {
		name = e.theme.Disabled.Render("✗ " + name + ": " + widget.Line(c.Why))
	}
	return []string{name, rate(c.Price), widget.Line(c.Endpoint)}
}
