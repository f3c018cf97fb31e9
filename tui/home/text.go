package home

import (
	"fmt"

	"concord/tui/widget"
)

// of writes how many of how many.
func of(done, total int) string { return widget.Count(done) + " of " + widget.Count(total) }

func share(k, n int) float64 {
	if n <= 0 {
		return 0
	}
	return float64(k) / float64(n)
}

// percent is whole percents; less than all is never 100.
func percent(k, n int) string {
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
