package annotate

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// queueState is one queue as the people at it share it.
type queueState struct {
	queue Queue // for what it wants
	mu    sync.Mutex
	ready bool

	known       map[ItemKey]bool // items whose answer is known
	crowds      map[ItemKey]Crowd
	holds       map[ItemKey][]hold
	index       map[ItemKey]int // of the queue's items; of a seat that nobody else is beside, none
	claims      map[Annotator]*Claim
	past        map[Annotator]map[ItemKey]Contribution // of those who have left
	arrives     map[Annotator]bool                     // those of whom something is being brought home
	transitions []ItemKey                              // items that came to be full, or are so no more, in order
	version     atomic.Int64                           // of labels and holds
	given       int                                    // labels that stand, of each item as many as it wants from the start
}

// hold is an item that somebody has, or is about to have, in front of them.
type hold struct {
	who   Annotator
	until time.Time
	soft  bool // it is one of those that come next
	away  bool // it was sent away
	side  int  // of a pair: 1 when it is shown swapped, -1 when not, 0 while it is not shown
}

func newQueueState(q *Queue) *queueState {
	return &queueState{
		queue: *q, known: make(map[ItemKey]bool), crowds: make(map[ItemKey]Crowd), holds: make(map[ItemKey][]hold),
		claims: make(map[Annotator]*Claim), past: make(map[Annotator]map[ItemKey]Contribution),
		arrives: make(map[Annotator]bool),
	}
}

// load takes up, once, what stands in the queue, and what people had in front
// of them when an earlier process ended, which is theirs for a while from the
// beginning of this one.
func (r *queueState) load(load func() (Stored, error), kept LeaseStore, from time.Time) error {
	if r.ready {
		return nil
	}
	st, err := load()
	if err != nil {
		return err
	}
	for _, g := range st.Golds {
		r.known[g.Key] = true
	}
	for k, c := range st.Crowds {
		r.crowds[k] = c
		r.given += min(c.People, r.queue.Wanted())
	}
	r.sendAway(st.Away)
	if kept != nil {
		leases, err := kept.Of(r.queue.Name)
		if err != nil {
			return err
		}
		for _, l := range leases {
			if l.Until.After(from) {
				r.holds[l.Item] = append(r.holds[l.Item], hold{who: l.Who, until: from.Add(RecallTime)})
			}
		}
	}
	r.ready = true
	return nil
}

// sendAway keeps the items that are away, and those alone, for whom they are
// with.
func (r *queueState) sendAway(away []Lease) {
	for k, all := range r.holds {
		if all = slices.DeleteFunc(all, func(h hold) bool { return h.away }); len(all) == 0 {
			delete(r.holds, k)
			continue
		}
		r.holds[k] = all
	}
	for _, l := range away {
		r.holds[l.Item] = append(r.holds[l.Item], hold{who: l.Who, until: l.Until, away: true})
	}
	r.version.Add(1)
}

// recall is what somebody had in front of them when the process ended.
func (r *queueState) recall(who Annotator) *ItemKey {
	for k, all := range r.holds {
		for _, h := range all {
			if h.who == who && !h.away && !h.soft {
				return &k
			}
		}
	}
	return nil
}

// wants is how many people are to label an item, in the eyes of somebody whose
// own label, if there is one, is left aside.
func (r *queueState) wants(k ItemKey, own *Contribution) int {
	c := r.crowds[k]
	differ := c.Differ()
	if own != nil && differ {
		differ = len(c.Classes) > 2 || len(c.Classes) == 2 && c.Classes[own.Answer] != 1
	}
	return r.queue.Wants(differ, r.known[k])
}

// enough reports whether an item of a crowd has all the labels that it wants, as
// fast as a walk through all of them needs it.
func (r *queueState) enough(k ItemKey, c Crowd) bool {
	if c.People < r.queue.Wanted() {
		return false
	}
	return r.queue.Extra == 0 && len(r.known) == 0 || c.People >= r.wants(k, nil)
}

// full reports whether an item has all the labels that it wants.
func (r *queueState) full(k ItemKey) bool { return r.crowds[k].People >= r.wants(k, nil) }

// count takes a label into the crowd of an item, or out of it.
func (r *queueState) count(k ItemKey, m Contribution, by int) {
	was := r.full(k)
	c := r.crowds[k]
	before := min(c.People, r.queue.Wanted())
	if r.queue.Extra > 0 {
		c.Add(m, by)
	} else {
		c.People += by
		c.Sides += by * m.Side
	}
	r.given += min(c.People, r.queue.Wanted()) - before
	if r.crowds[k] = c; c.People <= 0 {
		delete(r.crowds, k)
	}
	if r.full(k) != was {
		r.transitions = append(r.transitions, k)
	}
}

// free reports whether an item may be put in front of somebody who has no label
// on it: fewer people than it wants have labelled it, or have it before them.
// Those who are about to have it count when asked for.
func (r *queueState) free(k ItemKey, who Annotator, now time.Time, soon bool) bool {
	n := r.crowds[k].People
	for _, h := range r.holds[k] {
		if h.who != who && h.until.After(now) && (soon || !h.soft) {
			n++
		}
	}
	return n < r.wants(k, nil)
}

// take gives an item to somebody, in the place of what they had of it.
func (r *queueState) take(k ItemKey, h hold) {
	all := r.holds[k]
	if i := slices.IndexFunc(all, func(o hold) bool { return o.who == h.who && !o.away }); i >= 0 {
		h.side = all[i].side
		h.soft = h.soft && all[i].soft
		all[i] = h
		return
	}
	r.holds[k] = append(all, h)
}

// drop takes an item from somebody; with soft only when it was to come next.
func (r *queueState) drop(k ItemKey, who Annotator, soft bool) {
	all := slices.DeleteFunc(r.holds[k], func(h hold) bool { return h.who == who && !h.away && (!soft || h.soft) })
	if r.holds[k] = all; len(all) == 0 {
		delete(r.holds, k)
	}
}
