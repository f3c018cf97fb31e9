package cli

import (
	"strings"
	"testing"

	"concord/eval/dataset"
)

// Every row that cannot be read is told of where all of them have room.
func TestProblemsAreToldInFull(t *testing.T) {
	check := func(isTerm bool, want int) {
		t.Helper()
		var errs strings.Builder
		a := &Env{Streams: Streams{Err: &errs, IsTerm: isTerm}}
		for i := range 500 {
			a.PrintSkippedRow(dataset.Problem{File: "a.tsv", Line: i + 2, Reason: "the row has no index"})
		}
		if got := strings.Count(errs.String(), "\n"); got != want {
			t.Errorf("on a terminal %v: %d lines, want %d", isTerm, got, want)
		}
	}
	check(false, 500)
	check(true, ShownProblems+1)
}
