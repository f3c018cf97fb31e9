package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// pause pauses a run, or goes on with one that rests.
func (m *board) pause(r Row) tea.Cmd {
	if resumes(r) {
		return m.steer("resumed", r, Control.Resume)
	}
	return m.steer("paused; calls in flight finish", r, Control.Pause)
}

// retry asks again what failed.
func retry(m *board, r Row) tea.Cmd {
	scheduler, id := m.Scheduler, r.Run.ID
	return steering(title(r), "asking again what failed", func() error { return scheduler.Retry(id) })
}

// cancelling asks whether a run is to be cancelled.
func cancelling(m *board, r Row) *widget.Question {
	text := "Cancel " + title(r) + "? Calls in flight finish, everything answered stays stored, and resuming continues from there."
	said := "cancelled; resume continues from here"
	if judging(r) {
		text = "Cancel the judge run of " + title(r) + "? Calls in flight finish, everything read stays stored, and " + m.Spelled("J") + " continues from there."
		said = m.Keyed("judge run cancelled; {J} continues from here")
	}
	return &widget.Question{Title: "Cancel", Text: text, Yes: "cancel it", No: "keep it running", Do: func() tea.Cmd {
		return m.steer(said, r, Control.Cancel)
	}}
}

// steer has the control do something with a run.
func (m *board) steer(done string, r Row, act func(Control, eval.RunID) error) tea.Cmd {
	if m.Control == nil {
		return widget.Tell(widget.Info, "this project is open read-only")
	}
	control, id := m.Control, r.Run.ID
	return steering(title(r), done, func() error { return act(control, id) })
}

// steering runs act in a command, and says what came of it.
func steering(name, done string, act func() error) tea.Cmd {
	return func() tea.Msg {
		if err := act(); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": " + done}
	}
}
