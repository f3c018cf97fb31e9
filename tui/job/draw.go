package job

import (
	"fmt"

	"concord/eval"
	"concord/tui/widget"
)

// Glyph is the state as one sign, and its style.
func (r *Row) Glyph(t *widget.Theme) (string, widget.CachedStyle) {
	switch r.State() {
	case "running":
		return "●", t.Accent
	case "paused":
		return "‖", t.Warn
	case "holding":
		return "◐", t.Warn
	case "done":
		return "✓", t.Good
	case "failed":
		return "✗", t.Bad
	case "waiting":
		return "○", t.Faint
	}
	return "■", t.Faint
}

// Share is how much of the job is done, for bars; 0 when that is not known.
func (r *Row) Share() float64 {
	if r.Tally.Wanted <= 0 {
		return 0
	}
	return min(1, float64(r.Tally.Done())/float64(r.Tally.Wanted))
}

// Percent is the same in whole percents; less than all is never 100.
func (r *Row) Percent() string {
	if r.Tally.Wanted <= 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", min(100, 100*r.Tally.Done()/r.Tally.Wanted))
}

// Spent is what the row's calls cost; those of unknown prices at least so
// much.
func (r *Row) Spent() string { return Amount(r.Cost, r.Priced) }

// Amount writes a cost that may not be known whole.
func Amount(cost float64, priced bool) string {
	switch {
	case priced:
		return widget.Money(cost)
	case cost > 0:
		return "≥" + widget.Money(cost)
	}
	return "–"
}

// Columns are those of a list of jobs, with bars of that width.
func Columns(bar int) []widget.Column {
	return []widget.Column{
		{Title: "", Width: 1},
		{Title: "state", Width: 9},
		{Title: "model : anchor", Width: 14, Grow: 4, Name: true},
		{Title: "judge", Width: 8, Grow: 2, Name: true},
		{Title: "sees", Width: 15, Least: 112},
		{Title: "", Width: bar},
		{Title: "", Width: 5, Right: true},
		{Title: "votes", Width: 13, Right: true, Least: 100},
		{Title: "failed", Width: 6, Right: true, Least: 72},
		{Title: "unparsed", Width: 8, Right: true, Least: 90},
		{Title: "rate", Width: 7, Right: true, Least: 146},
		{Title: "left", Width: 10, Right: true, Least: 158},
		{Title: "cost", Width: 9, Right: true, Least: 134},
	}
}

// Cells are the row's cells under Columns.
func (r *Row) Cells(t *widget.Theme, bar int) []string {
	sign, style := r.Glyph(t)
	rate, left := "", ""
	if r.Progress.State == eval.Running && r.State() == "running" {
		rate = widget.Rate(r.Progress.Rate)
		if d, ok := r.Progress.ETA(); ok {
			left = widget.Span(d)
		}
	}
	failed := widget.Count(r.Tally.Failed)
	if r.Tally.Failed > 0 {
		failed = t.Bad.Render(failed)
	}
	return []string{
		style.Render(sign), style.Render(r.State()), r.Pair(), widget.Line(r.Asked), r.Ballot(),
		t.Bar(bar, r.Share()), r.Percent(), r.Progressed(), failed, widget.Count(r.Tally.Unparsed), rate, left, r.Spent(),
	}
}

// Progressed is how many facts there are, and of how many.
func (r *Row) Progressed() string {
	if r.Tally.Wanted <= 0 {
		return widget.Count(r.Tally.Done())
	}
	return widget.Count(r.Tally.Done()) + "/" + widget.Count(r.Tally.Wanted)
}
