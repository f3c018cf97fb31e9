package main

import (
	"fmt"

	"concord/eval/dataset"
)

// shownProblems is how many skipped rows are shown on a terminal: a file that
// does not fit its dataset would show nothing else. Into a file or a pipe go
// all of them.
const shownProblems = 20

// problem prints one row that was skipped, as it happens.
func (e *env) problem(p dataset.Problem) {
	e.problems++
	switch {
	case e.problems <= shownProblems || !e.isTerm:
		_, _ = fmt.Fprintf(e.err, "%s\n", visible(p.String()))
	case e.problems == shownProblems+1:
		_, _ = fmt.Fprintln(e.err, "... further rows are counted, not shown (2>FILE keeps every one)")
	}
}
