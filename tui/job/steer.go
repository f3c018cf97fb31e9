package job

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"concord/tui/keymap"
	"concord/tui/widget"
)

// Steering is what can be done with a job.
type Steering uint8

// The steerings. The zero value is unset.
const (
	SteeringUnset Steering = iota
	PauseOrResume
	Cancel
	Retry
)

// Steer does that in a command, which says what came of it; where it cannot
// be, it says why. A nil control steers nothing. keys writes the screen's.
func Steer(ctx context.Context, c Control, r *Row, s Steering, keys *keymap.Spelling) tea.Cmd {
	why, done := "", ""
	var act func() error
	id := r.ID
	switch s {
	case PauseOrResume:
		why, done, act = r.NoPause, "paused; calls in flight finish", func() error { return c.PauseJob(id) }
		if r.Resumes() {
			done, act = "continues", func() error { return c.ResumeJob(ctx, id) }
		}
	case Cancel:
		why, done, act = r.NoCancel, keys.Keyed("cancelled; {p} continues from here"), func() error { return c.CancelJob(id) }
	case Retry:
		why, done, act = r.NoRetry, "asking again what failed", func() error { return c.RetryJob(ctx, id) }
		if r.Tally.Failed == 0 {
			done = "asking again what holds no " + r.Facts()
		}
	case SteeringUnset:
	}
	switch {
	case act == nil:
		return nil
	case c == nil:
		return widget.Tell(widget.Info, "this project is open read-only")
	case why != "":
		return widget.Tell(widget.Info, why)
	}
	name := r.Title()
	return func() tea.Msg {
		if err := act(); err != nil {
			return widget.Notify{Level: widget.Problem, Text: fmt.Sprintf("%s: %v", name, err)}
		}
		return widget.Notify{Level: widget.Info, Text: name + ": " + done}
	}
}

// Question asks whether the job is to be cancelled, in a dialog of that size.
func (r *Row) Question(t *widget.Theme, keys *keymap.Spelling, width, height int) []string {
	text := "Cancel the " + r.Title() + "? Calls in flight finish, every reply stays stored, and " + keys.Spelled("p") + " continues from there."
	if r.Shares > 0 {
		text += " " + widget.Plural(r.Shares, "other comparison") + " of the same order end too."
	}
	lines := widget.Wrap(text, min(56, width-6))
	lines = append(lines, "", t.Key.Render("n/enter")+" keep it running   "+t.Key.Render("y")+" cancel it")
	return t.Dialog("Cancel", lines, width, height)
}
