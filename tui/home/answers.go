package home

import (
	"fmt"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// answerList are a list of predictions of one run: the latest ones, or the
// latest errors. Until somebody moves in it, it follows what comes in; then
// it stands still, and says how much has come since.
type answerList struct {
	of     eval.RunID
	errors bool
	rows   []Answer
	at     widget.Cursor
	held   bool     // somebody moves in it
	next   []Answer // what came in meanwhile
}

// showRows takes what was read.
func (a *answerList) showRows(of eval.RunID, errors bool, rows []Answer, height int) {
	switch {
	case a.of != of || a.errors != errors:
		*a = answerList{of: of, errors: errors, rows: rows}
	case a.held:
		a.next = rows
	default:
		a.rows = rows
	}
	a.at.Set(a.at.At, len(a.rows), height)
}

// showNewest shows what has come in, from the top.
func (a *answerList) showNewest() {
	if a.held && a.next != nil {
		a.rows = a.next
	}
	a.held, a.next, a.at = false, nil, widget.Cursor{}
}

func (a *answerList) holdAndMove(by, height int) {
	a.held = len(a.rows) > 0
	a.at.MoveBy(by, len(a.rows), height)
}

// countNew counts how many have come since the list stands still; with all of them
// new there may be more.
func (a *answerList) countNew() (n int, more bool) {
	if len(a.rows) == 0 {
		return len(a.next), false
	}
	for i := range a.next {
		if a.next[i].Key == a.rows[0].Key {
			return i, false
		}
	}
	return len(a.next), len(a.next) > 0
}

// whyHidden says why there are fewer errors than the run counts.
func (a *answerList) whyHidden(r Row) string {
	all := r.Progress.Counts.Failures
	if a.of != r.Run.ID || !a.errors || len(a.rows) >= min(all, many) {
		return ""
	}
	return countOf(len(a.rows), all) + "; others tell of items that are yet to be answered"
}

// readingWide is how wide the longest status of a reading is.
const readingWide = 9

// drawAnswer draws what was extracted, and out of which text.
func drawAnswer(m *projectBoard, r Row, a Answer, width int) string {
	t := m.theme
	name := t.Faint.Render(widget.FitWidth(fmt.Sprintf("%s.%d", widget.CleanLine(string(a.Sample)), a.Key.Pass), max(8, min(18, width/4), min(28, width/5))))
	switch {
	case !a.Visibility.ShowsText():
		return widget.CutWidth(name+" "+t.Faint.Render("blind until you have answered"), width)
	case a.Failure != "":
		return widget.JoinEnds(name+" "+t.Bad.Render("✗ "+job.ClipText(cleanMessage(r, a.Failure))), t.Faint.Render(describeFailure(a)), width)
	}
	reading := t.Warn.Render(a.Reading.Status.String())
	if a.Reading.IsFound() {
		reading = t.Good.Render(widget.CleanLine(string(a.Reading.Choice)))
	}
	return widget.CutWidth(name+" "+widget.FitWidth(reading, readingWide)+t.Faint.Render(" ← ")+job.ClipText(a.Text), width)
}

// describeFailure describes what kind of failure it is, and how often it came.
func describeFailure(a Answer) string {
	out := ""
	if a.Kind != eval.FailureUnset {
		out = a.Kind.String()
	}
	if a.Attempts > 1 {
		out = job.JoinTexts(out, fmt.Sprintf("%d times", a.Attempts))
	}
	return out
}

func (a *answerList) copyText() (what, text string) {
	if a.at.At >= len(a.rows) {
		return "", ""
	}
	switch r := &a.rows[a.at.At]; {
	case !r.Visibility.ShowsText():
		return "", ""
	case r.Failure != "":
		return "the error", r.Failure
	default:
		return "the answer", r.Text
	}
}
