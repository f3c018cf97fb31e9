package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"concord/annotate"
	"concord/annotate/journal"
)

// Appender makes acts durable.
type Appender interface {
	// Append commits the acts, in their order, all or none. Acts whose
	// numbers do not follow those stored give ErrConflict. An act by which
	// more people would label an item than its queue's overlap gives a
	// *TakenError.
	Append(ctx context.Context, acts []annotate.Act) error
}

// JournalState is where a journal stands.
type JournalState journal.State[annotate.Act]

// Parked is the acts of one annotator in one queue that could not be
// committed. Those of others go on.
type Parked = journal.Parked[annotate.Act]

// ParkedOf is what could not be committed of an annotator's acts in a queue; false
// while all goes well with them.
func (s *JournalState) ParkedOf(q annotate.QueueName, who annotate.Annotator) (Parked, bool) {
	for _, p := range s.Parked {
		if p.First.Queue == q && p.First.Annotator == who {
			return p, true
		}
	}
	return Parked{}, false
}

// Journal is the one ordered writer of people's acts in queues, a stream for
// each annotator in each queue. A label that others came before is committed
// as TooLate.
type Journal struct {
	*journal.Journal[streamName, annotate.Act]

	mu   sync.Mutex
	late map[streamName][]annotate.Act // those committed as TooLate
}

// streamName is whose acts are numbered together.
type streamName struct {
	queue annotate.QueueName
	who   annotate.Annotator
}

func newStreamName(a *annotate.Act) streamName { return streamName{a.Queue, a.Annotator} }

// NewJournal starts a journal; Close ends it. A nil now is time.Now.
func NewJournal(a Appender, now func() time.Time) *Journal {
	j := &Journal{late: make(map[streamName][]annotate.Act)}
	j.Journal = journal.New(journal.ActTraits[streamName, annotate.Act]{
		Stream: newStreamName, Number: func(a *annotate.Act) uint32 { return a.N },
		Append: a.Append, Mend: j.markTooLate,
	}, now)
	return j
}

// State gives where the journal stands now.
func (j *Journal) State() JournalState { return JournalState(j.Journal.State()) }

// LastSaved is the number of the last act of an annotator in a queue that this
// journal has committed; 0 when it has committed none.
func (j *Journal) LastSaved(q annotate.QueueName, who annotate.Annotator) uint32 {
	return j.Journal.LastSaved(streamName{q, who})
}

// Sync waits until an annotator's acts in a queue are committed. It neither
// waits for nor fails with those of others.
func (j *Journal) Sync(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error {
	return j.Journal.Sync(ctx, streamName{q, who})
}

// markTooLate turns the act that others came before into one that says so, and
// counts for nothing. Its number stays taken, so that all acts behind it, and
// those that name it, are valid as they are.
func (j *Journal) markTooLate(err error, waiting []annotate.Act) bool {
	var taken *annotate.TakenError
	if !errors.As(err, &taken) {
		return false
	}
	for i := range waiting {
		if a := &waiting[i]; a.N == taken.N && a.Kind != annotate.TooLate {
			a.Kind = annotate.TooLate
			j.mu.Lock()
			j.late[newStreamName(a)] = append(j.late[newStreamName(a)], *a)
			j.mu.Unlock()
			return true
		}
	}
	return false
}

// LateActs are the acts of an annotator in a queue that came too late since the
// journal was opened; none of them counts.
func (j *Journal) LateActs(q annotate.QueueName, who annotate.Annotator) []annotate.Act {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.late[streamName{q, who}])
}
