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
		f.EstimateUpdater = form.EstimateUpdater[Spec, Estimate]{Ctx: m.ctx, Spec: f.currentSpec, WhyNot: f.whyNot, Estimate: m.Scheduler.Estimate}
		f.Read, f.Empty, f.Start = f.readChoices, f.isEmpty, f.startRun
		f.Fields, f.Forget = f.formFields, func() { f.fork, f.fresh, f.resume = widget.Cursor{}, false, 0 }
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
	return f.FillRead(err, func() {
		f.choices = c
		models := eval.Map(f.choices.Models, func(m ModelChoice) string { return m.Name })
		f.dataset.SetNames(eval.Map(f.choices.Datasets, func(d DatasetChoice) string { return string(d.Name) }))
		f.model.SetNames(models)
		f.judge.SetNames(models)
		if first {
			f.fillDefaults()
		}
		f.chooseDataset()
		f.deriveSettings()
	})
}

// isEmpty reports whether there is nothing to make a run of.
func (f *runForm) isEmpty() bool {
	return !f.Loaded || len(f.choices.Datasets) == 0 || len(f.choices.Models) == 0
}

// startRun starts the run, unless something is to be said before.
func (f *runForm) startRun() tea.Cmd {
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
