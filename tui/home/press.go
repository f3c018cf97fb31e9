package home

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
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
			m.jury = nil
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
		return send(OpenImport{})
	case key.Matches(msg, k.connect):
		return send(OpenConnect{})
	case key.Matches(msg, k.people) && m.team:
		return send(OpenPeople{})
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
		return notify(widget.Info, m.Spelled(msg.String())+m.Keyed(" steers runs: {tab} goes to them"))
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

func report(m *board) tea.Cmd {
	if m.focus == atQueues {
		if q, ok := m.queue(); ok {
			return send(OpenReport{Queue: q.Name, Pairs: q.Rule.From == annotate.FromPairs})
		}
		return nil
	}
	if r, ok := m.run(); ok {
		return send(OpenReport{Run: r.Run.ID})
	}
	return nil
}

// enrol asks for a queue to label: of the run under the cursor, where that is
// in the list of runs.
func enrol(m *board) tea.Cmd {
	r, ok := m.run()
	if d, sure := m.set(); m.focus == atDatasets && sure {
		return send(OpenEnrol{Dataset: d.Name})
	}
	if m.focus != atRuns || !ok {
		return send(OpenEnrol{})
	}
	return send(OpenEnrol{Dataset: r.Run.Config.Dataset, Run: r.Run.ID})
}

func pause(m *board) tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if why := whyNotPause(r); why != "" {
		return notify(widget.Info, why)
	}
	if resumes(r) {
		return steer(m, "resumed", r, Control.Resume)
	}
	return steer(m, "paused; calls in flight finish", r, Control.Pause)
}

// retry asks again what failed.
func retry(m *board) tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if m.starter == nil {
		return notify(widget.Info, noStarter)
	}
	if why := m.Keyed(whyNotRetry(r)); why != "" {
		return notify(widget.Info, why)
	}
	starter, id, name := m.starter, r.Run.ID, title(r)
	return func() tea.Msg {
		if err := starter.Retry(id); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": asking again what failed"}
	}
}

func askCancel(m *board) tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if why := whyNotCancel(r); why != "" {
		return notify(widget.Info, why)
	}
	m.asking = r.Run.ID
	return nil
}

// confirm takes the answer; enter is the safe one.
func confirm(m *board, msg tea.KeyMsg) tea.Cmd {
	id := m.asking
	switch msg.String() {
	case "y":
		m.asking = 0
		for _, r := range m.every.rows {
			if r.Run.ID == id && judging(r) {
				return steer(m, m.Keyed("judging cancelled; {J} goes on from here"), r, Control.Cancel)
			}
			if r.Run.ID == id {
				return steer(m, "cancelled; resume goes on from here", r, Control.Cancel)
			}
		}
	case "n", "enter":
		m.asking = 0
	}
	return nil
}

// steer runs act on a run in a command.
func steer(m *board, done string, r Row, act func(Control, eval.RunID) error) tea.Cmd {
	if m.control == nil {
		return notify(widget.Info, "this project is open for reading only")
	}
	control, id, name := m.control, r.Run.ID, title(r)
	return func() tea.Msg {
		if err := act(control, id); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": " + done}
	}
}

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// NewRun opens the form, or reads anew what a run can be made of where it is
// open.
func (m *Model) NewRun() tea.Cmd { return m.composer.openForm() }

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
		return runStarted(m, msg)
	}
	return nil
}

// runStarted closes the form and goes to the new run; when it could not be
// started, the form says why.
func runStarted(m *Model, msg started) tea.Cmd {
	f := msg.of
	f.phase = editing
	f.reset()
	if msg.err != nil {
		f.trouble = msg.err.Error()
		f.seq++
		return tea.Batch(notify(widget.Problem, "start the run: "+msg.err.Error()), f.ask())
	}
	f.trouble = ""
	if m.composer.form == f {
		m.composer.form = nil
	}
	m.side.page.open, m.focus = false, atRuns
	m.wanted = msg.run
	m.unfilter()
	m.goTo()
	return tea.Batch(notify(widget.Info, "started: "+f.dataset.Value()+" with "+f.model.Value()), m.Refresh())
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
		return tea.Batch(notify(widget.Problem, msg.text+": "+msg.err.Error()), m.Refresh())
	}
	if m.jury == msg.of {
		m.jury = nil
	}
	return tea.Batch(notify(widget.Info, msg.text), m.Refresh())
}

// openJury shows who may judge the run under the cursor.
func openJury(m *Model) tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if m.starter == nil {
		return notify(widget.Info, noStarter)
	}
	if why := whyNotJudge(r); why != "" {
		return notify(widget.Info, why)
	}
	m.jury = &jury{m: m.board, run: r.Run.ID}
	return m.jury.read()
}
