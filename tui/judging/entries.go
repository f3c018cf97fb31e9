package judging

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// entries is what stands in the fields of the form, and what they can be given.
type entries struct {
	theme *widget.Theme
	*keymap.Spelling
	choices                      Choices
	at                           int
	dataset, model, anchor       form.Pick
	models                       []string // those chosen, in their order
	judge                        form.Pick
	criteria                     bool
	input, order                 int // places in inputs and orders
	repeats, concurrency, budget form.Figure
	lastDataset                  string // that models and anchor were chosen for
}

// fields are the lines of the form as they stand.
func (e *entries) fields() []form.Field {
	budget := "cost at which it pauses"
	if e.budget.Value() == 0 {
		budget = "never pauses"
	}
	d, ok := e.datasetChoice()
	bare := ""
	if ok {
		bare = d.Why
	}
	return []form.Field{
		{Label: "dataset", Pick: &e.dataset, Then: e.derive},
		{Label: "models", Pick: &e.model, Taken: &e.models, Off: bare},
		{Label: "anchor", Pick: &e.anchor, Then: e.derive, Off: bare},
		{Label: "judge", Pick: &e.judge, Then: e.derive},
		{Label: "criteria", On: &e.criteria, Off: e.noCriteria(), Note: widget.Plural(d.Criteria, "sample") + " with some"},
		{Label: "judge sees", Names: inputNames(), Drawn: e.sees(), At: &e.input},
		{Label: "order", Names: orders[:], At: &e.order},
		{Label: "repeats", Figure: &e.repeats, Note: "times all is asked"},
		{Label: "concurrency", Figure: &e.concurrency, Note: "votes"},
		{Label: "budget", Figure: &e.budget, Note: budget},
	}
}

// field is the one that keys go to.
func (e *entries) field() *form.Field { return &e.fields()[e.at] }

func (e *entries) goTo(at int) {
	e.field().Leave()
	e.at = at
}

// edit changes the field under the cursor.
func (e *entries) edit(f *form.Field, msg tea.KeyMsg) tea.Cmd {
	if f.At == &e.input {
		return e.look(msg)
	}
	f.Press(msg)
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
			return widget.Tell(widget.Info, why)
		}
	}
	return nil
}

// sees names what the judge may be shown; what is not held is struck out, and the
// line below the form says why.
func (e *entries) sees() []string {
	names := inputNames()
	for i := range names {
		if e.unseen(i) != "" {
			names[i] = e.theme.Disabled.Render("✗" + names[i])
		}
	}
	return names
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
	p := e.field().Pick
	if p == nil || height < 3 {
		return nil
	}
	places, at := p.Matches()
	cursor := widget.Cursor{}
	cursor.Set(at, len(places), height-2)
	table := widget.Table{Rows: len(places), Cursor: cursor}
	d, _ := e.datasetChoice()
	switch p {
	case &e.dataset:
		table.Columns = []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1, Name: true},
			{Title: "samples", Width: 7, Right: true},
			{Title: "models", Width: 6, Right: true},
			{Title: "criteria", Width: 8, Right: true, Least: 52},
		}
		table.Row = func(i int) []string { return e.datasetCells(e.choices.Datasets[places[i]]) }
	case &e.judge:
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
	case e.field().Taken != nil && slices.Contains(e.models, c.Name):
		sign = "[x]"
	case e.field().Taken != nil:
		sign = "[ ]"
	}
	return []string{sign, widget.Line(c.Name), widget.Count(c.Answers)}
}

func (e *entries) judgeCells(c JudgeChoice) []string {
	name := widget.Line(c.Name)
	if c.Why != "" {
		name = e.theme.Disabled.Render("✗ " + name + ": " + widget.Line(c.Why))
	}
	return []string{name, job.Rate(c.Price), widget.Line(c.Endpoint)}
}
