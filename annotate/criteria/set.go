package criteria

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/journal"
	"concord/eval"
)

// State is how far the criteria of a sample are. The zero value is Unwritten.
type State uint8

// The states, in the order of the work.
const (
	Unwritten State = iota
	Draft
	InReview
	ChangesRequested
	Approved // accepted by a reviewer
	Checked  // verified by an expert
)

// States is how many states there are, for arrays indexed by State.
const States = int(Checked) + 1

var stateNames = []string{"unwritten", "draft", "in_review", "changes_requested", "accepted", "verified"}

// String returns the name that files and reports use.
func (s State) String() string { return eval.EnumName(stateNames, s) }

// ParseState reads what String writes.
func ParseState(s string) (State, error) {
	return eval.ParseEnum[State](stateNames, s, "state of criteria")
}

// Revision is the criteria of a sample as they stood from one act on.
type Revision struct {
	Number   int // from 1
	N        uint32
	Who      annotate.Annotator
	At       time.Time
	Round    int    // of the review that had it changed; 0 for a draft
	Reason   string // "" for a draft
	Criteria []Criterion
	Hash     string // as Hash gives it; "" for no criteria
}

// Request is changes that a reviewer asked for.
type Request struct {
	N     uint32
	Who   annotate.Annotator
	At    time.Time
	Round int
	Text  string
}

// Removal is why a sample was taken out, and what stands in for it.
type Removal struct {
	N      uint32
	Who    annotate.Annotator
	At     time.Time
	Reason string
	By     eval.SampleID // the replacement; "" for none yet
}

// Set is the criteria of one sample, and all that follows from its acts. It is a value: acts make another.
type Set struct {
	Dataset            eval.DatasetName
	Sample             eval.Ordinal
	State              State
	Round              int        // how many times it went into review
	Revisions          []Revision // what judges were or could be given, oldest first
	Pending            *Revision  // a draft of the next revision, autosaved; nil for none
	Requests           []Request  // open: no revision came since
	Type               eval.QuestionType
	Assignee           annotate.Annotator
	Removed            *Removal // nil: the sample is in the benchmark
	Reviewer, Verifier annotate.Annotator
	Ticks              map[ChecklistItem]Tick // the last of each point, in the present round
	History            History

	authors []annotate.Annotator
}

// CurrentRevision is the revision that stands; false when nothing was written.
func (s *Set) CurrentRevision() (Revision, bool) {
	if len(s.Revisions) == 0 {
		return Revision{}, false
	}
	return s.Revisions[len(s.Revisions)-1], true
}

// Criteria are those of the revision that stands.
func (s *Set) Criteria() []Criterion {
	r, _ := s.CurrentRevision()
	return r.Criteria
}

// Authors are those who wrote a revision, in the order of their first one.
func (s *Set) Authors() []annotate.Annotator { return slices.Clone(s.authors) }

// QuestionType is the type of the question: as people set it, else as the sample's file says.
func (s *Set) QuestionType(sample *eval.Sample) eval.QuestionType { return cmp.Or(s.Type, sample.Type) }

// Warnings gives those about the criteria and the question's type. Pictures
// are the business of whoever has their bytes.
func (s *Set) Warnings(sample *eval.Sample) []Warning {
	var out []Warning
	if r, ok := s.CurrentRevision(); ok {
		out = FindWarnings(r.Criteria)
	}
	if s.QuestionType(sample) == eval.TypeUnset {
		out = append(out, NoType)
	}
	return out
}

// PersonTask is what a sample asks of one person next. The zero value is nothing.
// Lower ones come first: what others wait for before what waits for nobody.
type PersonTask uint8

// What a sample may ask of a person.
const (
	NoTurn   PersonTask = iota
	ToRevise            // changes were requested on what they wrote, or are to write
	ToReview            // somebody else's criteria are in review
	ToWrite             // assigned to them, or begun by them, and not handed in
	ToTake              // nobody has written, and nobody is to
	ToVerify            // accepted criteria of somebody else, for whoever is an expert
)

// Turns is how many turns there are, for arrays indexed by Turn.
const Turns = int(ToVerify) + 1

// TaskFor is what the sample asks of a person. Verification comes last: who is an
// expert is not known here, and everybody else has other work before it.
func (s *Set) TaskFor(who annotate.Annotator) PersonTask {
	if s.Removed != nil || who == "" {
		return NoTurn
	}
	mine := s.Assignee == who || slices.Contains(s.authors, who)
	switch s.State {
	case ChangesRequested:
		if mine {
			return ToRevise
		}
	case InReview:
		if !slices.Contains(s.authors, who) {
			return ToReview
		}
	case Draft:
		if mine {
			return ToWrite
		}
	case Unwritten:
		switch s.Assignee {
		case who:
			return ToWrite
		case "":
			return ToTake
		}
	case Approved:
		if s.CheckKindAllowed(Verified, who) == nil {
			return ToVerify
		}
	case Checked:
	}
	return NoTurn
}

// rest is how long a pause between two drafts is that makes them two steps:
// drafts are saved every few seconds, and nobody undoes them one by one.
const rest = 5 * time.Minute

// Undo gives the acts, in their order, that take a person's last step back: an act, or the drafts that were
// saved while they wrote. The error says why it cannot be: there is none, or later acts rest on it.
func (s *Set) Undo(who annotate.Annotator, at time.Time) ([]Act, error) {
	return s.takeBackStep(who, at, (*Set).LastUndoable, "undo: you did nothing on this sample that can be undone", s.History.isOneStep)
}

// Redo gives the acts that do again what the person's last undo took back.
func (s *Set) Redo(who annotate.Annotator, at time.Time) ([]Act, error) {
	return s.takeBackStep(who, at, (*Set).LastRedoable, "redo: you undid nothing on this sample since", s.History.isUndoneAtOnce)
}

// takeBackStep takes back the act that last finds, and those before it that belong to
// the same step; nothing is what to say when there is none.
func (s *Set) takeBackStep(who annotate.Annotator, at time.Time, last func(*Set, annotate.Annotator) (uint32, bool), nothing string, sameStep func(before, n uint32) bool) (acts []Act, err error) {
	n, _ := last(s, who)
	if n == 0 {
		return nil, fmt.Errorf("%s: %w", nothing, ErrNothing)
	}
	for now := *s; ; {
		a := now.NewAct(TookBack, who, at)
		a.Target = n
		if now, err = now.WithAct(a); err != nil {
			// The drafts before a part that is done are another step.
			return acts, eval.Either(len(acts) > 0, nil, err)
		}
		acts = append(acts, a)
		before, ok := last(&now, who)
		if !ok || !sameStep(before, n) {
			return acts, nil
		}
		n = before
	}
}

// SetsBySample are the sets of a dataset by their samples.
func SetsBySample(all iter.Seq2[Set, error]) (map[eval.Ordinal]Set, error) {
	return eval.IndexRead(all, func(s Set) (eval.Ordinal, Set) { return s.Sample, s })
}

// Refusal is acts that were judged and cannot be stored: the sample has moved
// on, or is gone. They are not tried again.
type Refusal struct {
	Acts []Act
	Err  error
}

// step is the acts of one Submit, all of one sample.
type step []Act

// WriterState is where a writer stands. It counts steps.
type WriterState = journal.State[step]

// Writer is the ordered writer of acts about criteria, a stream for each sample. A step (the acts of
// one Submit) is stored whole or not at all, and nothing of a sample overtakes. When the storage fails,
// what waits of the sample is tried with the next step or when asked (Retry, Flush, Close). A step that
// is refused is given up, with those of its sample that come before Refused was asked: they were made
// on a set that never was.
type Writer struct{ *journal.Journal[place, step] }

type place struct {
	dataset eval.DatasetName
	sample  eval.Ordinal
}

func newPlace(a *Act) place { return place{a.Dataset, a.Sample} }

// NewWriter starts a writer; Close ends it. A nil now is time.Now. Commit makes acts durable, in their
// order, all or none. One that may not come next gives the reason of Check.
func NewWriter(commit func(context.Context, ...Act) error, now func() time.Time) *Writer {
	return &Writer{journal.New(journal.ActTraits[place, step]{
		Stream: func(s *step) place { return newPlace(&(*s)[0]) },
		Number: func(s *step) uint32 { return (*s)[len(*s)-1].N },
		Append: func(ctx context.Context, steps []step) error { return commit(ctx, steps[0]...) },
		Final:  isRefusal, Single: true,
	}, now)}
}

// Submit hands over one step, acts of one sample. It returns at once.
func (w *Writer) Submit(acts ...Act) {
	if len(acts) > 0 {
		w.Journal.Submit(slices.Clone(acts))
	}
}

// SampleState says whether acts of a sample wait, and when the last ones were
// committed; zero when none were by this writer.
func (w *Writer) SampleState(d eval.DatasetName, o eval.Ordinal) (waits bool, saved time.Time) {
	s := w.StreamState(place{d, o})
	return s.Pending > 0, s.At
}

// TakeRefused takes the steps that were refused since it was asked last.
func (w *Writer) TakeRefused() (out []Refusal) {
	w.DiscardRefused(func(steps []step, err error) { out = append(out, Refusal{slices.Concat(steps...), err}) })
	return out
}

// isRefusal tells refusals from failures of the storage: to try these again would give the same.
func isRefusal(err error) bool {
	return slices.ContainsFunc([]error{
		ErrConflict, ErrOwn, ErrNotInReview, ErrUnresolved, ErrDiscarded, ErrNotYours, ErrRelied, ErrNothing, ErrIncomplete,
		eval.ErrNotFound,
	}, func(reason error) bool { return errors.Is(err, reason) })
}

// Flush waits until everything submitted so far is committed. It tries what had failed once more, and
// returns why it fails again, or what was refused and not taken.
func (w *Writer) Flush(ctx context.Context) error {
	return eval.WrapError(w.Journal.Flush(ctx), "criteria")
}

// Close flushes and ends the writer, by the deadline of ctx. Acts that could
// not be committed by then are lost with the process; the error says how many.
func (w *Writer) Close(ctx context.Context) error {
	return eval.WrapError(w.Journal.Close(ctx), "criteria")
}

// WaitingActs are the acts that are not committed, sample by sample, each in its order.
func (w *Writer) WaitingActs() []Act { return slices.Concat(w.Journal.WaitingActs()...) }
