package criteria

import (
	"slices"
	"time"

	"concord/annotate"
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
func (s State) String() string { return eval.NameOf(stateNames, s) }

// ParseState reads what String writes.
func ParseState(s string) (State, error) {
	return eval.ParseName[State](stateNames, s, "state of criteria")
}

// Done reports whether the criteria passed the review.
func (s State) Done() bool { return s == Approved || s == Checked }

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

// Set is the criteria of one sample, and all that follows from its acts. It is
// a value: what is done makes another Set.
type Set struct {
	Dataset   eval.DatasetName
	Sample    eval.Ordinal
	State     State
	Round     int        // how many times it went into review
	Revisions []Revision // what judges were or could be given, oldest first
	Pending   *Revision  // a draft of the next revision, autosaved; nil for none
	Requests  []Request  // open: no revision came since
	Type      eval.QuestionType
	Assignee  annotate.Annotator
	Removed   *Removal // nil: the sample is in the benchmark
	Reviewer  annotate.Annotator
	Verifier  annotate.Annotator
	Ticks     map[Item]Tick // the last of each point, in the present round
	History   History

	authors []annotate.Annotator
}

// Current is the revision that stands; false when nothing was written.
func (s *Set) Current() (Revision, bool) {
	if len(s.Revisions) == 0 {
		return Revision{}, false
	}
	return s.Revisions[len(s.Revisions)-1], true
}

// Criteria are those of the revision that stands.
func (s *Set) Criteria() []Criterion {
	r, _ := s.Current()
	return r.Criteria
}

// Of finds the revision that a judgment saw by its hash, the last one of
// several; false when it saw criteria that were never here.
func (s *Set) Of(hash string) (Revision, bool) {
	for _, r := range slices.Backward(s.Revisions) {
		if r.Hash == hash && hash != "" {
			return r, true
		}
	}
	return Revision{}, false
}

// Saw finds the revision that a judge was shown as text, however it was
// numbered; false when it was shown criteria that were never here.
func (s *Set) Saw(text string) (Revision, bool) { return s.Of(Hash(Parse(text))) }

// Authors are those who wrote a revision, in the order of their first one.
func (s *Set) Authors() []annotate.Annotator { return slices.Clone(s.authors) }

// QuestionType is the type of the question: as people set it, else as the
// sample's file says.
func (s *Set) QuestionType(sample *eval.Sample) eval.QuestionType {
	if s.Type != eval.TypeUnset {
		return s.Type
	}
	return sample.Type
}

// Warnings gives those about the criteria and the question's type. Pictures
// are the business of whoever has their bytes.
func (s *Set) Warnings(sample *eval.Sample) []Warning {
	var out []Warning
	if r, ok := s.Current(); ok {
		out = Warn(r.Criteria)
	}
	if s.QuestionType(sample) == eval.TypeUnset {
		out = append(out, NoType)
	}
	return out
}
