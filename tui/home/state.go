package home

import (
	"fmt"
	"strings"

	"concord/eval"
	"concord/tui/widget"
)

// stateText gives a run's state in words: what a runner says, else what is stored. A
// run that was judged only is as it was before.
func stateText(r Row) string {
	switch s := r.Progress.State; {
	case s == eval.Running && r.Progress.JudgesOnly:
		return "judging"
	case s != eval.StateUnset && !wereOnlyJudgesRunning(r):
		return s.String()
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

// canResume reports whether a run rests and would go on.
func canResume(r Row) bool {
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
	case isImported(r) && !isMoving(r) && (!r.Progress.JudgesOnly || wereOnlyJudgesRunning(r)):
		return "imported from a file: there is nothing to pause"
	case isMoving(r):
		return ""
	case r.Progress.State == eval.Done && !wereOnlyJudgesRunning(r) || (!r.Live || wereOnlyJudgesRunning(r)) && total > 0 && done >= total:
		return "this run is done"
	}
	return ""
}

// whyNotCancel says why a run cannot be cancelled; "" when it can.
func whyNotCancel(r Row) string {
	switch {
	case isImported(r) && !isMoving(r):
		return "imported from a file: there is nothing to cancel"
	case !r.Live || r.Progress.State.IsFinal():
		return "this run is not running"
	}
	return ""
}

// whyNotRetry says why what failed in a run cannot be asked again; "" when it
// can. Keys stand in braces.
func whyNotRetry(r Row) string {
	failed := r.Progress.Counts.Failures
	for _, j := range r.Progress.Judges {
		failed += j.Counts.Failures
	}
	switch {
	case isMoving(r):
		return "it is still at work: what failed can be asked again when it has ended"
	case isImported(r) && failed == r.Progress.Counts.Failures:
		return "imported from a file: nobody can be asked again"
	case isImported(r) && !r.Progress.JudgesOnly:
		return "{J} asks its judges again"
	case failed == 0:
		return "nothing failed in this run"
	}
	return ""
}

// whyNotJudge says why there is nothing in a run for a judge; "" when there
// is, or may come.
func whyNotJudge(r Row) string {
	c := r.Progress.Counts
	switch {
	case isGrowing(r) || c.Unparsable() > 0:
		return ""
	case c.Predictions == c.Failures:
		return "there are no answers to judge in this run"
	}
	return "the rules read every answer of this run: nothing is left to judge"
}

// isJudging reports whether judges, and nobody else, are at work on a run.
func isJudging(r Row) bool { return isMoving(r) && r.Progress.JudgesOnly }

// countWorked counts how much of a run's work is done, of how much: that of its judges
// where only they are at work.
func countWorked(r Row) (done, total int) {
	if isJudging(r) {
		return countReadings(r.Progress)
	}
	return r.Progress.Questions()
}

// countReadings counts how much of what the rules left was read, by the judges at work
// together, and of how much.
func countReadings(p eval.Progress) (done, total int) {
	for _, j := range p.Judges {
		if j.Asked {
			done += min(j.Counts.Judged, p.Counts.Unparsable())
			total += p.Counts.Unparsable()
		}
	}
	return done, total
}

func isImported(r Row) bool { return r.Run.Config.Origin == eval.Imported }

// isGrowing reports whether answers of the model come in.
func isGrowing(r Row) bool { return isMoving(r) && !r.Progress.JudgesOnly }

// wereOnlyJudgesRunning reports whether only judges were at work on a run, and have ended: to
// cancel them ends nothing that the run itself is for.
func wereOnlyJudgesRunning(r Row) bool {
	p := r.Progress
	return p.JudgesOnly && (p.State == eval.Done || p.State == eval.Cancelled && !isImported(r))
}

// isMoving reports whether a run is worked on, so that its numbers change.
func isMoving(r Row) bool {
	return r.Live && !r.Progress.State.IsFinal() && r.Progress.State != eval.StateUnset
}

// runTitle names a run in messages.
func runTitle(r Row) string {
	out := fmt.Sprintf("%s on %s", widget.CleanLine(r.Run.Config.Model), widget.CleanLine(string(r.Run.Config.Dataset)))
	if g := describeInput(r); g != "" {
		out += ", " + g
	}
	return out
}

// describeInput describes what the model is given instead of the pictures; "" when it is
// given these.
func describeInput(r Row) string {
	switch g := r.Run.Config.Modality; g {
	case eval.TextOnly, eval.GreyImage, eval.BaseText, eval.WithoutImages:
		return g.String()
	case eval.ModalityUnset, eval.WithImage:
	}
	return ""
}

// formatAmount gives the cost; one that not every price is known of is at least so
// much.
func formatAmount(p eval.Progress) string {
	switch {
	case p.Priced:
		return widget.FormatMoney(p.Cost)
	case p.Cost > 0:
		return "≥" + widget.FormatMoney(p.Cost)
	}
	return "–"
}

// cleanMessage gives a failure's message without the endpoint and the model where that is
// the run's own: they would fill the line.
func cleanMessage(r Row, text string) string {
	for _, name := range []string{r.Run.Config.Model, r.Run.Config.Settings.Name} {
		before, rest, ok := strings.Cut(text, fmt.Sprintf("model %q: ", name))
		if i := strings.LastIndex(before, "endpoint "); ok && i >= 0 {
			return before[:i] + rest
		}
	}
	return text
}
