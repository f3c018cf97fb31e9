// Package journal is the one ordered writer of what people do: acts that are
// numbered in streams, one for each person at one piece of work.
//
//	Submit --> stream --> ready --> one goroutine, a group at a time --> Append
//	              ^                        |
//	              +--- parked <--failed----+--one-slot mark--> Changed --> State, Refused
//
// It refuses to know what an act says and where it is kept. Its one invariant: within a stream nothing
// overtakes; what was submitted first is committed first, or nothing behind it is.
package journal

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrClosed is given for acts that come after the end of a journal.
var ErrClosed = errors.New("journal is closed")

// group is how many acts are committed together at most: enough for a burst
// of typing, few enough that "saved" follows at once.
const group = 64

// ActTraits is what a journal has to know of its acts A, whose streams are told apart by S.
type ActTraits[S comparable, A any] struct {
	Stream func(*A) S      // whose acts are numbered together
	Number func(*A) uint32 // from 1 in each stream
	// Append makes acts of one stream durable, in their order, all or none.
	Append func(ctx context.Context, acts []A) error
	// Mend changes those of the waiting acts of a stream that their failure is about, so that they can
	// be committed, and reports whether it did. It must not call the journal. May be nil.
	Mend func(err error, waiting []A) bool
	// Final reports whether to try again would fail alike: all that waits in the
	// stream is given up then, and waits to be redone (Refused, Redo). May be nil.
	Final  func(err error) bool
	Single bool // acts are committed one by one
}

// State is where a journal stands.
type State[A any] struct {
	Saved   int         // acts committed since the journal was opened
	At      time.Time   // of the last commit; zero before the first
	Pending int         // acts submitted and not committed
	Err     error       // why the first of Parked is not committed; nil while all goes well
	Parked  []Parked[A] // the streams that wait to be tried again, the longest waiting first
}

// Parked is the acts of one stream that could not be committed. Those of others go on.
type Parked[A any] struct {
	First   A // the first of them
	Pending int
	Err     error
}

// Journal is an ordered writer. Submit never waits, and streams take turns. One whose commit fails is
// parked with all that it holds, and tried again when asked (Retry, Flush, Sync, Close) or when another
// act of it comes; the others go on. What can never be committed as it is waits to be redone (Redo).
type Journal[S comparable, A any] struct {
	trade                   ActTraits[S, A]
	now                     func() time.Time
	dirty, wake, stop, gone chan struct{}
	ctx                     context.Context // ends the commit under way when Close gives up
	abort                   context.CancelFunc

	mu             sync.Mutex
	streams        map[S]*actStream[A]
	ready          []*actStream[A] // to be tried, in turn; the first may be under way
	parked         []*actStream[A]
	pending, saved int
	at             time.Time
	settled        chan struct{} // closed at the end of the next attempt
	closed         bool
}

// actStream is the acts that wait under one name.
type actStream[A any] struct {
	waiting []A
	last    uint32    // number of the last act committed
	at      time.Time // of that commit
	err     error     // why it is parked
	ready   bool
	refused bool // parked, and not to be tried as it is
}

// New starts a journal; Close ends it. A nil now is time.Now.
func New[S comparable, A any](t ActTraits[S, A], now func() time.Time) *Journal[S, A] {
	if now == nil {
		now = time.Now
	}
	ctx, abort := context.WithCancel(context.Background())
	j := &Journal[S, A]{
		trade: t, now: now, ctx: ctx, abort: abort,
		dirty: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		stop: make(chan struct{}), gone: make(chan struct{}),
		settled: make(chan struct{}), streams: make(map[S]*actStream[A]),
	}
	go j.runLoop()
	return j
}

// Submit hands over one act. It returns at once.
func (j *Journal[S, A]) Submit(a A) {
	j.mu.Lock()
	s := j.findStream(j.trade.Stream(&a))
	s.waiting = append(s.waiting, a)
	j.pending++
	j.startTrying(s)
	j.unlockAndTry()
}

// RetryParked tries what could not be committed again.
func (j *Journal[S, A]) RetryParked() {
	j.mu.Lock()
	for _, s := range slices.Clone(j.parked) {
		j.startTrying(s)
	}
	j.unlockAndTry()
}

func (j *Journal[S, A]) findStream(name S) *actStream[A] {
	s, ok := j.streams[name]
	if !ok {
		s = new(actStream[A])
		j.streams[name] = s
	}
	return s
}

// startTrying has what waits in a stream tried; until that has failed too, it is on
// its way and no failure. What is refused is one as long as it is not redone.
func (j *Journal[S, A]) startTrying(s *actStream[A]) {
	switch {
	case len(s.waiting) == 0 || s.ready || s.refused:
		return
	case j.closed:
		j.parkStream(s, ErrClosed)
		return
	}
	j.unparkStream(s)
	s.ready = true
	j.ready = append(j.ready, s)
}

func (j *Journal[S, A]) parkStream(s *actStream[A], err error) {
	j.unparkStream(s)
	s.err = err
	j.parked = append(j.parked, s)
}

func (j *Journal[S, A]) unparkStream(s *actStream[A]) {
	s.err = nil
	if i := slices.Index(j.parked, s); i >= 0 {
		j.parked = slices.Delete(j.parked, i, i+1)
	}
}

// State gives where the journal stands now.
func (j *Journal[S, A]) State() State[A] {
	j.mu.Lock()
	defer j.mu.Unlock()
	st := State[A]{Saved: j.saved, At: j.at, Pending: j.pending}
	for _, s := range j.parked {
		st.Parked = append(st.Parked, Parked[A]{First: s.waiting[0], Pending: len(s.waiting), Err: s.err})
	}
	if len(st.Parked) > 0 {
		st.Err = st.Parked[0].Err
	}
	return st
}

// LastSaved is the number of the last act of a stream that this journal has committed; 0: none.
func (j *Journal[S, A]) LastSaved(name S) uint32 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s, ok := j.streams[name]; ok {
		return s.last
	}
	return 0
}

// StreamState is where one stream stands: the counts, the time of its last
// commit, and what could not be committed are its own.
func (j *Journal[S, A]) StreamState(name S) State[A] {
	j.mu.Lock()
	defer j.mu.Unlock()
	s, ok := j.streams[name]
	if !ok {
		return State[A]{}
	}
	st := State[A]{Saved: int(s.last), At: s.at, Pending: len(s.waiting), Err: s.err}
	if s.err != nil {
		st.Parked = []Parked[A]{{First: s.waiting[0], Pending: len(s.waiting), Err: s.err}}
	}
	return st
}

// Changed gets a mark when State has changed since the last mark was taken.
// It has one slot, for one reader, and is never closed.
func (j *Journal[S, A]) Changed() <-chan struct{} { return j.dirty }

func (j *Journal[S, A]) runLoop() {
	defer close(j.gone)
	for {
		select {
		case <-j.wake:
		case <-j.stop:
			return
		}
		for s, batch := j.nextGroupToCommit(); s != nil; s, batch = j.nextGroupToCommit() {
			j.finishGroup(s, batch, j.trade.Append(j.ctx, batch))
		}
	}
}

// nextGroupToCommit gives the next group to commit, of one stream. It stays at the head until it is committed.
func (j *Journal[S, A]) nextGroupToCommit() (*actStream[A], []A) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.ready) == 0 || j.ctx.Err() != nil {
		return nil, nil
	}
	s := j.ready[0]
	n := min(len(s.waiting), group)
	if j.trade.Single {
		n = 1
	}
	return s, s.waiting[:n:n]
}

func (j *Journal[S, A]) finishGroup(s *actStream[A], batch []A, err error) {
	j.mu.Lock()
	s.ready = false
	j.ready = slices.DeleteFunc(j.ready, func(r *actStream[A]) bool { return r == s })
	switch {
	case err != nil && j.trade.Mend != nil && j.trade.Mend(err, s.waiting):
		j.startTrying(s)
	case err != nil && j.trade.Final != nil && j.trade.Final(err):
		j.giveUpStream(s, err)
	case err != nil:
		j.parkStream(s, err)
	default:
		j.unparkStream(s)
		s.last = j.trade.Number(&batch[len(batch)-1])
		s.waiting = s.waiting[len(batch):]
		if len(s.waiting) == 0 {
			s.waiting = nil
		}
		j.pending -= len(batch)
		j.saved, j.at = j.saved+len(batch), j.now()
		s.at = j.at
		j.startTrying(s)
	}
	j.wakeWaiters()
	j.mu.Unlock()
	markWithoutWaiting(j.dirty)
}

// unlockAndTry gives the lock up, and has what is ready tried.
func (j *Journal[S, A]) unlockAndTry() {
	j.mu.Unlock()
	markWithoutWaiting(j.wake)
	markWithoutWaiting(j.dirty)
}

// wakeWaiters wakes those who wait for the end of an attempt.
func (j *Journal[S, A]) wakeWaiters() {
	close(j.settled)
	j.settled = make(chan struct{})
}

func markWithoutWaiting(slot chan struct{}) {
	select {
	case slot <- struct{}{}:
	default:
	}
}
