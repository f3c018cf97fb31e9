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

// formEntries is what stands in the fields of the form, and what they can be given.
type formEntries struct {
	theme *widget.Theme
	*keymap.Spelling
	choices                      Choices
	dataset, model, anchor       form.NamePick
	models                       []string // those chosen, in their order
	judge                        form.NamePick
	criteria                     bool
	input, order                 int // places in inputs and orders
	repeats, concurrency, budget form.NumberField
	lastDataset                  string // that models and anchor were chosen for
}

// formFields are the lines of the form as they stand.
func (e *formEntries) formFields() []form.Field {
	budget := "cost at which it pauses"
	if e.budget.Value() == 0 {
		budget = "never pauses"
	}
	d, ok := e.chosenDataset()
	bare := ""
	if ok {
		bare = d.Why
	}
	return []form.Field{
		{Label: "dataset", Pick: &e.dataset, Then: e.deriveSettings},
		{Label: "models", Pick: &e.model, Taken: &e.models, Off: bare},
		{Label: "anchor", Pick: &e.anchor, Then: e.deriveSettings, Off: bare},
		{Label: "judge", Pick: &e.judge, Then: e.deriveSettings},
		{Label: "criteria", On: &e.criteria, Off: e.whyNoCriteria(), Note: widget.FormatPlural(d.Criteria, "sample") + " with some"},
		{Label: "judge sees", Names: offeredInputNames(), Drawn: e.inputChoices(), At: &e.input},
		{Label: "order", Names: orders[:], At: &e.order},
		{Label: "repeats", Figure: &e.repeats, Note: "times all is asked"},
		{Label: "concurrency", Figure: &e.concurrency, Note: "votes"},
		{Label: "budget", Figure: &e.budget, Note: budget},
	}
}

// editField changes the field under the cursor.
func (e *formEntries) editField(f *form.Field, msg tea.KeyMsg) tea.Cmd {
	if f.At == &e.input {
		return e.chooseInput(msg)
	}
	f.HandleKey(msg)
	return nil
}

// chooseInput chooses what the judge sees. What is not held is passed over by arrows,
// and refused by its letter.
func (e *formEntries) chooseInput(msg tea.KeyMsg) tea.Cmd {
	for range offeredInputs {
		was := e.input
		if !form.TurnChoice(&e.input, offeredInputNames(), msg) {
			return nil
		}
		why := e.whyUnseen(e.input)
		if why == "" {
			return nil
		}
		if msg.Type == tea.KeyRunes {
			e.input = was
			return widget.NotifyCmd(widget.Info, why)
		}
	}
	return nil
}

// inputChoices names what the judge may be shown; what is not held is struck out, and the
// line below the form says why.
func (e *formEntries) inputChoices() []string {
	names := offeredInputNames()
	for i := range names {
		if e.whyUnseen(i) != "" {
			names[i] = e.theme.Disabled.Render("✗" + names[i])
		}
	}
	return names
}

// describeUnseen says why something cannot be shown to the judge.
func (e *formEntries) describeUnseen() string {
	var out []string
	for i := range offeredInputs {
		if why := e.whyUnseen(i); why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

// listCandidates lists what a field can be.
func (e *formEntries) listCandidates(f *form.Field, places []int) widget.Table {
	switch d, _ := e.chosenDataset(); f.Pick {
	case &e.dataset:
		return widget.Table{Columns: []widget.Column{
			{Title: "dataset", Width: 14, Grow: 1, Name: true},
			{Title: "samples", Width: 7, Right: true},
			{Title: "models", Width: 6, Right: true},
			{Title: "criteria", Width: 8, Right: true, Least: 52},
		}, Row: func(i int) []string { return e.makeDatasetCells(e.choices.Datasets[places[i]]) }}
	case &e.judge:
		return widget.Table{Columns: []widget.Column{
			{Title: "judge", Width: 14, Grow: 1, Name: true},
			{Title: "per million", Width: 15, Least: 44},
			{Title: "endpoint", Width: 24, Grow: 1, Least: 76, Name: true},
		}, Row: func(i int) []string { return e.makeJudgeCells(e.choices.Judges[places[i]]) }}
	default:
		return widget.Table{Columns: []widget.Column{
			{Title: "", Width: 3},
			{Title: "model", Width: 14, Grow: 1, Name: true},
			{Title: "answers", Width: 7, Right: true},
		}, Row: func(i int) []string {
			m := d.Models[places[i]]
			return []string{f.CheckMark(m.Name), widget.CleanLine(m.Name), widget.FormatCount(m.Answers)}
		}}
	}
}

func (e *formEntries) makeDatasetCells(c DatasetChoice) []string {
	name := widget.CleanLine(string(c.Name))
	if c.Why != "" {
		name = e.theme.Disabled.Render("✗ " + name)
	}
	return []string{name, widget.FormatCount(c.Samples), widget.FormatCount(len(c.Models)), widget.FormatCount(c.Criteria)}
}

func (e *formEntries) makeJudgeCells(c JudgeChoice) []string {
	name := widget.CleanLine(c.Name)
	if c.Why != "" {
		name = e.theme.Disabled.Render("✗ " + name + ": " + widget.CleanLine(c.Why))
	}
	return []string{name, job.FormatPrice(c.Price), widget.CleanLine(c.Endpoint)}
}
