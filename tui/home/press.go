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
func (m *Model) Typing() bool { return m.form != nil || m.jury != nil || m.filter.Typing() }

// Back leaves what is open, one level, and reports whether there was any.
func (m *Model) Back() bool {
	switch {
	case m.Asking():
		m.asking, m.ending = 0, ""
	case m.form != nil:
		if !m.form.back() {
			m.closeForm()
		}
	case m.jury != nil:
		if !m.jury.back() {
			m.jury = nil
		}
	case m.page.open:
		m.page.open = false
		m.answers.follow()
	default:
		return m.unfilter()
	}
	return true
}

func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.asking != 0:
		return m.confirm(msg)
	case m.ending != "":
		return m.confirmEnd(msg)
	case m.form != nil:
		return m.form.press(msg)
	case m.jury != nil:
		return m.jury.press(msg)
	case m.page.open:
		return m.pressPage(msg)
	case m.filter.Typing():
		return m.pressFilter(msg)
	}
	k := m.keys
	if by, ok := k.moves.By(msg, max(1, m.shownRows(m.focus)), m.count(m.focus)); ok {
		return m.move(by)
	}
	switch {
	case key.Matches(msg, k.other):
		m.turnFocus(msg.String() == "shift+tab")
		m.settle()
	case key.Matches(msg, k.room):
		return m.give(msg.String())
	case key.Matches(msg, k.filter):
		m.filter.Start()
	case key.Matches(msg, k.votes):
		return m.newVotes()
	case msg.String() == k.bring.Keys()[0]: // where none can be imported it is told why
		return send(OpenImport{})
	case key.Matches(msg, k.connect):
		return send(OpenConnect{})
	case key.Matches(msg, k.people) && m.team:
		return send(OpenPeople{})
	case key.Matches(msg, k.enrol):
		return m.enrol()
	case key.Matches(msg, k.guide):
		return m.openGuideline()
	case m.focus == atJobs:
		return m.pressJob(msg)
	case m.focus == atDatasets:
		return m.pressDataset(msg)
	case key.Matches(msg, k.open):
		return m.open()
	case key.Matches(msg, k.start):
		return m.openForm()
	case key.Matches(msg, k.pause, k.cancel, k.retry, k.judge, k.details, k.errors) && m.focus == atQueues:
		return notify(widget.Info, m.Spelled(msg.String())+m.Keyed(" steers runs: {tab} goes to them"))
	case key.Matches(msg, k.details):
		return m.openPage(false, false)
	case key.Matches(msg, k.errors):
		return m.openPage(true, true)
	}
	return m.act(msg)
}

// act takes the keys that do something with the run under the cursor.
func (m *Model) act(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	switch {
	case key.Matches(msg, k.report):
		return m.report()
	case key.Matches(msg, k.pause):
		return m.pause()
	case key.Matches(msg, k.cancel):
		return m.askCancel()
	case key.Matches(msg, k.retry):
		return m.retry()
	case key.Matches(msg, k.judge):
		return m.openJury()
	}
	return nil
}

func (m *Model) move(by int) tea.Cmd {
	at := m.cursor(m.focus)
	before := at.At
	at.Move(by, m.count(m.focus), m.shownRows(m.focus))
	if at.At == before || m.focus != atRuns {
		return nil
	}
	return m.look()
}

func (m *Model) open() tea.Cmd {
	if m.focus == atQueues {
		if q, ok := m.queue(); ok {
			return send(OpenQueue{Queue: q.Name})
		}
		return nil
	}
	if r, ok := m.run(); ok {
		return send(OpenSamples{Run: r.Run.ID, Title: title(r)})
	}
	return nil
}

func (m *Model) report() tea.Cmd {
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
func (m *Model) enrol() tea.Cmd {
	r, ok := m.run()
	if d, sure := m.set(); m.focus == atDatasets && sure {
		return send(OpenEnrol{Dataset: d.Name})
	}
	if m.focus != atRuns || !ok {
		return send(OpenEnrol{})
	}
	return send(OpenEnrol{Dataset: r.Run.Config.Dataset, Run: r.Run.ID})
}

func (m *Model) pause() tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if why := whyNotPause(r); why != "" {
		return notify(widget.Info, why)
	}
	if resumes(r) {
		return m.steer("resumed", r, Control.Resume)
	}
	return m.steer("paused; calls in flight finish", r, Control.Pause)
}

// retry asks again what failed.
func (m *Model) retry() tea.Cmd {
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

func (m *Model) askCancel() tea.Cmd {
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
func (m *Model) confirm(msg tea.KeyMsg) tea.Cmd {
	id := m.asking
	switch msg.String() {
	case "y":
		m.asking = 0
		for _, r := range m.every.rows {
			if r.Run.ID == id && judging(r) {
				return m.steer(m.Keyed("judging cancelled; {J} goes on from here"), r, Control.Cancel)
			}
			if r.Run.ID == id {
				return m.steer("cancelled; resume goes on from here", r, Control.Cancel)
			}
		}
	case "n", "enter":
		m.asking = 0
	}
	return nil
}

// steer runs act on a run in a command.
func (m *Model) steer(done string, r Row, act func(Control, eval.RunID) error) tea.Cmd {
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
