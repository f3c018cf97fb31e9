package judging

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// form is where a judging is put together. It stays as it is when it is left,
// and is there again when the next one is wanted.
//
//	key --> field --> changed --(rest)--> due --> Starter.Estimate --> estimated
//	enter --> why not? --> estimate --> what it costs --> Starter.Start
type form struct {
	m       *Model
	choices Choices
	loaded  bool
	trouble string // why the choices could not be read, or the judging not begin
	like    job.ID // the job that it is filled in after; "" when it has been

	at                           field
	dataset, model, anchor       widget.Pick
	models                       []string // those chosen, in their order
	judge                        widget.Pick
	criteria                     bool
	input, order                 int // places in inputs and orders
	repeats, concurrency, budget widget.Figure
	lastDataset                  string // that models and anchor were chosen for

	phase    phase
	seq      int // of the newest spec
	estimate estimated
	asking   bool
	stop     context.CancelFunc // ends the estimate under way
	entered  bool               // start as soon as the estimate is there
}

// phase is what the form waits for.
type phase uint8

const (
	editing    phase = iota
	confirming       // the cost is to be confirmed
	starting         // the judging is being begun
)

type (
	// choicesRead are the choices that were read.
	choicesRead struct {
		of      *form
		choices Choices
		like    job.Row // the job of form.like, where there is one
		err     error
	}
	// started is what came of beginning.
	started struct {
		of  *form
		job job.ID
		err error
	}
)

// noStarter says why nothing can be started.
const noStarter = "judges cannot be asked here: the project is open for reading, or without its endpoints"

// showForm shows the form, with what was put into it before, or as a job is.
func (m *Model) showForm(like job.ID) {
	if m.form = m.draft; m.form == nil {
		m.form = &form{
			m: m, budget: widget.Figure{Decimal: true}, concurrency: widget.Figure{Most: 1024}, repeats: widget.Figure{Most: 100},
		}
		m.draft = m.form
	}
	m.form.like = like
}

// read reads the choices, which may have changed since the form was left.
func (f *form) read() tea.Cmd {
	ctx, starter, source, like := f.m.ctx, f.m.Starter, f.m.Source, f.like
	if starter == nil {
		f.trouble = noStarter
		return nil
	}
	return func() tea.Msg {
		c, err := starter.Choices(ctx)
		out := choicesRead{of: f, choices: c, err: err}
		if like == "" || err != nil || source == nil {
			return out
		}
		rows, err := source.Jobs(ctx)
		for _, r := range rows {
			if r.ID == like {
				out.like = r
			}
		}
		out.err = err
		return out
	}
}

// updateForm takes the messages that are the form's.
func (m *Model) updateForm(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case choicesRead:
		return msg.of.take(msg)
	case due:
		if msg.of.seq == msg.seq {
			return msg.of.ask()
		}
	case estimated:
		return msg.of.estimatedAs(msg)
	case started:
		return m.started(msg)
	}
	return nil
}

func (f *form) take(msg choicesRead) tea.Cmd {
	if msg.err != nil {
		f.trouble = msg.err.Error()
		return nil
	}
	first := !f.loaded || f.choices.Trouble != ""
	f.choices, f.loaded, f.trouble = msg.choices, true, ""
	var datasets, judges []string
	for _, d := range f.choices.Datasets {
		datasets = append(datasets, string(d.Name))
	}
	for _, j := range f.choices.Judges {
		judges = append(judges, j.Name)
	}
	f.dataset.SetNames(datasets)
	f.judge.SetNames(judges)
	if first {
		f.defaults()
	}
	f.derive()
	if msg.like.ID != "" {
		f.follow(&msg.like)
	}
	f.like = ""
	if f.empty() {
		return nil
	}
	f.seq++
	return f.ask()
}

// follow fills the form in after a job.
func (f *form) follow(r *job.Row) {
	f.dataset.Choose(string(r.Dataset))
	f.derive()
	d, ok := f.datasetChoice()
	if !ok || r.Work != eval.Voting {
		return
	}
	f.judge.Choose(r.Asked)
	order := []eval.Contest{r.Contest}
	if r.Moves() && r.Shares > 0 {
		order = r.Progress.Job.Contests
	}
	repeats := 1
	runs := make(map[eval.RunID]bool)
	for _, c := range order {
		runs[c.A], runs[c.B] = true, true
		repeats = max(repeats, c.Repeat+1)
	}
	f.models = nil
	for _, m := range d.Models {
		switch {
		case !runs[m.Run]:
		case m.Model == r.Anchor:
			f.anchor.Choose(m.Name)
		default:
			f.models = append(f.models, m.Name)
			f.model.Choose(m.Name)
		}
	}
	f.repeats.Set(float64(repeats))
	if f.order = 0; r.Shuffled {
		f.order = 1
	}
	f.criteria = r.Contest.Criteria
	for i, in := range inputs {
		if in == r.Contest.Input {
			f.input = i
		}
	}
	if r.Moves() && r.Progress.Budget > 0 {
		f.budget.Set(r.Progress.Budget)
	}
}

// empty reports whether there is nothing to make a judging of.
func (f *form) empty() bool {
	return !f.loaded || len(f.choices.Datasets) == 0 || len(f.choices.Judges) == 0
}

// back leaves what is open within the form, and reports whether there was any.
func (f *form) back() bool {
	if f.phase == confirming || f.entered {
		f.reset()
		return true
	}
	if p := f.pick(); p != nil && f.phase == editing {
		return p.Clear()
	}
	return false
}

// reset goes back to editing.
func (f *form) reset() {
	f.entered = false
	if f.phase != starting {
		f.phase = editing
	}
}

// enter goes on towards the start: one step for each question that has to be
// answered before.
func (f *form) enter() tea.Cmd {
	switch {
	case f.phase == starting:
		return nil
	case f.empty():
		f.trouble = ""
		return f.read()
	}
	if why := f.whyNot(); why != "" {
		return notify(widget.Info, why)
	}
	if !f.current() {
		f.entered = true
		if f.asking {
			return nil
		}
		return f.ask()
	}
	return f.proceed()
}

// proceed begins, unless something is to be said before.
func (f *form) proceed() tea.Cmd {
	f.entered = false
	e := &f.estimate
	switch {
	case e.err != nil:
		return notify(widget.Info, e.err.Error())
	case e.Live: // its budget is raised, and it goes on
	case e.Calls == 0:
		return notify(widget.Info, "nothing is left to ask: every vote that can be asked for is there")
	case f.phase != confirming:
		f.phase = confirming
		return nil
	}
	f.phase = starting
	ctx, starter, spec := f.m.ctx, f.m.Starter, f.spec()
	return func() tea.Msg {
		id, err := starter.Start(ctx, spec)
		return started{f, id, err}
	}
}

// started leaves the form for the list; when nothing could be begun, the form
// says why.
func (m *Model) started(msg started) tea.Cmd {
	f := msg.of
	f.phase = editing
	if msg.err != nil {
		f.trouble = msg.err.Error()
		f.seq++
		return tea.Batch(notify(widget.Problem, "start the judging: "+msg.err.Error()), f.ask())
	}
	f.trouble = ""
	if m.form == f {
		m.form = nil
	}
	return tea.Batch(notify(widget.Info, "votes of "+f.judge.Value()+": at work"), send(Started{msg.job}))
}
