package annotate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Appender makes acts durable.
type Appender interface {
	// Append commits the acts, in their order, all or none. Acts whose
	// numbers do not follow those stored give ErrConflict.
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
	Err     error     // why the first of them is not; nil while all goes well
	First   Act       // the first act not committed, when Err is set
}

// Journal is the one ordered writer of people's acts.
//
//	Submit --> waiting --> one goroutine, a group at a time --> Appender
//	                            |
//	                            +--one-slot mark--> Changed --> State
//
// Submit never waits and nothing overtakes: what was submitted first is
// committed first, or nothing behind it is. When a commit fails, everything
// from its first act on is kept; it is tried again when asked (Retry, Flush,
// Close) or when another act comes.
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
	waiting []Act
	last    map[stream]uint32
	state   JournalState
	try     bool          // whatever waits is to be tried
	settled chan struct{} // closed at the end of the next attempt
	closed  bool
}

// stream is whose acts are numbered together.
type stream struct {
	queue QueueName
	who   Annotator
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
		settled: make(chan struct{}), last: make(map[stream]uint32),
	}
	go j.run()
	return j
}

// Submit hands over one act. It returns at once.
func (j *Journal) Submit(a Act) {
	j.mu.Lock()
	j.waiting = append(j.waiting, a)
	j.state.Pending = len(j.waiting)
	if j.closed {
		j.fail(ErrClosed)
	} else {
		j.again()
	}
	j.mu.Unlock()
	mark(j.wake)
	mark(j.dirty)
}

// Retry tries what could not be committed again.
func (j *Journal) Retry() {
	j.mu.Lock()
	if !j.closed {
		j.again()
	}
	j.mu.Unlock()
	mark(j.wake)
	mark(j.dirty)
}

// again has whatever waits tried; until that has failed too, it is on its way
// and no failure.
func (j *Journal) again() {
	j.try, j.state.Err, j.state.First = true, nil, Act{}
}

// State is where the journal stands now.
func (j *Journal) State() JournalState {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.state
}

// Saved is the number of the last act of an annotator in a queue that this
// journal has committed; 0 when it has committed none.
func (j *Journal) Saved(q QueueName, who Annotator) uint32 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last[stream{q, who}]
}

// Changed gets a mark when State has changed since the last mark was taken.
// It has one slot, for one reader, and is never closed.
func (j *Journal) Changed() <-chan struct{} { return j.dirty }

// Flush waits until everything submitted so far is committed. It tries what
// had failed once more, and returns why it fails again.
func (j *Journal) Flush(ctx context.Context) error {
	j.Retry()
	for {
		j.mu.Lock()
		pending, err, try, settled := len(j.waiting), j.state.Err, j.try, j.settled
		j.mu.Unlock()
		switch {
		case pending == 0:
			return nil
		case err != nil && !try:
			return fmt.Errorf("save %d acts: %w", pending, err)
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return fmt.Errorf("save %d acts: %w", pending, context.Cause(ctx))
		}
	}
}

// Close flushes and ends the journal. Acts that could not be committed by
// then are lost with the process; the error says how many.
func (j *Journal) Close(ctx context.Context) error {
	err := j.Flush(ctx)
	j.mu.Lock()
	again := j.closed
	j.closed = true
	j.mu.Unlock()
	if again {
		return err
	}
	if err != nil {
		j.abort()
	}
	close(j.stop)
	<-j.gone
	j.abort()
	return err
}

func (j *Journal) run() {
	defer close(j.gone)
	for {
		select {
		case <-j.wake:
		case <-j.stop:
			return
		}
		for batch := j.take(); len(batch) > 0; batch = j.take() {
			j.settle(batch, j.appender.Append(j.ctx, batch))
		}
	}
}

// take is the next group to commit. It stays at the head of what waits until
// it is committed.
func (j *Journal) take() []Act {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.try || len(j.waiting) == 0 {
		j.try = false
		return nil
	}
	n := min(len(j.waiting), group)
	return j.waiting[:n:n]
}

func (j *Journal) settle(batch []Act, err error) {
	j.mu.Lock()
	if err != nil {
		j.try = false
		j.fail(err)
	} else {
		for i := range batch {
			j.last[stream{batch[i].Queue, batch[i].Annotator}] = batch[i].N
		}
		j.waiting = j.waiting[len(batch):]
		if len(j.waiting) == 0 {
			j.waiting = nil
		}
		j.state = JournalState{
			Saved: j.state.Saved + len(batch), At: j.now(), Pending: len(j.waiting),
		}
	}
	close(j.settled)
	j.settled = make(chan struct{})
	j.mu.Unlock()
	mark(j.dirty)
}

func (j *Journal) fail(err error) {
	j.state.Err, j.state.First, j.state.Pending = err, j.waiting[0], len(j.waiting)
}

func mark(slot chan struct{}) {
	select {
	case slot <- struct{}{}:
	default:
	}
}
