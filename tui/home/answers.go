package home

import (
	"fmt"

	"concord/eval"
	"concord/tui/job"
	"concord/tui/widget"
)

// answers are a list of predictions of one run: the latest ones, or the
// latest errors. Until somebody moves in it, it follows what comes in; then
// it stands still, and says how much has come since.
type answers struct {
	of     eval.RunID
	errors bool
	rows   []Answer
	at     widget.Cursor
	held   bool     // somebody moves in it
	next   []Answer // what came in meanwhile
}

// show takes what was read.
func (a *answers) show(of eval.RunID, errors bool, rows []Answer, height int) {
	switch {
	case a.of != of || a.errors != errors:
		*a = answers{of: of, errors: errors, rows: rows}
	case a.held:
		a.next = rows
	default:
		a.rows = rows
	}
	a.at.Set(a.at.At, len(a.rows), height)
}

// follow shows what has come in, from the top.
func (a *answers) follow() {
	if a.held && a.next != nil {
		a.rows = a.next
	}
	a.held, a.next, a.at = false, nil, widget.Cursor{}
}

func (a *answers) move(by, height int) {
	a.held = len(a.rows) > 0
	a.at.Move(by, len(a.rows), height)
}

// fresh is how many have come since the list stands still; with all of them
// new there may be more.
func (a *answers) fresh() (n int, more bool) {
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

// hidden says why there are fewer errors than the run counts.
func (a *answers) hidden(r Row) string {
	all := r.Progress.Counts.Failures
	if a.of != r.Run.ID || !a.errors || len(a.rows) >= min(all, many) {
		return ""
	}
	return of(len(a.rows), all) + "; others tell of items that are yet to be answered"
}

func answerLine(m *board, r Row, a Answer, width int) string {
	t := m.theme
	name := t.Faint.Render(widget.Fit(fmt.Sprintf("%s.%d", widget.Line(string(a.Sample)), a.Key.Pass), max(8, min(18, width/4))))
	switch {
	case !a.Visibility.ShowsText():
		return widget.Cut(name+" "+t.Faint.Render("blind until you have answered"), width)
	case a.Failure != "":
		return widget.Ends(name+" "+t.Bad.Render("✗ "+job.Clip(told(r, a.Failure))), t.Faint.Render(tried(a)), width)
	}
	reading := t.Warn.Render(a.Reading.Status.String())
	if a.Reading.IsFound() {
		reading = t.Good.Render("→ " + widget.Line(string(a.Reading.Choice)))
	}
	return widget.Ends(name+" "+job.Clip(a.Text), reading, width)
}

// tried is what kind of failure it is, and how often it came.
func tried(a Answer) string {
	out := ""
	if a.Kind != eval.FailureUnset {
		out = a.Kind.String()
	}
	if a.Attempts > 1 {
		out = job.Join(out, fmt.Sprintf("%d times", a.Attempts))
	}
	return out
}

func (a *answers) copied() (what, text string) {
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
