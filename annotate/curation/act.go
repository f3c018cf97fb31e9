package curation

import (
	"context"
	"errors"
	"time"

	"concord/annotate"
	"concord/annotate/journal"
	"concord/eval"
)

// Kind is what an expert did. The zero value is unset.
type Kind uint8

// The kinds of acts.
const (
	KindUnset Kind = iota
	Judged         // gave a Verdict
	Placed         // said which capability and axis the sample belongs to
	Skipped        // put the sample off
	Noted          // wrote a note; an empty one removes it
	TookBack       // undid the act Target; taking back such an act is redo
	Looked         // was shown what other experts say; nothing takes that back
	Ruled          // settled what experts differ on: a Verdict, and an Axis
)

var kindNames = []string{"", "verdict", "axis", "skip", "note", "undo", "reveal", "ruling"}

// String returns the name that exports use.
func (k Kind) String() string { return eval.NameOf(kindNames, k) }

// Act is one thing that an expert did to one sample of a dataset: a fact. Acts
// of one expert in one dataset are numbered from 1 without gaps, and that
// number orders them; clocks do not.
type Act struct {
	Dataset  eval.DatasetName
	Expert   annotate.Annotator
	N        uint32
	Sample   eval.Ordinal
	Kind     Kind
	Verdict  Verdict  // Judged, Ruled
	Axis     []string // Placed, Ruled: from coarse to fine; Ruled: nil leaves it to the experts
	Text     string   // Noted
	Target   uint32   // TookBack: the N of the act taken back
	Informed bool     // Judged, Placed, Ruled: after Looked; TookBack: brought a word back after it
	Imported bool     // read from a file, not typed here
	At       time.Time
	Spent    time.Duration // time that the sample was in front of them
}

// Stream is whose acts are numbered together.
type Stream struct {
	Dataset eval.DatasetName
	Expert  annotate.Annotator
}

// Appender makes acts durable.
type Appender interface {
	// Append commits the acts, in their order, all or none. Acts whose
	// numbers do not follow those stored give annotate.ErrConflict.
	Append(ctx context.Context, acts []Act) error
}

// Journal is the one ordered writer of experts' acts.
type Journal = journal.Journal[Stream, Act]

// JournalState is where a journal stands, or one expert's part of it.
type JournalState = journal.State[Act]

// NewJournal starts a journal; Close ends it. A nil now is time.Now. Acts that
// do not follow those stored wait to be redone by Board.Again.
func NewJournal(a Appender, now func() time.Time) *Journal {
	return journal.New(journal.Trade[Stream, Act]{
		Stream: func(a *Act) Stream { return Stream{a.Dataset, a.Expert} },
		Number: number, Append: a.Append,
		Final: func(err error) bool { return errors.Is(err, annotate.ErrConflict) },
	}, now)
}

func number(a *Act) uint32 { return a.N }
