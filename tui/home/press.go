package home

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/job"
	"concord/tui/widget"
)

// Typing reports whether keys are text now: in the form, where judges are
// chosen, and in the filter, they are.
func (m *Model) Typing() bool { return m.composer.form != nil || m.jury != nil || m.filter.Typing() }

// Back leaves what is open, one level, and reports whether there was any.
func (m *Model) Back() bool {
	switch {
	case m.question != nil:
		m.question = nil
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
	case m.question != nil:
		cmd, answered := m.question.Press(msg)
		if answered {
			m.question = nil
		}
		return cmd
	case m.composer.form != nil:
		return m.composer.form.press(msg)
	case m.jury != nil:
		return m.jury.press(msg)
	case m.side.page.open:
		return m.pressPage(msg)
	case m.filter.Typing():
		return m.pressFilter(msg)
	}
	if by, ok := widget.NewMoves().By(msg, max(1, m.shownRows(m.focus)), m.count(m.focus)); ok {
		return m.move(by)
	}
	for _, one := range m.Links {
		if key.Matches(msg, one.Key) {
			return widget.Send(one.Open)
		}
	}
	return m.act(msg)
}

// pressPage takes a key on the page of a run.
func (m *Model) pressPage(msg tea.KeyMsg) tea.Cmd {
	by, ok := widget.NewMoves().By(msg, max(1, m.height-3), 1<<30)
	switch {
	case !ok:
		return m.act(msg)
	case m.side.page.answers:
		m.side.answers.move(by, m.answersHeight())
	default:
		m.side.page.top += by
		m.side.settlePage()
	}
	return nil
}

// NewRun opens the form, or reads anew what a run can be made of where it is
// open.
func (m *Model) NewRun() tea.Cmd { return m.composer.openForm() }

// updateForm takes the messages of the form's estimate.
func (m *Model) updateForm(msg tea.Msg) tea.Cmd {
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

// seat shows a jury beside the lists; nil takes it away.
func (m *Model) seat(j *jury) { m.jury, m.choosing = j, j != nil }

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

// Deep reports whether one run takes the whole screen.
func (m *Model) Deep() bool { return m.side.page.open }

// GoToJob moves to a job, once it is in the list.
func (m *Model) GoToJob(id job.ID) {
	m.side.page.open = false
	m.unfilter()
	m.sought = id
	m.goTo()
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
func (m *Model) Asking() bool { return m.question != nil }
