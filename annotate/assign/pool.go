package assign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"concord/annotate"
	"concord/eval"
)

// How long an item is kept for somebody: while they work, since their last key;
// and after the process was killed, until they are back.
const (
	LeaseTime  = 10 * time.Minute
	RecallTime = 2 * time.Minute
)

// Errors of claims.
var (
	ErrWorking = errors.New("they work in the queue at this moment")
	ErrMerging = errors.New("what was done elsewhere under this name is being brought home: open the queue again in a moment")
)

// LeaseStore keeps leases beyond the process.
type LeaseStore interface {
	// OfQueue gives the leases of a queue.
	OfQueue(q annotate.QueueName) ([]annotate.Lease, error)
	// Put notes leases, each in the place of its annotator's last one in the queue; one without Until gives it up.
	Put(ctx context.Context, q annotate.QueueName, all ...annotate.Lease) error
}

// Pool tracks which annotator holds which item, so that no item gets more labels than it wants. It counts
// the labels that stand, those included that are about to be stored. The store decides all the same: a pool
// only keeps people from work that would come too late. It may be used by several goroutines.
type Pool struct {
	kept LeaseStore
	now  func() time.Time
	from time.Time // when it was opened
	news func(said bool)

	mu     sync.Mutex
	queues map[annotate.QueueName]*sharedQueue
	dirty  []*Claim
	wake   chan struct{} // one slot
	over   bool          // it was closed: nothing wakes it any more
	ended  chan struct{}
	err    error // of the last attempt to keep leases
}

// NewPool opens a pool; Close ends it. news may be nil. It is called by the session that moves, when a
// label has changed (said) or an item has come free, and must not wait.
func NewPool(kept LeaseStore, now func() time.Time, news func(said bool)) *Pool {
	now, news = eval.Either(now != nil, now, time.Now), eval.Either(news != nil, news, func(bool) {})
	p := &Pool{kept: kept, now: now, from: now(), news: news, queues: make(map[annotate.QueueName]*sharedQueue), wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go p.storeLeases()
	return p
}

// StoredQueue is what is stored of a queue before anybody claims an item of it.
type StoredQueue struct {
	Crowds    map[annotate.ItemKey]annotate.Crowd // whose labels stand
	GoldItems []annotate.Gold
	Away      []annotate.Lease // items that were sent away to be labelled elsewhere
}

// NewClaim gives somebody a claim at a queue. It displaces the one that they had there before, since
// two of them would number their acts alike. load is called when nobody has worked in the queue yet.
// The claim is begun before it is used, and left.
func (p *Pool) NewClaim(q *annotate.Queue, who annotate.Annotator, load func() (StoredQueue, error)) (*Claim, error) {
	state := p.findOrAddQueue(q)
	state.mu.Lock()
	defer state.mu.Unlock()
	if err := state.loadStored(load, p.kept, p.from); err != nil {
		return nil, err
	}
	if state.arrives[who] {
		return nil, fmt.Errorf("queue %s as %s: %w", q.Name, who, ErrMerging)
	}
	c := &Claim{state: state, who: who, pool: p}
	if old := state.claims[who]; old != nil {
		old.displaced.Store(true)
		c.front = old.front
		c.past = old.mine
	} else {
		c.past = state.past[who]
		c.front = state.lastHeldItem(who)
	}
	state.claims[who] = c
	return c, nil
}

func (p *Pool) findOrAddQueue(q *annotate.Queue) *sharedQueue {
	p.mu.Lock()
	defer p.mu.Unlock()
	return eval.GetOrAdd(p.queues, q.Name, func() *sharedQueue { return newSharedQueue(q) })
}

// SetAwayItems sets which items of a queue are sent away now. It changes nothing where
// nobody has worked yet: what is stored will have them.
func (p *Pool) SetAwayItems(q annotate.QueueName, away []annotate.Lease) {
	p.mu.Lock()
	state := p.queues[q]
	p.mu.Unlock()
	if state == nil {
		return
	}
	state.mu.Lock()
	if state.ready {
		state.setAwayItems(away)
	}
	state.mu.Unlock()
	p.news(false)
}

// Queues lists the queues in which anybody has worked.
func (p *Pool) Queues() []annotate.QueueName {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.queues))
}

// Annotators lists who works in a queue now, by name.
func (p *Pool) Annotators(q annotate.QueueName) []annotate.Annotator {
	p.mu.Lock()
	state := p.queues[q]
	p.mu.Unlock()
	if state == nil {
		return nil
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	return slices.Sorted(maps.Keys(state.claims))
}

// queueLeaseAndNotify queues the lease of a claim to be kept, and passes on what others may want to know.
func (p *Pool) queueLeaseAndNotify(c *Claim, said, freed bool) {
	if p == nil {
		return
	}
	if said || freed {
		p.news(said)
	}
	if p.kept == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.dirty = eval.AppendUnique(p.dirty, c)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// storeLeases writes down who has what in front of them. What comes while it writes is written together.
func (p *Pool) storeLeases() {
	defer close(p.ended)
	for range p.wake {
		p.mu.Lock()
		claims := p.dirty
		p.dirty = nil
		p.mu.Unlock()
		all := make(map[annotate.QueueName][]annotate.Lease)
		for _, c := range claims {
			q, l := c.newLease()
			all[q] = append(all[q], l)
		}
		for q, leases := range all {
			if err := p.kept.Put(context.Background(), q, leases...); err != nil {
				p.mu.Lock()
				p.err = err
				p.mu.Unlock()
			}
		}
		time.Sleep(keeping)
	}
}

// keeping is the least time between two writings of leases: they serve after a kill; acts go before.
const keeping = 50 * time.Millisecond

// Close ends the pool when all leases are kept, and gives the last error of
// keeping. Nothing is kept of a session that moves after it.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.over = true
	close(p.wake)
	p.mu.Unlock()
	<-p.ended
	return p.err
}
