package report

import (
	"fmt"

	"concord/eval/stat"
	"concord/tui/widget"
)

// rateHead is the heading over rateText.
const rateHead = "% [95 % interval]"

// rateText is a rate in percent with its interval, in columns.
func rateText(r stat.Rate) string {
	return fmt.Sprintf("%.1f [%s%4.1f, %5.1f]", 100*r.Value, sequenceMark(r.Sequence), 100*r.Low, 100*r.High)
}

// sequenceMark stands in an interval that holds at every look.
func sequenceMark(sequence bool) string {
	if sequence {
		return "seq "
	}
	return ""
}

// countText is what a rate counted: k/n, or n alone.
func countText(r stat.Rate, full bool) string {
	if full {
		return widget.Count(r.K) + "/" + widget.Count(r.N)
	}
	return widget.Count(r.N)
}

// whole is a rate in one piece, for panes.
func whole(r stat.Rate) string {
	if r.N == 0 {
		if r.Undefined == "" {
			return "– nothing to count"
		}
		return "– " + widget.Line(r.Undefined)
	}
	out := fmt.Sprintf("%.1f %% [%s%.1f, %.1f]  ", 100*r.Value, sequenceMark(r.Sequence), 100*r.Low, 100*r.High) + widget.Count(r.K) + "/" + widget.Count(r.N)
	if r.Sequence {
		out += "  seq: holds at every look"
	}
	if r.DesignEffect > 0 {
		out += fmt.Sprintf("  %s, design effect %.1f", widget.Plural(r.Clusters, "cluster"), r.DesignEffect)
	}
	return out
}
