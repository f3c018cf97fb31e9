package samples

import (
	"fmt"

	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/widget"
)

// face draws the rows of a query.
type face struct {
	theme *widget.Theme
	query *Query
}

func (m face) columns(width int) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "sample", Width: max(12, min(28, width/6)), Name: true},
		{Title: "pass", Width: 4, Right: true},
		{Title: "read", Width: 9},
		{Title: "truth", Width: 5},
		{Title: "method", Width: 16, Least: 110},
		{Title: "answer", Width: 10, Grow: 1},
	}
	if m.query.Alone {
		columns = []widget.Column{columns[0], columns[1], columns[4], {Title: "question", Width: 10, Grow: 1}}
	}
	if m.query.People {
		columns[4] = widget.Column{Title: "people", Width: 14}
	}
	return columns
}

const blindText = "blind until you have answered"

func (m face) cells(r *Row) []string {
	t := m.theme
	sample, pass := widget.Line(string(r.Sample)), fmt.Sprint(r.Key.Pass)
	if !r.Visibility.ShowsText() {
		return []string{t.Faint.Render("·"), sample, pass, "", "", "", t.Faint.Render(blindText)}
	}
	other, verdict := truth(t, r), verdict(t, r)
	if m.query.People { // it is about people's word, not the truth
		other, verdict = widget.Line(r.Said), " "
	}
	if r.Visibility == blind.TruthHidden && !m.query.People {
		other, verdict = t.Faint.Render("blind"), t.Faint.Render("·")
	}
	answer := widget.Line(widget.Head(r.Text))
	if m.query.Alone {
		return []string{" ", sample, other, answer}
	}
	if r.Failure != "" {
		answer = t.Bad.Render("✗ " + widget.Line(r.Failure))
	}
	if r.Why != "" {
		answer = t.Warn.Render(widget.Line(r.Why)) + "  " + answer
	}
	return []string{verdict, sample, pass, reading(t, r.Reading), other, widget.Line(r.Reading.Method), answer}
}

func verdict(t *widget.Theme, r *Row) string {
	switch r.Verdict {
	case Right:
		return t.Good.Render("✓")
	case Wrong:
		return t.Bad.Render("✗")
	case Unscored:
		return t.Warn.Render("?")
	case VerdictUnset:
	}
	return " "
}

func truth(t *widget.Theme, r *Row) string {
	if r.Truth == "" {
		return t.Faint.Render("–")
	}
	return widget.Line(string(r.Truth))
}

func reading(t *widget.Theme, e eval.Extraction) string {
	if e.IsFound() {
		return "→ " + widget.Line(string(e.Choice))
	}
	if e.Status == eval.StatusUnset {
		return ""
	}
	return t.Warn.Render(e.Status.String())
}
