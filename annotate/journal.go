package annotate

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Appender makes acts durable.
type Appender interface {
	// Append commits the acts, in their order, all or none. Acts whose
	// numbers do not follow those stored give ErrConflict. An act by which
	// more people would label an item than its queue's overlap gives a
	// *TakenError.
	Append(ctx context.Context, acts []Act) error
}

// ErrClosed is given for acts that come after the end of a journal.
var ErrClosed = errors.New("journal is closed")

// group is how many acts are committed together at most: enough for a burst
// of typing, few enough that "saved" follows at once.
const group = 64

// JournalState is where a journal stands.
type JournalState struct {
	Saved   int       // acts committed since the journal was opened
	At      time.Time // of the last commit; zero before the first
	Pending int       // acts submitted and not committed
	Err     error     // why the first of Parked is not committed; nil while all goes well
	Parked  []Parked  // the streams that wait to be tried again, the longest waiting first
}

// Parked is the acts of one annotator in one queue that could not be
// committed. Those of others go on.
type Parked struct {
	First   Act // the first of them
	Pending int
	Err     error
}

// Of is what could not be committed of an annotator's acts in a queue; false
// while all goes well with them.
func (s *JournalState) Of(q QueueName, who Annotator) (Parked, bool) {
	for _, p := range s.Parked {
		if p.First.Queue == q && p.First.Annotator == who {
			return p, true
		}
	}
	return Parked{}, false
}

// Journal is the one ordered writer of people's acts.
//
//	Submit --> stream --> ready --> one goroutine, a group at a time --> Appender
//	              ^                        |
//	              +--- parked <--failed----+--one-slot mark--> Changed --> State
//
// Submit never waits, and within a stream, the acts of one annotator in one
// queue, nothing overtakes: what was submitted first is committed first, or
// nothing behind it is. Streams take turns. One whose commit fails is parked
// with all that it holds, and tried again when asked (Retry, Flush, Sync,
// Close) or when another act of it comes; the others go on. A label that others
// came before is committed as TooLate.
type Journal struct {
	appender Appender
	now      func() time.Time
	dirty    chan struct{}
	wake     chan struct{}
	stop     chan struct{}
	gone     chan struct{}
	ctx      context.Context // ends the commit under way when Close gives up
	abort    context.CancelFunc

	mu      sync.Mutex
	streams map[streamName]*stream
	ready   []*stream // to be tried, in turn; the first may be under way
	parked  []*stream
	pending int
	saved   int
	at      time.Time
	settled chan struct{} // closed at the end of the next attempt
	closed  bool
}

// streamName is whose acts are numbered together.
type streamName struct {
	queue QueueName
	who   Annotator
}

// stream is the acts that wait under one name.
type stream struct {
	waiting []Act
	last    uint32 // number of the last act committed
	late    []Act  // those committed as TooLate
	err     error  // why it is parked
	ready   bool
}

// NewJournal starts a journal; Close ends it. A nil now is time.Now.
func NewJournal(a Appender, now func() time.Time) *Journal {
	if now == nil {
		now = time.Now
	}
	ctx, abort := context.WithCancel(context.Background())
	j := &Journal{
		appender: a, now: now, ctx: ctx, abort: abort,
		dirty: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		stop: make(chan struct{}), gone: make(chan struct{}),
		settled: make(chan struct{}), streams: make(map[streamName]*stream),
	}
	go j.run()
	return j
}

// Submit hands over one act. It returns at once.
func (j *Journal) Submit(a Act) {
	j.mu.Lock()
	s := j.stream(a.Queue, a.Annotator)
	s.waiting = append(s.waiting, a)
	j.pending++
	j.try(s)
	j.mu.Unlock()
	mark(j.wake)
	mark(j.dirty)
}

// Retry tries what could not be committed again.
func (j *Journal) Retry() {
	j.mu.Lock()
	for _, s := range slices.Clone(j.parked) {
		j.try(s)
	}
	j.mu.Unlock()
	mark(j.wake)
	mark(j.dirty)
}

func (j *Journal) stream(q QueueName, who Annotator) *stream {
	name := streamName{q, who}
	s, ok := j.streams[name]
	if !ok {
		s = new(stream)
		j.streams[name] = s
	}
	return s
}

// try has what waits in a stream tried; until that has failed too, it is on
// its way and no failure.
func (j *Journal) try(s *stream) {
	switch {
	case len(s.waiting) == 0 || s.ready:
		return
	case j.closed:
		j.park(s, ErrClosed)
		return
	}
	j.unpark(s)
	s.ready = true
	j.ready = append(j.ready, s)
}

func (j *Journal) park(s *stream, err error) {
	j.unpark(s)
	s.err = err
	j.parked = append(j.parked, s)
}

func (j *Journal) unpark(s *stream) {
	s.err = nil
	if i := slices.Index(j.parked, s); i >= 0 {
		j.parked = slices.Delete(j.parked, i, i+1)
	}
}

// State is where the journal stands now.
func (j *Journal) State() JournalState {
	j.mu.Lock()
	defer j.mu.Unlock()
	st := JournalState{Saved: j.saved, At: j.at, Pending: j.pending}
	for _, s := range j.parked {
		st.Parked = append(st.Parked, Parked{First: s.waiting[0], Pending: len(s.waiting), Err: s.err})
	}
	if len(st.Parked) > 0 {
		st.Err = st.Parked[0].Err
	}
	return st
}

// Saved is the number of the last act of an annotator in a queue that this
// journal has committed; 0 when it has committed none.
func (j *Journal) Saved(q QueueName, who Annotator) uint32 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s, ok := j.streams[streamName{q, who}]; ok {
		return s.last
	}
	return 0
}

// Changed gets a mark when State has changed since the last mark was taken.
// It has one slot, for one reader, and is never closed.
func (j *Journal) Changed() <-chan struct{} { return j.dirty }

func (j *Journal) run() {
	defer close(j.gone)
	for {
		select {
		case <-j.wake:
		case <-j.stop:
			return
		}
		for s, batch := j.take(); s != nil; s, batch = j.take() {
			j.settle(s, batch, j.appender.Append(j.ctx, batch))
		}
	}
}

// take is the next group to commit, of one stream. It stays at the head of
// what waits until it is committed.
func (j *Journal) take() (*stream, []Act) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.ready) == 0 || j.ctx.Err() != nil {
		return nil, nil
	}
	s := j.ready[0]
	n := min(len(s.waiting), group)
	return s, s.waiting[:n:n]
}

func (j *Journal) settle(s *stream, batch []Act, err error) {
	j.mu.Lock()
	s.ready = false
	j.ready = slices.DeleteFunc(j.ready, func(r *stream) bool { return r == s })
	switch {
	case s.tooLate(err):
		j.try(s)
	case err != nil:
		j.park(s, err)
	default:
		j.unpark(s)
		s.last = batch[len(batch)-1].N
		s.waiting = s.waiting[len(batch):]
		if len(s.waiting) == 0 {
			s.waiting = nil
		}
		j.pending -= len(batch)
		j.saved, j.at = j.saved+len(batch), j.now()
		j.try(s)
	}
	j.announce()
	j.mu.Unlock()
	mark(j.dirty)
}

// tooLate turns the act that others came before into one that says so, and
// counts for nothing. Its number stays taken, so that all acts behind it, and
// those that name it, are valid as they are.
func (s *stream) tooLate(err error) bool {
	var taken *TakenError
	if !errors.As(err, &taken) {
		return false
	}
	for i := range s.waiting {
		if a := &s.waiting[i]; a.N == taken.N && a.Kind != TooLate {
			a.Kind = TooLate
			s.late = append(s.late, *a)
			return true
		}
	}
	return false
}

// Late are the acts of an annotator in a queue that came too late since the
// journal was opened; none of them counts.
func (j *Journal) Late(q QueueName, who Annotator) []Act {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s, ok := j.streams[streamName{q, who}]; ok {
		return slices.Clone(s.late)
	}
	return nil
}

// announce wakes those who wait for the end of an attempt.
func (j *Journal) announce() {
	close(j.settled)
	j.settled = make(chan struct{})
}

func mark(slot chan struct{}) {
	select {
	case slot <- struct{}{}:
	default:
	}
}
