package criteria

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"concord/annotate"
)

// Undoing everything step by step, and doing it again, comes back to the same.
func TestStepsUndoneAndRedone(t *testing.T) {
	check := func(steps int, lines ...string) {
		t.Helper()
		s := script(t, nil, lines...)
		whole := state(&s)
		var seen []string
		at := time.Unix(1e6, 0)
		move := func(step func(annotate.Annotator, time.Time) ([]Act, error)) bool {
			t.Helper()
			at = at.Add(time.Second)
			acts, err := step("ann", at)
			if err != nil {
				return false
			}
			for _, a := range acts {
				next, err := s.WithAct(a)
				if err != nil {
					t.Fatal(err)
				}
				s = next
			}
			return true
		}
		for move(func(w annotate.Annotator, at time.Time) ([]Act, error) { return s.Undo(w, at) }) {
			seen = append(seen, state(&s))
		}
		if len(seen) != steps || len(seen) > 0 && seen[len(seen)-1] != state(&Set{}) {
			t.Fatalf("%v: %d steps back, to %v", lines, len(seen), seen)
		}
		for i := range seen {
			want := whole
			if j := len(seen) - 2 - i; j >= 0 {
				want = seen[j]
			}
			if !move(func(w annotate.Annotator, at time.Time) ([]Act, error) { return s.Redo(w, at) }) || state(&s) != want {
				t.Fatalf("%v: step %d forth: %s, want %s", lines, i+1, state(&s), want)
			}
		}
	}
	check(1, "ann draft x", "ann draft xy", "ann draft xyz")
	check(3, "ann draft x", "ann draft xy", "ann type compound", "ann draft xyz", "ann draft xy")
	check(4, "ann assign bob", "ann draft x", "ann draft xy", "ann submit", "ann comment done")
}

func state(s *Set) string { return fmt.Sprint(s.State, s.Criteria(), s.Type, s.Assignee) }

func TestUndoSaysWhyNot(t *testing.T) {
	s := script(t, nil, "ann draft x", "ann submit", "bob accept")
	if _, err := s.Undo("ann", time.Time{}); !errors.Is(err, ErrRelied) {
		t.Errorf("undo of what was accepted: %v", err)
	}
	if _, err := s.Undo("eve", time.Time{}); !errors.Is(err, ErrNothing) {
		t.Errorf("undo of nothing: %v", err)
	}
	if _, err := s.Redo("ann", time.Time{}); !errors.Is(err, ErrNothing) {
		t.Errorf("redo of nothing: %v", err)
	}
}

func TestTurn(t *testing.T) {
	check := func(want PersonTask, who annotate.Annotator, lines ...string) {
		t.Helper()
		s := script(t, nil, lines...)
		if got := s.TaskFor(who); got != want {
			t.Errorf("%v: %s has turn %d, want %d", lines, who, got, want)
		}
	}
	check(NoTurn, "bob", "ann assign ann")
	check(ToWrite, "ann", "bob assign ann")
	check(ToWrite, "ann", "ann draft x")
	check(NoTurn, "bob", "ann draft x")
	check(NoTurn, "ann", "ann draft x", "ann submit")
	check(ToReview, "bob", "ann draft x", "ann submit")
	check(ToRevise, "ann", "ann draft x", "ann submit", "bob request_changes why")
	check(NoTurn, "bob", "ann draft x", "ann submit", "bob request_changes why")
	check(NoTurn, "ann", "ann draft x", "ann submit", "bob accept")
	check(ToVerify, "eve", "ann draft x", "ann submit", "bob accept")
	check(NoTurn, "eve", "ann draft x", "ann submit", "bob accept", "eve verify")
	check(NoTurn, "bob", "ann draft x", "ann submit", "ann discard blurred")
	check(ToTake, "bob", "ann comment hm")
}

func TestEveryTypeHasExamples(t *testing.T) {
	for _, k := range AllTypes() {
		if len(ExamplesOf(k)) < 2 || k.Title() == "" || k.Demand() == "" {
			t.Errorf("%s: %d examples", k, len(ExamplesOf(k)))
		}
	}
}
