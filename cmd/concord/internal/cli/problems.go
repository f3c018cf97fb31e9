package cli

import (
	"fmt"

	"concord/eval/dataset"
)

// ShownProblems is how many skipped rows are shown on a terminal: a file that
// does not fit its dataset would show nothing else. Into a file or a pipe go
// all of them.
const ShownProblems = 20

// Problem prints one row that was skipped, as it happens.
func (e *Env) Problem(p dataset.Problem) {
	e.problems++
	switch {
	case e.problems <= ShownProblems || !e.IsTerm:
		_, _ = fmt.Fprintf(e.Err, "%s\n", Visible(p.String()))
	case e.problems == ShownProblems+1:
		_, _ = fmt.Fprintln(e.Err, "... further rows are counted, not shown (2>FILE keeps every one)")
	}
}
