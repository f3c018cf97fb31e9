package criteria

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"concord/annotate"
	"concord/eval"
)

// NewSet gives the set of a sample on which nobody has acted.
func NewSet(d eval.DatasetName, o eval.Ordinal) Set { return Set{Dataset: d, Sample: o} }

// FoldActs derives the set of a sample from its acts, in order. An act that was
// not allowed when it was done counts for nothing, and is named in Illegal.
func FoldActs(d eval.DatasetName, o eval.Ordinal, acts []Act) Set {
	s := NewSet(d, o)
	s.History.Acts = make([]Act, 0, len(acts))
	for i := range acts {
		a := acts[i]
		err := s.CheckNext(&a)
		a.N = uint32(i + 1)
		s.addChecked(a, err)
	}
	return s
}

// NewAct gives an act to be done next, with all that follows from where the set stands. The
// caller adds what the kind asks for, and hands it to Do and to storage.
func (s *Set) NewAct(kind Kind, who annotate.Annotator, at time.Time) Act {
	return Act{Dataset: s.Dataset, Sample: s.Sample, N: uint32(len(s.History.Acts) + 1), Kind: kind, Who: who, Round: s.Round, At: at}
}

// WithAct gives the set as it is after one more act, or why it cannot be done. The set itself stays.
func (s *Set) WithAct(a Act) (Set, error) {
	if err := s.CheckNext(&a); err != nil {
		return *s, err
	}
	out := *s
	out.History = History{Acts: slices.Clip(s.History.Acts), Gone: maps.Clone(s.History.Gone), Illegal: maps.Clone(s.History.Illegal)}
	out.Revisions, out.Requests = slices.Clip(out.Revisions), slices.Clip(out.Requests)
	out.authors, out.Ticks = slices.Clip(out.authors), maps.Clone(out.Ticks)
	out.addChecked(a, nil)
	return out, nil
}

func (s *Set) addChecked(a Act, err error) {
	s.History.Acts = append(s.History.Acts, a)
	switch {
	case err != nil:
		eval.EnsureMap(&s.History.Illegal)[a.N] = err
	case a.Kind != TookBack:
		s.applyAct(&a)
	default:
		h := s.History
		h.Gone = h.findTakenBack(nil)
		*s, _ = replayActs(s.Dataset, s.Sample, h)
		s.History = h
	}
}

// replayActs derives a set from the acts that stand. Its error says which of them
// could not have been done without one that is gone.
func replayActs(d eval.DatasetName, o eval.Ordinal, h History) (Set, error) {
	s := NewSet(d, o)
	for i := range h.Acts {
		a := &h.Acts[i]
		if a.Kind == TookBack || h.Gone[a.N] || h.Illegal[a.N] != nil {
			continue
		}
		// To say what holds already does no harm, once what said otherwise is gone.
		err := s.checkAllowed(a)
		if errors.Is(err, ErrNothing) && (a.Kind == Assigned || a.Kind == TypeSet) {
			err = nil
		}
		if err != nil {
			return s, fmt.Errorf("act %d (%s by %s): %w", a.N, a.Kind, a.Who, err)
		}
		s.applyAct(a)
	}
	return s, nil
}

// applyAct lets an allowed act count.
func (s *Set) applyAct(a *Act) {
	switch a.Kind {
	case Drafted, Revised:
		s.applyWriting(a)
	case Submitted:
		s.State = InReview
		s.startReviewRound()
	case Commented:
		s.applyTicks(a)
	case RequestedChanges:
		s.applyTicks(a)
		s.State, s.Verifier = ChangesRequested, ""
		s.Requests = append(s.Requests, Request{N: a.N, Who: a.Who, At: a.At, Round: a.Round, Text: a.Text})
	case Accepted:
		s.applyTicks(a)
		s.State, s.Reviewer = Approved, a.Who
	case Verified:
		s.applyTicks(a)
		s.State, s.Verifier = Checked, a.Who
	case Discarded:
		s.Removed = &Removal{N: a.N, Who: a.Who, At: a.At, Reason: a.Reason}
	case Replaced:
		r := *s.Removed
		r.By = a.Other
		s.Removed = &r
	case TypeSet:
		s.Type = a.Type
	case Assigned:
		s.Assignee = a.Assignee
	case KindUnset, TookBack:
	}
}

func (s *Set) startReviewRound() {
	s.Round++
	s.Requests, s.Ticks, s.Reviewer, s.Verifier = nil, nil, "", ""
}

func (s *Set) applyTicks(a *Act) {
	if s.Ticks == nil && len(a.Ticks) > 0 {
		s.Ticks = make(map[ChecklistItem]Tick)
	}
	for _, t := range a.Ticks {
		s.Ticks[t.Item] = t
	}
}

// applyWriting takes up criteria. Before the review a draft is the revision that stands, and
// the next draft of the same person is that revision again; later a draft waits for the act
// that gives its reason. What was reviewed goes into the next round with its revision.
func (s *Set) applyWriting(a *Act) {
	r := Revision{Number: len(s.Revisions) + 1, N: a.N, Who: a.Who, At: a.At, Round: a.Round, Reason: a.Reason, Criteria: a.Criteria, Hash: HashCriteria(a.Criteria)}
	if a.Kind == Drafted && s.State > Draft {
		s.Pending = &r
		return
	}
	s.Pending = nil
	s.authors = eval.AppendUnique(s.authors, a.Who)
	n := len(s.Revisions)
	if last, ok := s.CurrentRevision(); ok && a.Kind == Drafted && last.Who == a.Who && last.Reason == "" {
		r.Number = last.Number
		s.Revisions = append(slices.Clip(s.Revisions[:n-1]), r)
	} else {
		s.Revisions = append(s.Revisions, r)
	}
	switch s.State {
	case Unwritten:
		s.State = Draft
	case ChangesRequested, Approved, Checked:
		s.State = InReview
		s.startReviewRound()
	case Draft, InReview:
	}
}

// History holds the acts on a sample, and which of them count for nothing.
type History struct {
	Acts    []Act            // all, in order, also those taken back
	Gone    map[uint32]bool  // taken back, by number
	Illegal map[uint32]error // not allowed when they were done, and why
}

// IsStanding reports whether an act counts: it was done, and not taken back.
func (h *History) IsStanding(n uint32) bool {
	return n > 0 && int(n) <= len(h.Acts) && !h.Gone[n] && h.Illegal[n] == nil
}

// lastUndoable gives the number of the last act of a person that is theirs to take
// back; 0 when there is none. What came from a file stays.
func (h *History) lastUndoable(who annotate.Annotator) uint32 {
	for i := range slices.Backward(h.Acts) {
		a := &h.Acts[i]
		if a.Who == who && a.Kind != TookBack && !a.Imported && h.IsStanding(a.N) {
			return a.N
		}
	}
	return 0
}

// lastRedoable gives the number of the undo that a person may take back; 0 when
// they have done something else since.
func (h *History) lastRedoable(who annotate.Annotator) uint32 {
	for i := range slices.Backward(h.Acts) {
		a := &h.Acts[i]
		switch {
		case a.Who != who || !h.IsStanding(a.N):
		case a.Kind != TookBack:
			return 0
		case h.Acts[a.Target-1].Kind != TookBack:
			return a.N
		default: // a redo: the undo before the one that it took back is next
		}
	}
	return 0
}

// findTakenBack finds the acts that stand no more, when one more act is done.
func (h *History) findTakenBack(more *Act) map[uint32]bool {
	gone := make(map[uint32]bool)
	if more != nil {
		gone[more.Target] = true
	}
	for i := range slices.Backward(h.Acts) {
		if a := &h.Acts[i]; a.Kind == TookBack && !gone[a.N] && h.Illegal[a.N] == nil {
			gone[a.Target] = true
		}
	}
	return gone
}

// isOneStep reports whether a draft and a later one were saved while the same
// person wrote on, and nothing stands between them.
func (h *History) isOneStep(before, after uint32) bool {
	a, b := &h.Acts[before-1], &h.Acts[after-1]
	if a.Kind != Drafted || b.Kind != Drafted || b.At.Sub(a.At) > rest {
		return false
	}
	for n := before + 1; n < after; n++ {
		if h.IsStanding(n) {
			return false
		}
	}
	return true
}

// isUndoneAtOnce reports whether two undos took back drafts in one step.
func (h *History) isUndoneAtOnce(before, after uint32) bool {
	a, b := &h.Acts[before-1], &h.Acts[after-1]
	return before == after-1 && a.At.Equal(b.At) && h.Acts[a.Target-1].Kind == Drafted && h.Acts[b.Target-1].Kind == Drafted
}
