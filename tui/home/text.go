package home

import (
	"fmt"

	"concord/tui/widget"
)

// countOf writes how many of how many.
func countOf(done, total int) string {
	return widget.FormatCount(done) + " of " + widget.FormatCount(total)
}

// formatPercent gives whole percents; less than all is never 100.
func formatPercent(k, n int) string {
	if n <= 0 {
		return "–"
	}
	return fmt.Sprintf("%d %%", 100*k/n)
}

// mark stands before names of what is synthetic: a name may be cut at its
// end.
const mark = "*"

// noStarter says why no run can be started.
const noStarter = "runs cannot be started here: the project is open read-only, or without its endpoints"
