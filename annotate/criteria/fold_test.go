package criteria

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

// script does acts written as "who what", one after the other, and demands
// that the last one is refused with want, or that none is when want is nil.
func script(t *testing.T, want error, lines ...string) Set {
	t.Helper()
	s := NewSet("d", 7)
	for i, line := range lines {
		next, err := s.WithAct(parseAct(t, &s, line))
		switch last := i == len(lines)-1; {
		case last && !errors.Is(err, want):
			t.Fatalf("%s: got %v, want %v", line, err, want)
		case !last && err != nil:
			t.Fatalf("%s: %v", line, err)
		}
		s = next
	}
	folded := FoldActs("d", 7, s.History.Acts)
	if got, want := sum(&folded), sum(&s); got != want {
		t.Errorf("folded anew %s, step by step %s", got, want)
	}
	return s
}

func sum(s *Set) string {
	pending := 0
	if s.Pending != nil {
		pending = int(s.Pending.N)
	}
	return fmt.Sprint(s.State, s.Round, len(s.Revisions), s.Criteria(), pending, len(s.Requests), s.Type, s.Assignee,
		s.Removed != nil, s.Reviewer, s.Verifier, s.Ticks, s.Authors(), s.History.Gone, len(s.History.Illegal))
}

func parseAct(t *testing.T, s *Set, line string) Act {
	t.Helper()
	f := strings.SplitN(line, " ", 3)
	kind, err := ParseKind(f[1])
	if err != nil {
		t.Fatal(err)
	}
	a := s.NewAct(kind, annotate.Annotator(f[0]), time.Unix(int64(len(s.History.Acts)), 0).UTC())
	if len(f) < 3 {
		return a
	}
	switch kind {
	case Drafted, Revised:
		for text := range strings.SplitSeq(f[2], "|") {
			a.Criteria = append(a.Criteria, Criterion{Type: ExactReference, Text: text})
		}
		if kind == Revised {
			a.Reason = "because"
		}
	case TookBack:
		_, _ = fmt.Sscan(f[2], &a.Target)
	case TypeSet:
		if a.Type, err = eval.ParseQuestionType(f[2]); err != nil {
			t.Fatal(err)
		}
	case Assigned:
		a.Assignee = annotate.Annotator(f[2])
	case Replaced:
		a.Other = eval.SampleID(f[2])
	case Discarded:
		a.Reason = f[2]
	default:
		a.Text = f[2]
	}
	return a
}

func TestIllegal(t *testing.T) {
	check := func(want error, lines ...string) { t.Helper(); script(t, want, lines...) }
	review := []string{"ann draft x", "ann submit"}
	with := func(more ...string) []string { return append(append([]string(nil), review...), more...) }

	check(ErrIncomplete, "ann submit")
	check(ErrIncomplete, "ann revise x")
	check(ErrNotInReview, "bob accept")
	check(ErrNotInReview, "ann draft x", "bob accept")
	check(ErrNotInReview, "ann draft x", "bob request_changes why")
	check(ErrNotInReview, "ann draft x", "bob verify")
	check(ErrOwn, with("ann accept")...)
	check(ErrOwn, with("ann request_changes why")...)
	check(ErrOwn, with("bob accept", "ann verify")...)
	check(ErrOwn, "ann draft x", "bob draft y", "bob submit", "bob accept")
	check(ErrOwn, with("bob request_changes why", "bob revise y", "bob accept")...)
	check(ErrUnresolved, with("bob request_changes why", "cat accept")...)
	check(ErrUnresolved, with("bob request_changes why", "bob accept")...)
	check(ErrUnresolved, with("bob request_changes why", "cat verify")...)
	check(ErrUnresolved, with("bob request_changes why", "ann submit")...)
	check(ErrUnresolved, with("bob accept", "cat request_changes why", "cat verify")...)
	check(ErrIncomplete, with("bob verify")...)
	check(ErrIncomplete, with("bob accept", "ann revise y", "bob verify")...)
	check(ErrIncomplete, with("bob request_changes")...)
	check(ErrIncomplete, with("bob comment")...)
	check(ErrIncomplete, "ann discard")
	check(ErrIncomplete, "ann replace 9")
	check(ErrNothing, with("ann submit")...)
	check(ErrNothing, with("bob accept", "cat accept")...)
	check(ErrNothing, with("bob accept", "bob verify", "cat verify")...)
	check(ErrNothing, with("ann revise x")...)
	check(ErrNothing, "ann type compound", "bob type compound")
	check(ErrNothing, "ann assign bob", "ann assign bob")
	check(ErrDiscarded, "ann discard blurred", "ann draft x")
	check(ErrDiscarded, with("bob discard blurred", "bob accept")...)
	check(ErrDiscarded, "ann discard blurred", "bob discard blurred")
	check(ErrNothing, "ann discard blurred", "ann replace 9", "ann replace 8")
	check(ErrNotYours, with("bob undo 1")...)
	check(ErrNothing, with("ann undo 9")...)
	check(ErrNothing, with("ann undo 2", "ann undo 2")...)
	check(ErrRelied, with("ann undo 1")...)
	check(ErrRelied, with("bob accept", "ann undo 2")...)
	check(ErrRelied, "ann discard blurred", "bob replace 9", "ann undo 1")
}

func TestStates(t *testing.T) {
	check := func(want string, lines ...string) {
		t.Helper()
		s := script(t, nil, lines...)
		if got := fmt.Sprintf("%s round %d revisions %d", s.State, s.Round, len(s.Revisions)); got != want {
			t.Errorf("%v: got %s, want %s", lines, got, want)
		}
	}
	check("draft round 0 revisions 1", "ann draft x", "ann draft x|y", "ann draft z")
	check("draft round 0 revisions 2", "ann draft x", "bob draft y")
	check("draft round 0 revisions 2", "ann draft x", "ann revise y")
	check("in_review round 1 revisions 1", "ann draft x", "ann submit")
	check("in_review round 1 revisions 2", "ann draft x", "ann submit", "ann revise y")
	check("changes_requested round 1 revisions 1", "ann draft x", "ann submit", "bob request_changes why", "ann draft y")
	check("in_review round 2 revisions 2", "ann draft x", "ann submit", "bob request_changes why", "ann revise y")
	check("in_review round 2 revisions 2", "ann draft x", "ann submit", "bob request_changes why", "ann revise x")
	check("in_review round 1 revisions 1", "ann draft x", "ann submit", "bob request_changes why", "bob undo 3")
	check("changes_requested round 1 revisions 1", "ann draft x", "ann submit", "bob request_changes why", "bob undo 3", "bob undo 4")
	check("accepted round 2 revisions 2", "ann draft x", "ann submit", "bob request_changes why", "ann revise y", "bob accept")
	check("verified round 1 revisions 1", "ann draft x", "ann submit", "bob accept", "bob verify")
	check("changes_requested round 1 revisions 1", "ann draft x", "ann submit", "bob accept", "cat request_changes why")
	check("in_review round 2 revisions 2", "ann draft x", "ann submit", "bob accept", "bob verify", "ann revise y")
	check("verified round 1 revisions 1", "ann draft x", "ann submit", "bob accept", "bob verify", "ann revise y", "ann undo 5")
	check("unwritten round 0 revisions 0", "ann draft x", "ann undo 1")
	check("draft round 0 revisions 1", "ann draft x", "ann undo 1", "ann undo 2")
	check("unwritten round 0 revisions 0", "ann type compound", "bob type open-ended", "cat type compound", "bob undo 2")
	check("draft round 0 revisions 1", "ann draft x", "bob discard blurred", "bob replace 9", "bob undo 3", "bob undo 2")
}

func TestPendingAndTicks(t *testing.T) {
	s := script(t, nil, "ann draft x", "ann submit", "bob request_changes why", "ann draft y")
	if s.Pending == nil || s.Criteria()[0].Text != "x" || len(s.Requests) != 1 || s.Requests[0].Text != "why" {
		t.Errorf("%+v", s)
	}
	a := s.NewAct(Revised, "ann", time.Time{})
	a.Criteria, a.Reason = s.Pending.Criteria, "as bob asked"
	s, err := s.WithAct(a)
	if r, _ := s.CurrentRevision(); err != nil || s.Pending != nil || r.Number != 2 || r.Round != 1 || r.Reason != "as bob asked" {
		t.Errorf("%v %+v", err, s)
	}
	b := s.NewAct(Accepted, "bob", time.Time{})
	b.Ticks = []Tick{{Clarity, true}, {License, false}}
	s, err = s.WithAct(b)
	if err != nil || len(s.Ticks) != 2 || s.Ticks[License].OK || b.Round != 2 {
		t.Errorf("%v %+v", err, s.Ticks)
	}
	if n, ok := s.LastUndoable("bob"); !ok || n != b.N {
		t.Errorf("undoable %d %v", n, ok)
	}
	if n, ok := s.LastUndoable("ann"); ok {
		t.Errorf("the revision %d was accepted, and can be taken back", n)
	}
	undo := s.NewAct(TookBack, "bob", time.Time{})
	undo.Target = b.N
	if s, err = s.WithAct(undo); err != nil || s.State != InReview || s.Ticks != nil {
		t.Errorf("%v %+v", err, s)
	}
	if n, ok := s.LastRedoable("bob"); !ok || n != undo.N {
		t.Errorf("redoable %d %v", n, ok)
	}
}

func TestMay(t *testing.T) {
	check := func(who annotate.Annotator, want string, lines ...string) {
		t.Helper()
		s := script(t, nil, lines...)
		var got []string
		for k := Drafted; k <= TookBack; k++ {
			if s.CheckKindAllowed(k, who) == nil {
				got = append(got, k.String())
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s after %v may %s, want %s", who, lines, strings.Join(got, " "), want)
		}
	}
	check("bob", "draft revise submit comment discard type assign", "ann draft x")
	check("ann", "draft revise comment discard type assign undo", "ann draft x", "ann submit")
	check("bob", "draft revise comment request_changes accept discard type assign", "ann draft x", "ann submit")
	check("bob", "draft revise comment request_changes discard type assign", "ann draft x", "ann submit", "eve request_changes why")
	check("bob", "draft revise comment request_changes verify discard type assign", "ann draft x", "ann submit", "eve accept")
	check("ann", "comment replace undo", "ann discard blurred")
}

// Whatever acts are stored, folding them lets none count that was refused,
// and gives the same as doing them one by one.
func TestFoldRefuses(t *testing.T) {
	acts := script(t, nil, "ann draft x", "ann submit").History.Acts
	own := acts[1]
	own.Kind, own.N = Accepted, 3
	late := acts[1]
	late.Kind, late.N, late.Who = Accepted, 9, "bob"
	good := acts[1]
	good.Kind, good.N, good.Who = Accepted, 5, "bob"
	s := FoldActs("d", 7, append(acts, own, late, good))
	if s.State != Approved || s.Reviewer != "bob" || !errors.Is(s.History.Illegal[3], ErrOwn) || !errors.Is(s.History.Illegal[4], ErrConflict) || len(s.History.Illegal) != 2 {
		t.Errorf("%s %v", s.State, s.History.Illegal)
	}
}

// The set that an act is done to stays as it is.
func TestSetIsAValue(t *testing.T) {
	before := script(t, nil, "ann draft x", "ann submit", "bob request_changes why")
	was := sum(&before)
	for _, line := range []string{"ann revise y", "cat request_changes more", "bob undo 3", "ann draft z"} {
		if _, err := before.WithAct(parseAct(t, &before, line)); err != nil {
			t.Fatal(err)
		}
		if sum(&before) != was {
			t.Fatalf("%s changed the set before it", line)
		}
	}
}
