package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// Typing reports whether keys are text now: in the form, where judges are
// chosen, and in the filter, they are.
func (m *Model) Typing() bool { return m.composer.form != nil || m.jury != nil || m.filter.Typing() }

// Back leaves what is open, one level, and reports whether there was any.
func (m *Model) Back() bool {
	switch {
	case m.Asking():
		m.asking, m.ending = 0, ""
	case m.composer.form != nil:
		if !m.composer.form.back() {
			m.composer.closeForm()
		}
	case m.jury != nil:
		if !m.jury.back() {
			m.seat(nil)
		}
	case m.side.page.open:
		m.side.page.open = false
		m.side.answers.follow()
	default:
		return m.unfilter()
	}
	return true
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != 0:
		return confirm(m.board, msg)
	case m.ending != "":
		return confirmEnd(m.board, msg)
	case m.composer.form != nil:
		return m.composer.form.press(msg)
	case m.jury != nil:
		return m.jury.press(msg)
	case m.side.page.open:
		return pressPage(m, msg)
	case m.filter.Typing():
		return m.pressFilter(msg)
	}
	k := m.keys
	if by, ok := k.moves.By(msg, max(1, m.shownRows(m.focus)), count(m.board, m.focus)); ok {
		return m.move(by)
	}
	if open := m.links.by(msg); open != nil {
		return widget.Send(open)
	}
	switch {
	case key.Matches(msg, k.other):
		turnFocus(m.board, msg.String() == "shift+tab")
		settle(m)
	case key.Matches(msg, k.room):
		return give(m, msg.String())
	case key.Matches(msg, k.filter):
		m.filter.Start()
	case key.Matches(msg, k.votes):
		return newVotes(m.board)
	case msg.String() == k.bring.Keys()[0]: // where none can be imported it is told why
		return widget.Send(OpenImport{})
	case key.Matches(msg, k.connect):
		return widget.Send(OpenConnect{})
	case key.Matches(msg, k.enrol):
		return enrol(m.board)
	case key.Matches(msg, k.guide):
		return openGuideline(m.board)
	case m.focus == atJobs:
		return pressJob(m, msg)
	case m.focus == atDatasets:
		return pressDataset(m, msg)
	case key.Matches(msg, k.open):
		return m.open()
	case key.Matches(msg, k.start):
		return m.composer.openForm()
	case key.Matches(msg, k.pause, k.cancel, k.retry, k.judge, k.details, k.errors) && m.focus == atQueues:
		return widget.Tell(widget.Info, m.Spelled(msg.String())+m.Keyed(" steers runs: {tab} goes to them"))
	case key.Matches(msg, k.details):
		return m.side.openPage(false, false)
	case key.Matches(msg, k.errors):
		return m.side.openPage(true, true)
	}
	return act(m, msg)
}

// act takes the keys that do something with the run under the cursor.
func act(m *Model, msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	switch {
	case key.Matches(msg, k.report):
		return report(m.board)
	case key.Matches(msg, k.pause):
		return pause(m.board)
	case key.Matches(msg, k.cancel):
		return askCancel(m.board)
	case key.Matches(msg, k.retry):
		return retry(m.board)
	case key.Matches(msg, k.judge):
		return openJury(m)
	}
	return nil
}

// NewRun opens the form, or reads anew what a run can be made of where it is
// open.
func (m *Model) NewRun() tea.Cmd { return m.composer.openForm() }

// updateForm takes the messages that are the form's.
func (m *Model) updateForm(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case choicesRead:
		return msg.of.take(msg)
	case started:
		return runStarted(m, msg)
	}
	f := m.composer.draft
	if f == nil {
		return nil
	}
	cmd, awaited := f.asking.Update(msg)
	if awaited {
		return f.proceed()
	}
	return cmd
}

// runStarted closes the form and goes to the new run; when it could not be
// started, the form says why.
func runStarted(m *Model, msg started) tea.Cmd {
	f := msg.of
	f.phase = editing
	f.reset()
	if msg.err != nil {
		f.trouble = msg.err.Error()
		return tea.Batch(widget.Tell(widget.Problem, "start the run: "+msg.err.Error()), f.asking.Renew())
	}
	f.trouble = ""
	if m.composer.form == f {
		m.composer.form = nil
	}
	m.side.page.open, m.focus = false, atRuns
	m.wanted = msg.run
	m.unfilter()
	m.goTo()
	return tea.Batch(widget.Tell(widget.Info, "started: "+f.dataset.Value()+" with "+f.model.Value()), m.Refresh())
}

// updateJury takes the messages that are the jury's.
func (m *Model) updateJury(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case candidates:
		msg.of.take(msg)
	case seated:
		return takeSeated(m, msg)
	}
	return nil
}

// takeSeated closes the jury and says what happens now; when the judges could not
// be called, the jury says why.
func takeSeated(m *Model, msg seated) tea.Cmd {
	msg.of.calling = false
	if msg.err != nil {
		msg.of.trouble = msg.err.Error()
		return tea.Batch(widget.Tell(widget.Problem, msg.text+": "+msg.err.Error()), m.Refresh())
	}
	if m.jury == msg.of {
		m.seat(nil)
	}
	return tea.Batch(widget.Tell(widget.Info, msg.text), m.Refresh())
}

// seat shows a jury beside the lists; nil takes it away.
func (m *Model) seat(j *jury) { m.jury, m.choosing = j, j != nil }

// openJury shows who may judge the run under the cursor.
func openJury(m *Model) tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if m.scheduler == nil {
		return widget.Tell(widget.Info, noStarter)
	}
	if why := whyNotJudge(r); why != "" {
		return widget.Tell(widget.Info, why)
	}
	m.seat(&jury{m: m.board, run: r.Run.ID})
	return m.jury.read()
}

// pressDataset takes a key on the list of datasets.
func pressDataset(m *Model, msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	d, ok := m.set()
	switch {
	case !ok:
	case key.Matches(msg, k.start, k.open):
		return m.composer.openFormFor(d.Name)
	case key.Matches(msg, k.pause, k.cancel, k.retry, k.judge, k.details, k.errors, k.report):
		return widget.Tell(widget.Info, m.Spelled(msg.String())+m.Keyed(" is for runs, and this dataset has none yet: {n} starts one"))
	}
	return nil
}

// pressJob takes a key on the list of jobs.
func pressJob(m *Model, msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	j, ok := m.job()
	if !ok {
		return nil
	}
	switch {
	case key.Matches(msg, k.start):
		return m.composer.openForm()
	case key.Matches(msg, k.open, k.details):
		return widget.Send(OpenJob{Job: j.ID})
	case key.Matches(msg, k.errors):
		return widget.Send(OpenJob{Job: j.ID, Errors: true})
	case key.Matches(msg, k.cancel):
		if m.jobControl != nil && j.NoCancel == "" {
			m.ending = j.ID
			return nil
		}
		return job.Steer(m.ctx, m.jobControl, &j, job.Cancel, &m.Spelling)
	case key.Matches(msg, k.pause):
		return job.Steer(m.ctx, m.jobControl, &j, job.PauseOrResume, &m.Spelling)
	case key.Matches(msg, k.retry):
		return job.Steer(m.ctx, m.jobControl, &j, job.Retry, &m.Spelling)
	case key.Matches(msg, k.report) && j.Work == eval.Voting:
		return widget.Send(OpenVotes{Dataset: j.Dataset})
	case key.Matches(msg, k.judge):
		return widget.Tell(widget.Info, m.Keyed("{J} is for runs, whose answers the rules could not read: {tab} goes to them"))
	}
	return nil
}

// pressPage takes a key on the page.
func pressPage(m *Model, msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	if by, ok := k.moves.By(msg, max(1, m.height-3), 1<<30); ok {
		if m.side.page.answers {
			m.side.answers.move(by, m.answersHeight())
		} else {
			m.side.page.top += by
			m.side.settlePage()
		}
		return nil
	}
	switch {
	case key.Matches(msg, k.other):
		return m.side.turn()
	case key.Matches(msg, k.errors):
		m.side.page.answers = true
		return m.list(!m.errors)
	case key.Matches(msg, k.open):
		return m.side.openAnswer()
	case key.Matches(msg, k.again):
		m.side.answers.follow()
		return m.look()
	case key.Matches(msg, k.room):
		if !m.wide() {
			return widget.Tell(widget.Info, "this part has the whole screen")
		}
		m.side.pageSpace.Press(msg.String())
		return nil
	case key.Matches(msg, k.details):
		m.Back()
		return nil
	}
	return act(m, msg)
}

// Deep reports whether one run takes the whole screen.
func (m *Model) Deep() bool { return m.side.page.open }

// GoToJob moves to a job, once it is in the list.
func (m *Model) GoToJob(id job.ID) {
	m.side.page.open = false
	m.unfilter()
	for i := range m.jobs {
		if m.jobs[i].ID == id {
			m.jobAt.Set(i, len(m.jobs), m.shownRows(atJobs))
			m.focus, id = atJobs, ""
			break
		}
	}
	m.sought = id
}

// seek moves to the job that was started, once it is in the list.
func seek(m *Model) {
	if m.sought != "" {
		m.GoToJob(m.sought)
	}
}

// give gives the list in which keys move more room, or less, and says so where
// nothing is seen of it.
func give(m *Model, key string) tea.Cmd {
	high, width := m.high(m.focus), m.listWidth()
	m.space.Press(key)
	settle(m)
	if m.high(m.focus) == high && m.listWidth() == width {
		return widget.Tell(widget.Info, m.Keyed("all of this list is shown; {more_room} gives it the whole screen, {less_room} takes it back"))
	}
	return nil
}

// Asking reports whether cancelling waits for an answer.
func (m *Model) Asking() bool { return m.asking != 0 || m.ending != "" }
