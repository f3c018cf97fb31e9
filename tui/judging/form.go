package judging

import (
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
	loaded  bool
	trouble string // why the choices could not be read, or the judging not begin
	like    job.ID // the job that it is filled in after; "" when it has been

	phase  formPhase
	asking form.EstimateUpdater[Spec, Estimate]
	in     *formEntries
}

// formPhase is what the form waits for.
type formPhase uint8

const (
	editing    formPhase = iota
	confirming           // the cost is to be confirmed
	starting             // the judging is being begun
)

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
		f.asking = form.EstimateUpdater[Spec, Estimate]{Ctx: m.ctx, Spec: f.in.currentSpec, WhyNot: f.in.whyNot}
		m.draft = f
	}
	m.form.like = like
}

// readChoices reads the choices, which may have changed since the form was left.
func (f *voteForm) readChoices() tea.Cmd {
	ctx, scheduler, source, like := f.m.ctx, f.m.Scheduler, f.m.Source, f.like
	if scheduler == nil {
		f.trouble = noStarter
		return nil
	}
	f.asking.Estimate = scheduler.Estimate
	return func() tea.Msg {
		c, err := scheduler.FormChoices(ctx)
		var rows []job.Row
		if like != "" && err == nil && source != nil {
			rows, err = source.Jobs(ctx)
		}
		found, _ := widget.FindFirst(rows, func(r job.Row) bool { return r.ID == like })
		return outcome(func() tea.Cmd { return f.handleChoicesRead(c, &found, err) })
	}
}

// updateForm takes the messages of the form's estimate.
func (m *Model) updateForm(msg tea.Msg) tea.Cmd {
	f := m.draft
	if f == nil {
		return nil
	}
	cmd, awaited := f.asking.Update(msg)
	if awaited {
		return f.startVoting()
	}
	return cmd
}

// handleChoicesRead takes the choices that were read, with the job that the form is to
// be like, where there is one.
func (f *voteForm) handleChoicesRead(c Choices, like *job.Row, err error) tea.Cmd {
	if err != nil {
		f.trouble = err.Error()
		return nil
	}
	first := !f.loaded || f.in.choices.Trouble != ""
	f.in.choices, f.loaded, f.trouble = c, true, ""
	f.in.dataset.SetNames(eval.Map(f.in.choices.Datasets, func(d DatasetChoice) string { return string(d.Name) }))
	f.in.judge.SetNames(eval.Map(f.in.choices.Judges, func(j JudgeChoice) string { return j.Name }))
	if first {
		f.in.fillDefaults()
	}
	f.in.deriveSettings()
	if like.ID != "" {
		f.in.fillFromJob(like)
	}
	f.like = ""
	if f.isEmpty() {
		return nil
	}
	return f.asking.EstimateNow()
}

// isEmpty reports whether there is nothing to make a judging of.
func (f *voteForm) isEmpty() bool {
	return !f.loaded || len(f.in.choices.Datasets) == 0 || len(f.in.choices.Judges) == 0
}

// closeInner leaves what is open within the form, and reports whether there was any.
func (f *voteForm) closeInner() bool {
	if f.phase == confirming || f.asking.Entered {
		f.resetToEditing()
		return true
	}
	return f.phase == editing && f.in.currentField().ClearFilter()
}

// resetToEditing goes back to editing.
func (f *voteForm) resetToEditing() {
	f.asking.Entered = false
	if f.phase != starting {
		f.phase = editing
	}
}

// advance goes on towards the start: one step for each question that has to be
// answered before.
func (f *voteForm) advance() tea.Cmd {
	switch {
	case f.phase == starting:
		return nil
	case f.isEmpty():
		f.trouble = ""
		return f.readChoices()
	}
	if why := f.in.whyNot(); why != "" {
		return widget.NotifyCmd(widget.Info, why)
	}
	if cmd, there := f.asking.WaitEstimate(); !there {
		return cmd
	}
	return f.startVoting()
}

// startVoting begins, unless something is to be said before.
func (f *voteForm) startVoting() tea.Cmd {
	f.asking.Entered = false
	e := &f.asking.Latest
	switch {
	case f.asking.Err != nil:
		return widget.NotifyCmd(widget.Info, f.asking.Err.Error())
	case e.Live: // its budget is raised, and it goes on
	case e.Calls == 0:
		return widget.NotifyCmd(widget.Info, "nothing is left to ask: every vote that can be asked for is there")
	case f.phase != confirming:
		f.phase = confirming
		return nil
	}
	f.phase = starting
	ctx, scheduler, spec := f.m.ctx, f.m.Scheduler, f.in.currentSpec()
	return func() tea.Msg {
		id, err := scheduler.Start(ctx, spec)
		return outcome(func() tea.Cmd { return f.handleStarted(id, err) })
	}
}

// handleStarted leaves the form for the list; when nothing could be begun, the form
// says why.
func (f *voteForm) handleStarted(id job.ID, err error) tea.Cmd {
	f.phase = editing
	if err != nil {
		f.trouble = err.Error()
		return tea.Batch(widget.NotifyCmd(widget.Problem, "start the judge run: "+err.Error()), f.asking.EstimateNow())
	}
	f.trouble = ""
	if f.m.form == f {
		f.m.form = nil
	}
	return tea.Batch(widget.NotifyCmd(widget.Info, "votes of "+f.in.judge.Value()+": at work"), widget.SendCmd(Started{id}))
}

// handleKey takes a key.
func (f *voteForm) handleKey(msg tea.KeyMsg) tea.Cmd {
	k := f.m.formKeys
	switch {
	case key.Matches(msg, k.Start):
		return f.advance()
	case f.phase == starting || f.isEmpty():
		return nil
	}
	before := f.in.currentSpec()
	f.phase = editing // another key is no yes
	switch n := len(f.in.formFields()); {
	case key.Matches(msg, k.Up):
		f.in.goTo((f.in.at + n - 1) % n)
		return nil
	case key.Matches(msg, k.Down):
		f.in.goTo((f.in.at + 1) % n)
		return nil
	}
	at := f.in.currentField()
	if at.Off != "" {
		return widget.NotifyCmd(widget.Info, at.Label+": "+at.Off)
	}
	why := f.in.editField(at, msg)
	cmd := f.asking.NoteChange(before)
	if cmd != nil {
		f.resetToEditing()
		f.trouble = ""
	}
	return tea.Batch(why, cmd)
}

// drawForm draw the form.
func (f *voteForm) drawForm(width, height int) []string {
	t := f.theme
	head := t.DrawSection("Judge pairs", "", true, width)
	switch {
	case !f.loaded && f.trouble == "":
		return []string{head, "", t.Faint.Render("  loading the project and the configuration…")}
	case f.isEmpty():
		return append([]string{head, ""}, f.drawNothing(width)...)
	}
	fields := func(width int) []string {
		return append(form.DrawFields(t, f.in.formFields(), f.in.at, width), f.drawRemarks(width)...)
	}
	estimate := func(width int) []string {
		return f.asking.DrawEstimate(t, width, "none: the judge run cannot be", func(s *widget.Sheet) {
			e := &f.asking.Latest
			drawSizes(s, e, f.Spelling)
			drawWarnings(s, f, e)
			if e.Calls > 0 {
				s.AddAssumptions(e.Assumed)
			}
		})
	}
	return form.DrawForm(t, head, width, height, fields, estimate, f.in.drawCandidates)
}

// drawNothing says what to do before a judging can be put together.
func (f *voteForm) drawNothing(width int) []string {
	t := f.theme
	var out []string
	text := func(style func(...string) string, s string) {
		for _, l := range widget.WrapText(s, max(1, width-4)) {
			out = append(out, "  "+style(l))
		}
	}
	for _, s := range []string{f.trouble, f.in.choices.Trouble} {
		if s != "" {
			text(t.Bad.Render, "✗ "+s)
			out = append(out, "")
		}
	}
	if f.loaded && f.in.choices.Trouble == "" && len(f.in.choices.Judges) == 0 {
		text(t.Text.Render, "No model is known that could judge: esc goes back to the runs, where m connects one.")
	}
	if f.loaded && f.in.choices.Trouble == "" && len(f.in.choices.Datasets) == 0 {
		text(t.Text.Render, "No dataset is in this project: esc goes back to the runs, where i imports one.")
	}
	return append(out, "", "  "+t.Key.Render("enter")+t.KeyText.Render(" looks again"))
}

// drawRemarks draws what the form has to say: why not, what it costs, what it does.
func (f *voteForm) drawRemarks(width int) []string {
	t := f.theme
	style, text := t.Faint.Render, ""
	switch why := f.in.whyNot(); {
	case f.phase == starting:
		style, text = t.Accent.Render, "starting…"
	case f.phase == confirming:
		e := &f.asking.Latest
		style, text = t.Warn.Render, "This makes "+widget.FormatPlural(e.Calls, "call")+" and costs "+formatPrice(e)+". enter starts it, esc does not."
		if !e.Priced {
			text = "This makes " + widget.FormatPlural(e.Calls, "call") + " at a price that is not known. enter starts it, esc does not."
		}
	case f.asking.Entered:
		style, text = t.Accent.Render, "starts when the estimate is there…"
	case f.trouble != "":
		style, text = t.Bad.Render, "✗ "+f.trouble
	case why != "":
		style, text = t.Bad.Render, "✗ "+why
	case f.in.currentField().At == &f.in.input:
		text = f.in.describeUnseen()
	case f.in.currentField().At == &f.in.order:
		text = "both asks each pair twice, with the answers swapped; shuffled asks once, the order drawn"
	case f.in.choices.Trouble != "":
		style, text = t.Warn.Render, "! "+f.in.choices.Trouble
	}
	return form.WrapRemark(width, style, text)
}

// Bindings are the bindings that matter now.
func (f *voteForm) Bindings() []key.Binding {
	k := f.m.formKeys
	switch {
	case f.isEmpty():
		return k.KeysToAnswer("look again")
	case f.phase == confirming:
		return k.KeysToAnswer("start it")
	}
	return k.KeysOfField(f.in.currentField())
}
