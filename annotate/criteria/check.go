package criteria

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"concord/annotate"
	"concord/eval"
)

// CheckNext says why an act cannot be done as the next one; nil when it can.
func (s *Set) CheckNext(a *Act) error { return eval.WrapError(s.checkNext(a), "%s", a.Kind) }

func (s *Set) checkNext(a *Act) error {
	switch {
	case a.Dataset != s.Dataset || a.Sample != s.Sample:
		return fmt.Errorf("the act is of sample %d of %s: %w", a.Sample, a.Dataset, ErrConflict)
	case a.N != uint32(len(s.History.Acts)+1):
		return fmt.Errorf("act %d comes next, not %d: %w", len(s.History.Acts)+1, a.N, ErrConflict)
	case a.Who == "":
		return fmt.Errorf("nobody did it: %w", ErrIncomplete)
	case a.Kind == TookBack:
		return s.checkTakeBack(a)
	}
	return s.checkAllowed(a)
}

// checkAllowed judges every act but TookBack by where the set stands.
func (s *Set) checkAllowed(a *Act) error {
	if s.Removed != nil && a.Kind != Replaced && a.Kind != Commented {
		return fmt.Errorf("%w by %s", ErrDiscarded, s.Removed.Who)
	}
	if len(a.Ticks) > maxTicks || slices.ContainsFunc(a.Ticks, func(t Tick) bool { return t.Item == "" || len(t.Item) > maxTickName }) {
		return fmt.Errorf("the checklist has no such points: %w", ErrIncomplete)
	}
	switch a.Kind {
	case Drafted, Revised:
		return s.checkWrite(a)
	case Submitted:
		return s.State.checkSubmit()
	case RequestedChanges, Accepted, Verified:
		return s.checkReview(a)
	case Commented:
		return requireText(a.Text, "a comment needs a text")
	case Discarded:
		return requireText(a.Reason, "a sample is discarded for a reason")
	case Replaced:
		return s.checkReplace(a)
	case TypeSet:
		return s.checkSetType(a)
	case Assigned:
		if a.Assignee == s.Assignee {
			return fmt.Errorf("it is with %q already: %w", a.Assignee, ErrNothing)
		}
		return nil
	case KindUnset, TookBack:
	}
	return fmt.Errorf("an act of an unknown kind: %w", ErrIncomplete)
}

func requireText(text, what string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s: %w", what, ErrIncomplete)
	}
	return nil
}

func (s *Set) checkWrite(a *Act) error {
	if err := validateCriteria(a.Criteria); err != nil {
		return err
	}
	if a.Kind == Drafted {
		return nil
	}
	last, ok := s.CurrentRevision()
	if !ok {
		return fmt.Errorf("there is nothing to revise: %w", ErrIncomplete)
	}
	if err := requireText(a.Reason, "a revision needs a reason"); err != nil {
		return err
	}
	// Word for word the same may still answer a request: with its reason.
	if s.State != ChangesRequested && EqualLists(last.Criteria, a.Criteria) {
		return fmt.Errorf("revision %d says the same: %w", last.Number, ErrNothing)
	}
	return nil
}

// checkSubmit says why criteria in this state cannot be submitted.
func (s State) checkSubmit() error {
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

func (s *Set) checkReview(a *Act) error {
	switch {
	case s.State == Unwritten || s.State == Draft:
		return fmt.Errorf("they are %s: %w", s.State, ErrNotInReview)
	case slices.Contains(s.authors, a.Who):
		return fmt.Errorf("%s wrote them: %w", a.Who, ErrOwn)
	}
	switch a.Kind {
	case RequestedChanges:
		return requireText(a.Text, "a request says what to change")
	case Accepted:
		switch s.State {
		case InReview:
			return nil
		case ChangesRequested:
			return s.Requests[len(s.Requests)-1].newUnresolvedError()
		default:
			return fmt.Errorf("they are %s: %w", s.State, ErrNothing)
		}
	default: // Verified
		switch s.State {
		case Approved:
			return nil
		case ChangesRequested:
			return s.Requests[len(s.Requests)-1].newUnresolvedError()
		case Checked:
			return fmt.Errorf("they are verified by %s: %w", s.Verifier, ErrNothing)
		default:
			return fmt.Errorf("nobody has accepted them: %w", ErrIncomplete)
		}
	}
}

func (r *Request) newUnresolvedError() error { return fmt.Errorf("%s waits: %w", r.Who, ErrUnresolved) }

func (s *Set) checkReplace(a *Act) error {
	switch {
	case s.Removed == nil:
		return fmt.Errorf("only a discarded sample is replaced: %w", ErrIncomplete)
	case s.Removed.By != "":
		return fmt.Errorf("sample %s stands in for it: %w", s.Removed.By, ErrNothing)
	}
	return requireText(string(a.Other), "the sample that stands in")
}

func (s *Set) checkSetType(a *Act) error {
	switch {
	case a.Type == eval.TypeUnset || int(a.Type) >= eval.QuestionTypes:
		return fmt.Errorf("no type of a question: %w", ErrIncomplete)
	case a.Type == s.Type:
		return fmt.Errorf("the question is %s already: %w", a.Type, ErrNothing)
	}
	return nil
}

// checkTakeBack refuses to undo what a later act rests on: a submission, say, of what was accepted since.
func (s *Set) checkTakeBack(a *Act) error {
	if !s.History.IsStanding(a.Target) {
		return fmt.Errorf("act %d does not hold: %w", a.Target, ErrNothing)
	}
	target := &s.History.Acts[a.Target-1]
	if target.Who != a.Who {
		return fmt.Errorf("act %d is of %s: %w", a.Target, target.Who, ErrNotYours)
	}
	without := s.History
	without.Gone = without.findTakenBack(a)
	if _, err := replayActs(s.Dataset, s.Sample, without); err != nil {
		return fmt.Errorf("%w: %w", ErrRelied, err)
	}
	return nil
}

// CheckKindAllowed says why a person cannot do something of a kind now, whatever they would
// say in it; nil when they can. It is for screens that show what is possible.
func (s *Set) CheckKindAllowed(kind Kind, who annotate.Annotator) error {
	a := s.NewAct(kind, who, time.Time{})
	const something = "-"
	a.Text, a.Reason, a.Other = something, something, something
	a.Criteria = []Criterion{{Text: something}}
	switch kind {
	case TypeSet:
		a.Type = eval.Either(s.Type == eval.OpenEnded, eval.Compound, eval.OpenEnded)
	case Assigned:
		a.Assignee = eval.Either[annotate.Annotator](s.Assignee == something, "", something)
	case TookBack:
		a.Target, _ = s.LastUndoable(who)
	default:
	}
	return s.CheckNext(&a)
}

// LastUndoable gives the number of the last act of a person, and whether they can take it back; 0: none.
func (s *Set) LastUndoable(who annotate.Annotator) (uint32, bool) {
	return s.checkRetractable(s.History.lastUndoable(who), who)
}

// LastRedoable gives the number of the undo that a person did last, and whether they
// can take it back; 0 when they have done something else since.
func (s *Set) LastRedoable(who annotate.Annotator) (uint32, bool) {
	return s.checkRetractable(s.History.lastRedoable(who), who)
}

func (s *Set) checkRetractable(n uint32, who annotate.Annotator) (uint32, bool) {
	return n, n > 0 && s.checkTakeBack(&Act{Kind: TookBack, Who: who, Target: n}) == nil
}

// Reasons why an act is refused. The error around one says what to do.
var (
	// ErrConflict says that somebody else acted on the sample meanwhile.
	ErrConflict = errors.New("acts out of order: somebody else worked on this sample meanwhile")
	// ErrOwn says that nobody reviews or verifies what they wrote.
	ErrOwn = errors.New("nobody reviews or verifies what they wrote")
	// ErrNotInReview says that there is nothing to review.
	ErrNotInReview = errors.New("not in review")
	// ErrUnresolved says that a reviewer waits for changes.
	ErrUnresolved = errors.New("changes are requested and not made")
	// ErrDiscarded says that the sample was taken out.
	ErrDiscarded = errors.New("the sample was discarded")
	// ErrNotYours says that people take back their own acts alone.
	ErrNotYours = errors.New("people take back their own acts alone")
	// ErrRelied says that what came later rests on an act.
	ErrRelied = errors.New("what came later rests on it")
	// ErrNothing says that an act would change nothing.
	ErrNothing = errors.New("that changes nothing")
	// ErrIncomplete says that an act lacks a part.
	ErrIncomplete = errors.New("incomplete")
)

// ChecklistItem names a point of the checklist.
type ChecklistItem string

// The checklist of the cross-review (MLLM-Bench, Table 9).
const (
	Currency    ChecklistItem = "data_currency"
	License     ChecklistItem = "license_friendliness"
	Clarity     ChecklistItem = "image_clarity"
	Impartial   ChecklistItem = "impartiality"
	Cohesion    ChecklistItem = "instruction_image_cohesion"
	Diversity   ChecklistItem = "diverse_response_formats"
	ShortEdge                 = 512 // pixels that the short edge of a clear picture has at least
	maxTicks                  = 64
	maxTickName               = 64
)

// Point is a point of the checklist with what it asks.
type Point struct {
	Item ChecklistItem
	Asks string
}

// ChecklistPoints is what a reviewer goes through.
func ChecklistPoints() []Point {
	return []Point{
		{Currency, "Is the image recent enough that no model is likely to have been trained on it with this question?"},
		{License, "May the image be used and passed on?"},
		{Clarity, "Is the image clear, its short edge at least 512 pixels?"},
		{Impartial, "Are image, question and criteria free of bias against any group?"},
		{Cohesion, "Does the question need the image, and the image answer the question?"},
		{Diversity, "Does the question add to the variety of forms that answers take?"},
	}
}

// Tick is a reviewer's answer to one point of the checklist.
type Tick struct {
	Item ChecklistItem
	OK   bool
}

// Kind is what a person did. The zero value is unset.
type Kind uint8

// The kinds of acts.
const (
	KindUnset        Kind = iota
	Drafted               // saved criteria that are being written; the last draft replaces those before it
	Revised               // changed criteria for a Reason
	Submitted             // handed the draft in for review
	Commented             // said something about the sample or its criteria
	RequestedChanges      // reviewed, and asked for changes
	Accepted              // reviewed, and found it good
	Verified              // an expert's confirmation of what was accepted
	Discarded             // took the sample out of the benchmark for a Reason
	Replaced              // named the sample that stands in for a discarded one
	TypeSet               // annotated or corrected the type of the question
	Assigned              // gave the sample to somebody to write; to nobody: took it away
	TookBack              // undid the act Target; taking back such an act is redo
)

var kindNames = []string{"", "draft", "revise", "submit", "comment", "request_changes", "accept", "verify", "discard", "replace", "type", "assign", "undo"}

// String returns the name that exports use.
func (k Kind) String() string { return eval.EnumName(kindNames, k) }

// ParseKind reads what String writes.
func ParseKind(s string) (Kind, error) { return eval.ParseEnum[Kind](kindNames, s, "act") }

// Act is one thing that a person did about the criteria of one sample: a fact. The acts of a sample,
// whoever did them, are numbered from 1 without gaps, and that number orders them; clocks do not.
type Act struct {
	Dataset  eval.DatasetName
	Sample   eval.Ordinal
	N        uint32
	Kind     Kind
	Who      annotate.Annotator
	Round    int // of the review that it was done in, from 1; 0: before the first
	Criteria []Criterion
	Type     eval.QuestionType  // TypeSet
	Reason   string             // Revised, Discarded: required; TypeSet: optional
	Text     string             // Commented, RequestedChanges: required; Accepted, Verified: optional
	Ticks    []Tick             // RequestedChanges, Accepted, Verified, Commented
	Assignee annotate.Annotator // Assigned; "": nobody
	Other    eval.SampleID      // Replaced: the sample that stands in
	Target   uint32             // TookBack: the N of the act taken back
	Imported bool               // read from a file, not typed here
	At       time.Time
}
