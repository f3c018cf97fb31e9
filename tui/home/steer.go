package home

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval"
	"concord/tui/widget"
)

// pauseRun pauses a run, or goes on with one that rests.
func (m *projectBoard) pauseRun(r Row) tea.Cmd {
	if canResume(r) {
		return m.steerRun("resumed", r, Control.Resume)
	}
	return m.steerRun("paused; calls in flight finish", r, Control.Pause)
}

// retryRun asks again what failed.
func retryRun(m *projectBoard, r Row) tea.Cmd {
	scheduler, id := m.Scheduler, r.Run.ID
	return runSteering(runTitle(r), "asking again what failed", func() error { return scheduler.Retry(id) })
}

// newCancelQuestion asks whether a run is to be cancelled.
func newCancelQuestion(m *projectBoard, r Row) *widget.Question {
	text := "Cancel " + runTitle(r) + "? Calls in flight finish, everything answered stays stored, and resuming continues from there."
	said := "cancelled; resume continues from here"
	if isJudging(r) {
		text = "Cancel the judge run of " + runTitle(r) + "? Calls in flight finish, everything read stays stored, and " + m.SpellKey("J") + " continues from there."
		said = m.SpellText("judge run cancelled; {J} continues from here")
	}
	return &widget.Question{Title: "Cancel", Text: text, Yes: "cancel it", No: "keep it running", Do: func() tea.Cmd {
		return m.steerRun(said, r, Control.Cancel)
	}}
}

// steerRun has the control do something with a run.
func (m *projectBoard) steerRun(done string, r Row, act func(Control, eval.RunID) error) tea.Cmd {
	if m.Control == nil {
		return widget.NotifyCmd(widget.Info, "this project is open read-only")
	}
	control, id := m.Control, r.Run.ID
	return runSteering(runTitle(r), done, func() error { return act(control, id) })
}

// runSteering runs act in a command, and says what came of it.
func runSteering(name, done string, act func() error) tea.Cmd {
	return func() tea.Msg {
		if err := act(); err != nil {
			return steered{err: fmt.Errorf("%s: %w", name, err)}
		}
		return steered{text: name + ": " + done}
	}
}
