package judging

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/keymap"
	"concord/tui/widget"
)

// voteForm is where a judging is put together. It stays as it is when it is left,
// and is there again when the next one is wanted.
//
//	key --> field --> form.EstimateUpdater --(rest)--> Scheduler.Estimate
//	enter --> why not? --> estimate --> what it costs --> Scheduler.Start
type voteForm struct {
	m     *Model
	theme *widget.Theme
	*keymap.Spelling
	form.JobForm[Spec, Estimate]
	like job.ID // the job that it is filled in after; "" when it has been
	in   *formEntries
}

// noStarter says why nothing can be started.
const noStarter = "judges cannot be asked here: the project is open read-only, or without its endpoints"

// showForm shows the form, with what was put into it before, or as a job is.
func (m *Model) showForm(like job.ID) {
	if m.form = m.draft; m.form == nil {
		m.form = &voteForm{
			m: m, theme: m.theme, Spelling: &m.Spelling,
			in: &formEntries{theme: m.theme, Spelling: &m.Spelling, budget: form.NumberField{Decimal: true}, concurrency: form.NumberField{Most: 1024}, repeats: form.NumberField{Most: 100}},
		}
		f := m.form
		f.EstimateUpdater = form.EstimateUpdater[Spec, Estimate]{Ctx: m.ctx, Spec: f.in.currentSpec, WhyNot: f.in.whyNotStart}
		f.Read, f.Empty, f.Start = f.readChoices, f.isEmpty, f.startVoting
		f.Fields, f.Edit = f.in.formFields, f.in.editField
		m.draft = f
	}
	m.form.like = like
}

// readChoices reads the choices, which may have changed since the form was left.
func (f *voteForm) readChoices() tea.Cmd {
	ctx, scheduler, source, like := f.m.ctx, f.m.Scheduler, f.m.Source, f.like
	if scheduler == nil {
		f.Trouble = noStarter
		return nil
	}
	f.Estimate = scheduler.Estimate
	return func() tea.Msg {
		c, err := scheduler.FormChoices(ctx)
		var rows []job.Row
		if like != "" && err == nil && source != nil {
			rows, err = source.ListJobs(ctx)
		}
		found, _ := eval.FirstWanted(rows, func(r job.Row) bool { return r.ID == like })
		return outcome(func() tea.Cmd { return f.handleChoicesRead(c, &found, err) })
	}
}

// handleChoicesRead takes the choices that were read, with the job that the form is to be like, if any.
func (f *voteForm) handleChoicesRead(c Choices, like *job.Row, err error) tea.Cmd {
	first := !f.Loaded || f.in.choices.Trouble != ""
	return f.FillChoices(err, func() {
		f.in.choices = c
		f.in.dataset.SetNames(eval.Map(f.in.choices.Datasets, func(d DatasetChoice) string { return string(d.Name) }))
		f.in.judge.SetNames(eval.Map(f.in.choices.Judges, func(j job.ModelChoice) string { return j.Name }))
		if first {
			f.in.fillDefaults()
		}
		f.in.updateModelsOfDataset()
		if like.ID != "" {
			f.in.fillFromJob(like)
		}
		f.like = ""
	})
}

// isEmpty reports whether there is nothing to make a judging of.
func (f *voteForm) isEmpty() bool {
	return !f.Loaded || len(f.in.choices.Datasets) == 0 || len(f.in.choices.Judges) == 0
}

// startVoting begins, unless something is to be said before.
func (f *voteForm) startVoting() tea.Cmd {
	f.Entered = false
	e := &f.Latest
	switch {
	case f.Err != nil:
		return widget.NotifyCmd(widget.Info, f.Err.Error())
	case e.Live: // its budget is raised, and it goes on
	case e.Calls == 0:
		return widget.NotifyCmd(widget.Info, "nothing is left to ask: every vote that can be asked for is there")
	case f.Phase != form.Confirming:
		f.Phase = form.Confirming
		return nil
	}
	f.Phase = form.Starting
	ctx, scheduler, spec := f.m.ctx, f.m.Scheduler, f.in.currentSpec()
	return func() tea.Msg {
		id, err := scheduler.Start(ctx, spec)
		return outcome(func() tea.Cmd { return f.handleStarted(id, err) })
	}
}

// handleStarted leaves the form for the list; when nothing could be begun, the form says why.
func (f *voteForm) handleStarted(id job.ID, err error) tea.Cmd {
	if failed := f.HandleStarted("judge run", err); failed != nil {
		return failed
	}
	if f.m.form == f {
		f.m.form = nil
	}
	return tea.Batch(widget.NotifyCmd(widget.Info, "votes of "+f.in.judge.Value()+": at work"), widget.SendCmd(Started{id}))
}

func (f *voteForm) drawForm(width, height int) []string {
	t := f.theme
	head := t.DrawSection("Judge pairs", "", true, width)
	switch {
	case !f.Loaded && f.Trouble == "":
		return []string{head, "", t.Faint.Render("  loading the project and the configuration…")}
	case f.isEmpty():
		return append([]string{head, ""}, f.drawWhyEmpty(width)...)
	}
	fields := func(width int) []string {
		return append(form.DrawFields(t, f.in.formFields(), f.At, width), f.drawRemarks(width)...)
	}
	estimate := func(width int) []string {
		return f.DrawEstimate(t, width, "none: the judge run cannot be", func(s *widget.Sheet) {
			e := &f.Latest
			drawCallEstimate(s, e, f.Spelling)
			drawWarnings(s, f, e)
			if e.Calls > 0 {
				s.AddAssumptions(e.Assumed)
			}
		})
	}
	return form.DrawForm(t, head, width, height, fields, estimate, func(width, height int) []string { return f.DrawCandidates(t, width, height, f.in.listCandidates) })
}

// drawWhyEmpty says what to do before a judging can be put together.
func (f *voteForm) drawWhyEmpty(width int) []string {
	d := form.BlankDrawer{Theme: f.theme, Width: width}
	d.AddTroubles(f.Trouble, f.in.choices.Trouble)
	if f.Loaded && f.in.choices.Trouble == "" && len(f.in.choices.Judges) == 0 {
		d.AddText("No model is known that could judge: esc goes back to the runs, where m connects one.")
	}
	if f.Loaded && f.in.choices.Trouble == "" && len(f.in.choices.Datasets) == 0 {
		d.AddText("No dataset is in this project: esc goes back to the runs, where i imports one.")
	}
	d.Out = append(d.Out, "")
	return d.AddKeyAndFinish("enter", "looks again")
}

func (f *voteForm) drawRemarks(width int) []string {
	e, hint := &f.Latest, ""
	calls := "This makes " + widget.FormatPlural(e.Calls, "call")
	cost := eval.Either(e.Priced, calls+" and costs "+formatEstimatedCost(e)+".", calls+" at a price that is not known.")
	switch f.CurrentField().At {
	case &f.in.input:
		hint = f.in.describeMissingInputs()
	case &f.in.order:
		hint = "both asks each pair twice, with the answers swapped; shuffled asks once, the order drawn"
	}
	return f.DrawRemark(f.theme, width, cost, hint, f.in.choices.Trouble)
}

// Bindings are the bindings that matter now.
func (f *voteForm) Bindings() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.isEmpty():
		return k.KeysToAnswer("look again")
	case f.Phase == form.Confirming:
		return k.KeysToAnswer("start it")
	}
	return k.KeysOfField(f.CurrentField())
}

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
	budget := eval.Either(e.budget.Value() == 0, "never pauses", "cost at which it pauses")
	d, ok := e.chosenDataset()
	bare := eval.Either(ok, d.Why, "")
	return []form.Field{
		{Label: "dataset", Pick: &e.dataset, Then: e.updateModelsOfDataset},
		{Label: "models", Pick: &e.model, Taken: &e.models, Off: bare},
		{Label: "anchor", Pick: &e.anchor, Then: e.updateModelsOfDataset, Off: bare},
		{Label: "judge", Pick: &e.judge, Then: e.updateModelsOfDataset},
		{Label: "criteria", On: &e.criteria, Off: e.whyNoCriteria(), Note: widget.FormatPlural(d.Criteria, "sample") + " with some"},
		{Label: "judge sees", Names: offeredInputNames(), Drawn: e.markedInputNames(), At: &e.input},
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

// chooseInput chooses what the judge sees. Arrows pass over what is not held, and its letter refuses it.
func (e *formEntries) chooseInput(msg tea.KeyMsg) tea.Cmd {
	for range offeredInputs {
		was := e.input
		if !form.StepChoice(&e.input, offeredInputNames(), msg) {
			return nil
		}
		why := e.whyInputMissing(e.input)
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

// markedInputNames names what the judge may be shown; what is not held is struck out, and the
// line below the form says why.
func (e *formEntries) markedInputNames() []string {
	names := offeredInputNames()
	for i := range names {
		if e.whyInputMissing(i) != "" {
			names[i] = e.theme.Disabled.Render("⊘" + names[i])
		}
	}
	return names
}

// describeMissingInputs says why something cannot be shown to the judge.
func (e *formEntries) describeMissingInputs() string {
	var out []string
	for i := range offeredInputs {
		if why := e.whyInputMissing(i); why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; ")
}

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
	name := form.DrawChoice(e.theme, string(c.Name), c.Why, false)
	return []string{name, widget.FormatCount(c.Samples), widget.FormatCount(len(c.Models)), widget.FormatCount(c.Criteria)}
}

func (e *formEntries) makeJudgeCells(c job.ModelChoice) []string {
	name := form.DrawChoice(e.theme, c.Name, c.Why, true)
	return []string{name, job.FormatPrice(c.Price), widget.CleanLine(c.Endpoint)}
}
