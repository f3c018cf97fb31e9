package runs

import (
	"fmt"
	"testing"

	"concord/eval"
)

func TestMergeKeepsPlaces(t *testing.T) {
	check := func(old, fresh []int, want string) {
		t.Helper()
		// An id is a tens digit; the ones digit is news about it.
		got := merge(old, fresh, func(n int) int { return n / 10 })
		if fmt.Sprint(got) != want {
			t.Errorf("%v and then %v give %v, want %s", old, fresh, got, want)
		}
	}
	check(nil, []int{10, 20}, "[10 20]")
	check([]int{10, 20}, []int{21, 11}, "[11 21]")
	check([]int{20, 10}, []int{11, 21, 30}, "[21 11 30]")
	check([]int{10, 20, 30}, []int{31, 11}, "[11 31]")
	check([]int{10}, nil, "[]")
}

func TestStateAndWhatCanBeDone(t *testing.T) {
	check := func(name string, origin eval.Origin, s eval.State, live bool, done int, want string) {
		t.Helper()
		r := Row{Run: eval.Run{Config: eval.Config{Origin: origin}}, Live: live}
		r.Progress = eval.Progress{State: s, Total: 10, Counts: eval.Counts{Questions: done}}
		can := ""
		if whyNotPause(r) == "" {
			can += " pause"
			if resumes(r) {
				can += " resume"
			}
		}
		if whyNotCancel(r) == "" {
			can += " cancel"
		}
		if got := state(r) + can; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	check("imported", eval.Imported, eval.StateUnset, false, 4, "imported")
	check("running", eval.Asked, eval.Running, true, 4, "running pause cancel")
	check("waiting", eval.Asked, eval.Waiting, true, 0, "waiting pause cancel")
	check("paused", eval.Asked, eval.Paused, true, 4, "paused pause resume cancel")
	check("done", eval.Asked, eval.Done, true, 10, "done")
	check("done before", eval.Asked, eval.StateUnset, false, 10, "done")
	check("left off", eval.Replayed, eval.StateUnset, false, 4, "stopped pause resume")
	check("failed", eval.Asked, eval.Failed, false, 4, "failed pause resume")
	check("cancelled here", eval.Asked, eval.Cancelled, true, 4, "cancelled pause resume")
	check("cancelled", eval.Asked, eval.Cancelled, false, 4, "cancelled pause resume")
}
