package home

import (
	"cmp"
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/job"
	"concord/tui/widget"
)

// runForm is where a run is put together. It stays as it is when it is left, and
// is there again when the next run is wanted.
//
//	key --> field --> form.EstimateUpdater --(rest)--> Scheduler.Estimate
//	enter --> why not? --> estimate --> differences? --> what it costs --> Scheduler.Start
type runForm struct {
	form.JobForm[Spec, Estimate]
	m       *runComposer
	choices Choices

	dataset, model, judge      form.NamePick
	of                         eval.DatasetName // to be chosen once it is known
	judges                     []string         // those chosen, in their order
	strategy, modality         int              // places in strategies and given
	chosen                     bool             // somebody chose the strategy or the modality
	allPasses, fallback        bool
	shots, concurrency, budget form.NumberField
	fresh                      bool          // a new run although there is one
	resume                     eval.RunID    // the one to go on with
	fork                       widget.Cursor // of the ways out of a difference
	lastDataset                string        // that strategy and modality were derived from
}

// startedRun is what came of starting a run.
type startedRun struct {
	of  *runForm
	run eval.RunID
	err error
}

// openForm shows the form, with what was put into it before.
func (m *runComposer) openForm() tea.Cmd {
	if m.Scheduler == nil {
		return widget.NotifyCmd(widget.Info, noStarter)
	}
	if m.form = m.draft; m.form == nil {
		f := &runForm{m: m, budget: form.NumberField{Decimal: true}, concurrency: form.NumberField{Most: 1024}, shots: form.NumberField{Most: 64}}
		f.EstimateUpdater = form.EstimateUpdater[Spec, Estimate]{Ctx: m.ctx, Spec: f.currentSpec, WhyNot: f.whyNotStart, Estimate: m.Scheduler.Estimate}
		f.Read, f.Empty, f.Start = f.readChoices, f.isEmpty, f.startOrExplain
		f.Fields, f.Forget = f.formFields, func() { f.fork, f.fresh, f.resume = widget.Cursor{}, false, 0 }
		m.form, m.draft = f, f
	}
	return m.form.readChoices()
}

func (m *runComposer) openFormFor(d eval.DatasetName) tea.Cmd {
	cmd := m.openForm()
	if m.form != nil {
		m.form.of = d
		m.form.choosePendingDataset()
	}
	return cmd
}

func (f *runForm) choosePendingDataset() {
	if f.dataset.Choose(string(f.of)) {
		f.of = ""
	}
}

func (m *runComposer) closeForm() {
	m.form.Reset()
	m.form = nil
}

// readChoices reads the choices, which may have changed since the form was left.
func (f *runForm) readChoices() tea.Cmd {
	ctx, scheduler := f.m.ctx, f.m.Scheduler
	return func() tea.Msg {
		c, err := scheduler.FormChoices(ctx)
		return outcome(func() tea.Cmd { return f.handleChoicesRead(c, err) })
	}
}

func (f *runForm) handleChoicesRead(c Choices, err error) tea.Cmd {
	first := !f.Loaded || f.choices.Trouble != ""
	return f.FillChoices(err, func() {
		f.choices = c
		models := eval.Map(f.choices.Models, func(m job.ModelChoice) string { return m.Name })
		f.dataset.SetNames(eval.Map(f.choices.Datasets, func(d DatasetChoice) string { return string(d.Name) }))
		f.model.SetNames(models)
		f.judge.SetNames(models)
		if first {
			f.fillDefaults()
		}
		f.choosePendingDataset()
		f.suggestSettings()
	})
}

func (f *runForm) isEmpty() bool {
	return !f.Loaded || len(f.choices.Datasets) == 0 || len(f.choices.Models) == 0
}

// startOrExplain starts the run, unless something is to be said before.
func (f *runForm) startOrExplain() tea.Cmd {
	f.Entered = false
	e := &f.Latest
	switch {
	case f.Err != nil:
		return widget.NotifyCmd(widget.Info, f.Err.Error())
	case e.Existing != nil && !e.Existing.Same && !f.fresh && f.resume == 0:
		f.Phase = form.Differing
		return nil
	case e.isNone():
		return f.notifyNothing()
	case f.Phase != form.Confirming && (e.CostHigh > 0 || !e.Priced):
		f.Phase = form.Confirming
		return nil
	}
	f.Phase = form.Starting
	ctx, scheduler, spec := f.m.ctx, f.m.Scheduler, f.currentSpec()
	return func() tea.Msg {
		run, err := scheduler.Start(ctx, spec)
		return startedRun{f, run, err}
	}
}

// notifyNothing says that there is nothing to start. The form is again what it was
// before somebody chose to go on with another run.
func (f *runForm) notifyNothing() tea.Cmd {
	const nothing = "nothing is left to ask: there are answers to all of it"
	if f.resume == 0 {
		return widget.NotifyCmd(widget.Info, nothing)
	}
	text := fmt.Sprintf("run %d: %s", f.resume, nothing)
	f.Reset()
	return tea.Batch(widget.NotifyCmd(widget.Info, text), f.EstimateNow())
}

// runComposer puts runs together.
type runComposer struct {
	*projectBoard
	form  *runForm // nil: no run is being put together
	draft *runForm // one that was left, with what was put into it
}

// formFields are the lines of the form as they stand.
func (f *runForm) formFields() []form.Field {
	budget := eval.Either(f.budget.Value() == 0, "never pauses", "cost at which it pauses")
	choose := func() { f.chosen = true }
	return []form.Field{
		{Label: "dataset", Pick: &f.dataset, Then: f.suggestSettings},
		{Label: "model", Pick: &f.model, Then: f.suggestSettings},
		{Label: "given", Names: namesOf(given[:]), At: &f.modality, Then: choose},
		{Label: "strategy", Names: namesOf(strategies[:]), At: &f.strategy, Then: choose},
		{Label: "all passes", On: &f.allPasses, Off: f.whyNoAllPasses(), Note: "after a wrong one, too"},
		{Label: "shots", Figure: &f.shots, Off: f.whyNoShots(), Note: "worked examples"},
		{Label: "judges", Pick: &f.judge, Taken: &f.judges},
		{Label: "fallback", On: &f.fallback, Off: f.whyNoFallback(), Note: "draw what no judge reads"},
		{Label: "concurrency", Figure: &f.concurrency, Note: "questions"},
		{Label: "budget", Figure: &f.budget, Note: budget},
	}
}

func (f *runForm) handleKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case f.isEmpty() && f.Phase != form.Starting && !key.Matches(msg, f.m.formKeys.Start):
		return handleKeyWithoutChoices(f, msg)
	case f.Phase == form.Differing && !f.isEmpty():
		return handleForkKey(f, msg)
	}
	return f.HandleKey(&f.m.formKeys, msg)
}

// exitKeys are what leads on from a form that has nothing to make a run of.
func exitKeys(f *runForm) []key.Binding {
	if !f.Loaded || f.choices.Trouble != "" {
		return nil
	}
	var out []key.Binding
	if len(f.choices.Models) == 0 {
		out = append(out, widget.NewBinding("m", "connect a model", "m"))
	}
	if len(f.choices.Datasets) == 0 && f.m.Import {
		out = append(out, widget.NewBinding("i", "import a file", "i"))
	}
	return out
}

// handleKeyWithoutChoices takes a key where nothing can be typed yet.
func handleKeyWithoutChoices(f *runForm, msg tea.KeyMsg) tea.Cmd {
	for _, b := range exitKeys(f) {
		switch {
		case !key.Matches(msg, b):
		case msg.String() == "m":
			return widget.SendCmd(OpenConnect{})
		default:
			f.m.closeForm()
			return widget.SendCmd(OpenImport{})
		}
	}
	return nil
}

// listWaysOut lists what can be done about a run that has other settings, by the row of the cursor.
func listWaysOut(f *runForm) [3]string {
	id := f.Latest.Existing.Run
	return [...]string{
		fmt.Sprintf("continue run %d under its own settings", id),
		"start a new run with these settings",
		"back to the form",
	}
}

func handleForkKey(f *runForm, msg tea.KeyMsg) tea.Cmd {
	n := len(listWaysOut(f))
	switch msg.String() {
	case "up", "k":
		f.fork.MoveBy(-1, n, n)
	case "down", "j":
		f.fork.MoveBy(1, n, n)
	case "1", "2", "3":
		f.fork.MoveTo(int(msg.String()[0]-'1'), n, n)
		return takeForkWay(f)
	case "enter":
		return takeForkWay(f)
	}
	return nil
}

// takeForkWay takes the way under the cursor. The run to be is another one then, at another cost.
func takeForkWay(f *runForm) tea.Cmd {
	at, run := f.fork.At, f.Latest.Existing.Run
	f.Reset()
	switch at {
	case 0:
		f.resume = run
	case 1:
		f.fresh = true
	default:
		return nil
	}
	f.Entered = true
	return f.EstimateNow()
}

// drawExistingRunChoice draw the differences and the ways out.
func drawExistingRunChoice(f *runForm, width, height int) []string {
	t, x := f.m.theme, f.Latest.Existing
	out := []string{
		t.DrawSection("Other settings", fmt.Sprintf("run %d is of the same dataset, model, strategy and modality", x.Run), true, width), "",
	}
	ways := listWaysOut(f)
	room := max(2, height-len(out)-len(ways)-2)
	out = append(out, t.DrawTable(widget.Table{
		Columns: []widget.Column{
			{Title: "setting", Width: 14, Grow: 1, Name: true},
			{Title: fmt.Sprintf("run %d", x.Run), Width: 16, Grow: 2, Name: true},
			{Title: "now", Width: 16, Grow: 2, Name: true},
		},
		Rows: len(x.Differences),
		Row: func(i int) []string {
			d := x.Differences[i]
			return []string{job.CleanHeadOfText(d.Field), textOrAbsent(job.CleanHeadOfText(d.Was)), textOrAbsent(job.CleanHeadOfText(d.Is))}
		},
		Cursor: widget.Cursor{At: -1},
		Empty:  "Its settings differ in what is not shown.",
	}, width, min(room, max(2, len(x.Differences)+1)))...)
	more := len(x.Differences) - room + 1
	out = append(out, eval.Either(more > 0, t.Faint.Render(fmt.Sprintf("  and %d more", more)), ""))
	for i, w := range ways {
		out = append(out, t.DrawRow(t.Key.Render(fmt.Sprint(i+1))+" "+w, i == f.fork.At, true, width))
	}
	return out
}

func textOrAbsent(s string) string { return cmp.Or(s, "–") }
