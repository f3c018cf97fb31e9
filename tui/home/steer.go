package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/annotate"
	"concord/eval"
	"concord/tui/widget"
)

func (m *board) open() tea.Cmd {
	if m.focus == atQueues {
		if q, ok := m.queue(); ok {
			return widget.Send(OpenQueue{Queue: q.Name})
		}
		return nil
	}
	if r, ok := m.run(); ok {
		return widget.Send(OpenSamples{Run: r.Run.ID, Title: title(r)})
	}
	return nil
}

func report(m *board) tea.Cmd {
	if m.focus == atQueues {
		if q, ok := m.queue(); ok {
			return widget.Send(OpenReport{Queue: q.Name, Pairs: q.Rule.From == annotate.FromPairs})
		}
		return nil
	}
	if r, ok := m.run(); ok {
		return widget.Send(OpenReport{Run: r.Run.ID})
	}
	return nil
}

// enrol asks for a queue to label: of the run under the cursor, where that is
// in the list of runs.
func enrol(m *board) tea.Cmd {
	r, ok := m.run()
	if d, sure := m.set(); m.focus == atDatasets && sure {
		return widget.Send(OpenNewQueue{Dataset: d.Name})
	}
	if m.focus != atRuns || !ok {
		return widget.Send(OpenNewQueue{})
	}
	return widget.Send(OpenNewQueue{Dataset: r.Run.Config.Dataset, Run: r.Run.ID})
}

func pause(m *board) tea.Cmd {
	r, ok := m.run()
	if !ok {
		return nil
	}
	if why := whyNotPause(r); why != "" {
		return widget.Tell(widget.Info, why)
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
	if m.scheduler == nil {
		return widget.Tell(widget.Info, noStarter)
	}
	if why := m.Keyed(whyNotRetry(r)); why != "" {
		return widget.Tell(widget.Info, why)
	}
	scheduler, id, name := m.scheduler, r.Run.ID, title(r)
	return func() tea.Msg {
		if err := scheduler.Retry(id); err != nil {
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
		return widget.Tell(widget.Info, why)
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
				return steer(m, m.Keyed("judge run cancelled; {J} continues from here"), r, Control.Cancel)
			}
			if r.Run.ID == id {
				return steer(m, "cancelled; resume continues from here", r, Control.Cancel)
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
		return widget.Tell(widget.Info, "this project is open read-only")
	}
	control, id, name := m.control, r.Run.ID, title(r)
	return func() tea.Msg {
		if err := act(control, id); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": " + done}
	}
}
