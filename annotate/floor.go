package annotate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// How long an item is kept for somebody: while they work, since their last key;
// and after the process was killed, until they are back.
const (
	LeaseTime  = 10 * time.Minute
	RecallTime = 2 * time.Minute
)

// LeaseStore is where leases outlive the process.
type LeaseStore interface {
	// Of gives the leases of a queue.
	Of(q QueueName) ([]Lease, error)
	// Put notes leases, each in the place of its annotator's last one in the
	// queue; one without Until gives it up.
	Put(ctx context.Context, q QueueName, all ...Lease) error
}

// Pool is all the people who work in queues at this moment, each at a Seat: who
// has which item in front of them, and whose labels stand, those included that
// are about to be stored. It sees to it that no more people are at an item than
// it wants. What was stored decides; a floor only keeps people from doing what
// would come too late.
//
//	Session --set, face--> Seat --> room (one for a queue) --> Leasing
//	        <--free, changes--
//
// It may be used by several goroutines.
type Pool struct {
	kept LeaseStore
	now  func() time.Time
	from time.Time // when it was opened
	news func(said bool)

	mu     sync.Mutex
	queues map[QueueName]*queueState
	dirty  []*Claim
	wake   chan struct{} // one slot
	over   bool          // it was closed: nothing wakes it any more
	ended  chan struct{}
	err    error // of the last attempt to keep leases
}

// NewPool opens a floor; Close ends it. news may be nil; it is told by whoever
// moves that a label has changed (said), or that an item has come free, and must
// not wait.
func NewPool(kept LeaseStore, now func() time.Time, news func(said bool)) *Pool {
	if now == nil {
		now = time.Now
	}
	if news == nil {
		news = func(bool) {}
	}
	f := &Pool{kept: kept, now: now, from: now(), news: news, queues: make(map[QueueName]*queueState), wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go f.keep()
	return f
}

// Stored is what a queue looks like before anybody sits down at it.
type Stored struct {
	Crowds map[ItemKey]Crowd // whose labels stand
	Golds  []Gold
	Away   []Lease // items that were sent away to be labelled elsewhere
}

// Claim gives somebody a seat at a queue. The one that they had there before is
// theirs no more, wherever it stands: two of them would number their acts alike.
// load is asked for the queue's standing when nobody has sat there yet. The
// seat is to be begun before it is used, and left.
func (f *Pool) Claim(q *Queue, who Annotator, load func() (Stored, error)) (*Claim, error) {
	r := f.state(q)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(load, f.kept, f.from); err != nil {
		return nil, err
	}
	if r.arrives[who] {
		return nil, fmt.Errorf("queue %s as %s: %w", q.Name, who, ErrMerging)
	}
	s := &Claim{state: r, who: who, pool: f}
	if old := r.claims[who]; old != nil {
		old.displaced.Store(true)
		s.front = old.front
		s.past = old.mine
	} else {
		s.past = r.past[who]
		s.front = r.recall(who)
	}
	r.claims[who] = s
	return s, nil
}

// state is that of a queue.
func (f *Pool) state(q *Queue) *queueState {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.queues[q.Name]
	if r == nil {
		r = newQueueState(q)
		f.queues[q.Name] = r
	}
	return r
}

// Away says which items of a queue are sent away now. It changes nothing where
// nobody has sat yet: the standing will have them.
func (f *Pool) Away(q QueueName, away []Lease) {
	f.mu.Lock()
	r := f.queues[q]
	f.mu.Unlock()
	if r == nil {
		return
	}
	r.mu.Lock()
	if r.ready {
		r.sendAway(away)
	}
	r.mu.Unlock()
	f.news(false)
}

// Queues are the queues at which anybody has sat.
func (f *Pool) Queues() []QueueName {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.queues))
}

// Annotators is who sits at a queue, by name.
func (f *Pool) Annotators(q QueueName) []Annotator {
	f.mu.Lock()
	r := f.queues[q]
	f.mu.Unlock()
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Annotator
	for who := range r.claims {
		out = append(out, who)
	}
	slices.Sort(out)
	return out
}

// note has a seat's lease kept, beside whoever moved, and passes on what others
// may want to know.
func (f *Pool) note(s *Claim, said, freed bool) {
	if f == nil {
		return
	}
	if said || freed {
		f.news(said)
	}
	if f.kept == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return
	}
	if !slices.Contains(f.dirty, s) {
		f.dirty = append(f.dirty, s)
	}
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// keep writes down who has what in front of them. What comes while it writes
// is written together.
func (f *Pool) keep() {
	defer close(f.ended)
	for range f.wake {
		f.mu.Lock()
		seats := f.dirty
		f.dirty = nil
		f.mu.Unlock()
		all := make(map[QueueName][]Lease)
		for _, s := range seats {
			q, l := s.lease()
			all[q] = append(all[q], l)
		}
		for q, leases := range all {
			if err := f.kept.Put(context.Background(), q, leases...); err != nil {
				f.mu.Lock()
				f.err = err
				f.mu.Unlock()
			}
		}
		time.Sleep(keeping)
	}
}

// keeping is the least time between two writings of leases: they are for after a
// kill, and people's acts go before.
const keeping = 50 * time.Millisecond

// Close ends the floor when what is to be kept is kept, and gives the last
// error of keeping. Of who moves after it, since their session did not end in
// time, nothing is kept.
func (f *Pool) Close() error {
	f.mu.Lock()
	f.over = true
	close(f.wake)
	f.mu.Unlock()
	<-f.ended
	return f.err
}
