package criteria

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
)

// Check says why an act cannot be done as the next one; nil when it can.
func (s *Set) Check(a *Act) error {
	err := s.check(a)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Kind, err)
	}
	return nil
}

func (s *Set) check(a *Act) error {
	switch {
	case a.Dataset != s.Dataset || a.Sample != s.Sample:
		return fmt.Errorf("the act is of sample %d of %s: %w", a.Sample, a.Dataset, ErrConflict)
	case a.N != uint32(len(s.History.Acts)+1):
		return fmt.Errorf("act %d comes next, not %d: %w", len(s.History.Acts)+1, a.N, ErrConflict)
	case a.Who == "":
		return fmt.Errorf("nobody did it: %w", ErrIncomplete)
	case a.Kind == TookBack:
		return s.mayTakeBack(a)
	}
	return s.allowed(a)
}

// allowed judges every act but TookBack by where the set stands.
func (s *Set) allowed(a *Act) error {
	if s.Removed != nil && a.Kind != Replaced && a.Kind != Commented {
		return fmt.Errorf("%w by %s", ErrDiscarded, s.Removed.Who)
	}
	if len(a.Ticks) > maxTicks || slices.ContainsFunc(a.Ticks, func(t Tick) bool { return t.Item == "" || len(t.Item) > maxTickName }) {
		return fmt.Errorf("the checklist has no such points: %w", ErrIncomplete)
	}
	switch a.Kind {
	case Drafted, Revised:
		return s.mayWrite(a)
	case Submitted:
		return s.State.maySubmit()
	case RequestedChanges, Accepted, Verified:
		return s.mayReview(a)
	case Commented:
		return need(a.Text, "a comment needs a text")
	case Discarded:
		return need(a.Reason, "a sample is discarded for a reason")
	case Replaced:
		return s.mayReplace(a)
	case TypeSet:
		return s.mayType(a)
	case Assigned:
		if a.Assignee == s.Assignee {
			return fmt.Errorf("it is with %q already: %w", a.Assignee, ErrNothing)
		}
		return nil
	case KindUnset, TookBack:
	}
	return fmt.Errorf("an act of an unknown kind: %w", ErrIncomplete)
}

func need(text, what string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s: %w", what, ErrIncomplete)
	}
	return nil
}

func (s *Set) mayWrite(a *Act) error {
	if err := valid(a.Criteria); err != nil {
		return err
	}
	if a.Kind == Drafted {
		return nil
	}
	last, ok := s.Current()
	if !ok {
		return fmt.Errorf("there is nothing to revise: %w", ErrIncomplete)
	}
	if err := need(a.Reason, "a revision needs a reason"); err != nil {
		return err
	}
	// Word for word the same may still answer a request: with its reason.
	if s.State != ChangesRequested && EqualLists(last.Criteria, a.Criteria) {
		return fmt.Errorf("revision %d says the same: %w", last.Number, ErrNothing)
	}
	return nil
}

// maySubmit says why criteria in this state cannot be submitted.
func (s State) maySubmit() error {
	switch s {
	case Unwritten:
		return fmt.Errorf("no criteria are written: %w", ErrIncomplete)
	case Draft:
		return nil
	case ChangesRequested:
		return fmt.Errorf("%w: revise them, which hands them in again", ErrUnresolved)
	case InReview, Approved, Checked:
	}
	return fmt.Errorf("they are %s: %w", s, ErrNothing)
}

func (s *Set) mayReview(a *Act) error {
	switch {
	case s.State == Unwritten || s.State == Draft:
		return fmt.Errorf("they are %s: %w", s.State, ErrNotInReview)
	case slices.Contains(s.authors, a.Who):
		return fmt.Errorf("%s wrote them: %w", a.Who, ErrOwn)
	}
	switch a.Kind {
	case RequestedChanges:
		return need(a.Text, "a request says what to change")
	case Accepted:
		switch s.State {
		case InReview:
			return nil
		case ChangesRequested:
			return s.Requests[len(s.Requests)-1].unresolved()
		default:
			return fmt.Errorf("they are %s: %w", s.State, ErrNothing)
		}
	default: // Verified
		switch s.State {
		case Approved:
			return nil
		case ChangesRequested:
			return s.Requests[len(s.Requests)-1].unresolved()
		case Checked:
			return fmt.Errorf("they are verified by %s: %w", s.Verifier, ErrNothing)
		default:
			return fmt.Errorf("nobody has accepted them: %w", ErrIncomplete)
		}
	}
}

func (r *Request) unresolved() error {
	return fmt.Errorf("%s waits: %w", r.Who, ErrUnresolved)
}

func (s *Set) mayReplace(a *Act) error {
	switch {
	case s.Removed == nil:
		return fmt.Errorf("only a discarded sample is replaced: %w", ErrIncomplete)
	case s.Removed.By != "":
		return fmt.Errorf("sample %s stands in for it: %w", s.Removed.By, ErrNothing)
	}
	return need(string(a.Other), "the sample that stands in")
}

func (s *Set) mayType(a *Act) error {
	switch {
	case a.Type == eval.TypeUnset || int(a.Type) >= eval.QuestionTypes:
		return fmt.Errorf("no type of a question: %w", ErrIncomplete)
	case a.Type == s.Type:
		return fmt.Errorf("the question is %s already: %w", a.Type, ErrNothing)
	}
	return nil
}

// mayTakeBack refuses to undo what a later act rests on: a submission, say,
// of what was accepted since.
func (s *Set) mayTakeBack(a *Act) error {
	if !s.History.Stands(a.Target) {
		return fmt.Errorf("act %d does not hold: %w", a.Target, ErrNothing)
	}
	target := &s.History.Acts[a.Target-1]
	if target.Who != a.Who {
		return fmt.Errorf("act %d is of %s: %w", a.Target, target.Who, ErrNotYours)
	}
	without := s.History
	without.Gone = without.takenBack(a)
	if _, err := replay(s.Dataset, s.Sample, without); err != nil {
		return fmt.Errorf("%w: %w", ErrRelied, err)
	}
	return nil
}

// May says why a person cannot do something of a kind now, whatever they would
// say in it; nil when they can. It is for screens that show what is possible.
func (s *Set) May(kind Kind, who annotate.Annotator) error {
	a := s.New(kind, who, time.Time{})
	const something = "-"
	a.Text, a.Reason, a.Other = something, something, something
	a.Criteria = []Criterion{{Text: something}}
	switch kind {
	case TypeSet:
		a.Type = eval.OpenEnded
		if s.Type == a.Type {
			a.Type = eval.Compound
		}
	case Assigned:
		if a.Assignee = something; s.Assignee == a.Assignee {
			a.Assignee = ""
		}
	case TookBack:
		a.Target, _ = s.Undoable(who)
	default:
	}
	return s.Check(&a)
}

// Undoable gives the number of the last act of a person, and whether they can
// take it back; 0 when there is none.
func (s *Set) Undoable(who annotate.Annotator) (uint32, bool) {
	return s.retractable(s.History.undoable(who), who)
}

// Redoable gives the number of the undo that a person did last, and whether they
// can take it back; 0 when they have done something else since.
func (s *Set) Redoable(who annotate.Annotator) (uint32, bool) {
	return s.retractable(s.History.redoable(who), who)
}

func (s *Set) retractable(n uint32, who annotate.Annotator) (uint32, bool) {
	return n, n > 0 && s.mayTakeBack(&Act{Kind: TookBack, Who: who, Target: n}) == nil
}
