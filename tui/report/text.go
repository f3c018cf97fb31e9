package report

import (
	"fmt"

	"concord/eval/metric"
	"concord/tui/widget"
)

// rateText is a rate in percent with its interval.
func rateText(r metric.Rate) string {
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*r.Value, 100*r.Low, 100*r.High)
}

// countText is what a rate counted, in width cells; n alone in fewer.
func countText(r metric.Rate, width int) string {
	if s := widget.Count(r.K) + "/" + widget.Count(r.N); widget.Width(s) <= width {
		return s
	}
	return widget.Count(r.N)
}

// whole is a rate in one piece, for panes.
func whole(r metric.Rate) string {
	if r.N == 0 {
		if r.Undefined == "" {
			return "– nothing to count"
		}
		return "– " + widget.Line(r.Undefined)
	}
	return rateText(r) + "  " + widget.Count(r.K) + "/" + widget.Count(r.N)
}
