package runs

import (
	"github.com/charmbracelet/lipgloss"

	"concord/eval"
	"concord/tui/widget"
)

// state is a run's state in words: what a runner says, else what is stored.
func state(r Row) string {
	if r.Progress.State != eval.StateUnset {
		return r.Progress.State.String()
	}
	done, total := r.Progress.Questions()
	switch {
	case r.Run.Config.Origin == eval.Imported:
		return "imported"
	case total > 0 && done >= total:
		return "done"
	}
	return "stopped"
}

// glyph is the same as one sign and its style.
func glyph(t *widget.Theme, r Row) (string, lipgloss.Style) {
	switch state(r) {
	case "running":
		return "●", t.Accent
	case "paused":
		return "‖", t.Warn
	case "holding":
		return "◐", t.Warn
	case "done", "imported":
		return "✓", t.Good
	case "failed":
		return "✗", t.Bad
	case "waiting":
		return "○", t.Faint
	}
	return "■", t.Faint
}

// resumes reports whether a run rests and would go on.
func resumes(r Row) bool {
	switch r.Progress.State {
	case eval.Running, eval.Waiting, eval.Holding:
		return false
	case eval.Paused, eval.Cancelled, eval.Failed, eval.Done, eval.StateUnset:
	}
	return true
}

// whyNotPause says why a run can be neither paused nor resumed; "" when it
// can.
func whyNotPause(r Row) string {
	done, total := r.Progress.Questions()
	switch {
	case r.Run.Config.Origin == eval.Imported:
		return "imported from a file: there is nothing to pause"
	case r.Progress.State == eval.Done || !r.Live && total > 0 && done >= total:
		return "this run is done"
	}
	return ""
}

// whyNotCancel says why a run cannot be cancelled; "" when it can.
func whyNotCancel(r Row) string {
	switch {
	case r.Run.Config.Origin == eval.Imported:
		return "imported from a file: there is nothing to cancel"
	case !r.Live || r.Progress.State.Final():
		return "this run is not running"
	}
	return ""
}

// whyNotRetry says why what failed in a run cannot be asked again; "" when it
// can.
func whyNotRetry(r Row) string {
	failed := r.Progress.Counts.Failures
	for _, j := range r.Progress.Judges {
		failed += j.Counts.Failures
	}
	switch {
	case r.Run.Config.Origin == eval.Imported:
		return "imported from a file: nobody can be asked again"
	case moves(r):
		return "it is still at work: what failed can be asked again when it has ended"
	case failed == 0:
		return "nothing failed in this run"
	}
	return ""
}
