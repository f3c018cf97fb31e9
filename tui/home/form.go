package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/form"
	"concord/tui/widget"
)

// runForm is where a run is put together. It stays as it is when it is left, and
// is there again when the next run is wanted.
//
//	key --> field --> form.EstimateUpdater --(rest)--> Scheduler.Estimate
//	enter --> why not? --> estimate --> differences? --> what it costs --> Scheduler.Start
type runForm struct {
	m       *runComposer
	choices Choices
	loaded  bool
	trouble string // why the choices could not be read, or the run not be started

	at                         int
	dataset, model, judge      form.NamePick
	of                         eval.DatasetName // to be chosen once it is known
	judges                     []string         // those chosen, in their order
	strategy, modality         int              // places in strategies and given
	chosen                     bool             // somebody chose the strategy or the modality
	allPasses, fallback        bool
	shots, concurrency, budget form.NumberField
	fresh                      bool       // a new run although there is one
	resume                     eval.RunID // the one to go on with
	phase                      formPhase
	fork                       widget.Cursor // of the ways out of a difference
	asking                     form.EstimateUpdater[Spec, Estimate]
	lastDataset                string // that strategy and modality were derived from
}

// formPhase is what the form waits for.
type formPhase uint8

const (
	editing    formPhase = iota
	differing            // how to deal with a run that has other settings
	confirming           // the cost is to be confirmed
	starting             // the run is being made
)

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
		f.asking = form.EstimateUpdater[Spec, Estimate]{Ctx: m.ctx, Spec: f.currentSpec, WhyNot: f.whyNot, Estimate: m.Scheduler.Estimate}
		m.form, m.draft = f, f
	}
	return m.form.readChoices()
}

// openFormFor shows the form with a dataset chosen in it.
func (m *runComposer) openFormFor(d eval.DatasetName) tea.Cmd {
	cmd := m.openForm()
	if m.form != nil {
		m.form.of = d
		m.form.chooseDataset()
	}
	return cmd
}

// chooseDataset chooses the dataset that the form was opened for.
func (f *runForm) chooseDataset() {
	if f.dataset.Choose(string(f.of)) {
		f.of = ""
	}
}

func (m *runComposer) closeForm() {
	m.form.resetToEditing()
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
	if err != nil {
		f.trouble = err.Error()
		return nil
	}
	first := !f.loaded || f.choices.Trouble != ""
	f.choices, f.loaded, f.trouble = c, true, ""
	models := eval.Map(f.choices.Models, func(m ModelChoice) string { return m.Name })
	f.dataset.SetNames(eval.Map(f.choices.Datasets, func(d DatasetChoice) string { return string(d.Name) }))
	f.model.SetNames(models)
	f.judge.SetNames(models)
	if first {
		f.fillDefaults()
	}
	f.chooseDataset()
	f.deriveSettings()
	if f.isEmpty() {
		return nil
	}
	return f.asking.EstimateNow()
}

// isEmpty reports whether there is nothing to make a run of.
func (f *runForm) isEmpty() bool {
	return !f.loaded || len(f.choices.Datasets) == 0 || len(f.choices.Models) == 0
}

// closeInner leaves what is open within the form, and reports whether there was any.
func (f *runForm) closeInner() bool {
	switch {
	case f.phase == differing || f.phase == confirming || f.asking.Entered:
		f.resetToEditing()
		return true
	case f.phase == starting:
		return false
	}
	return f.currentField().ClearFilter()
}

// resetToEditing goes back to editing: whatever was decided on is decided anew.
func (f *runForm) resetToEditing() {
	f.asking.Entered, f.fork = false, widget.Cursor{}
	if f.phase != starting {
		f.phase = editing
	}
	f.fresh, f.resume = false, 0
}

// advance goes on towards the start: one step for each question that has to be
// answered before.
func (f *runForm) advance() tea.Cmd {
	switch {
	case f.phase == starting:
		return nil
	case f.isEmpty():
		f.trouble = ""
		return f.readChoices()
	case f.phase == differing:
		return takeForkWay(f)
	}
	if why := f.whyNot(); why != "" {
		return widget.NotifyCmd(widget.Info, why)
	}
	if cmd, there := f.asking.WaitEstimate(); !there {
		return cmd
	}
	return f.startRun()
}

// startRun starts the run, unless something is to be said before.
func (f *runForm) startRun() tea.Cmd {
	f.asking.Entered = false
	e := &f.asking.Latest
	switch {
	case f.asking.Err != nil:
		return widget.NotifyCmd(widget.Info, f.asking.Err.Error())
	case e.Existing != nil && !e.Existing.Same && !f.fresh && f.resume == 0:
		f.phase = differing
		return nil
	case e.isNone():
		return f.notifyNothing()
	case f.phase != confirming && (e.CostHigh > 0 || !e.Priced):
		f.phase = confirming
		return nil
	}
	f.phase = starting
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
	f.resetToEditing()
	return tea.Batch(widget.NotifyCmd(widget.Info, text), f.asking.EstimateNow())
}

// runComposer puts runs together.
type runComposer struct {
	*projectBoard
	form  *runForm // nil: no run is being put together
	draft *runForm // one that was left, with what was put into it
}
