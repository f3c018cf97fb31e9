package assign

import (
	"cmp"
	"math"

	"concord/annotate"
)

// Transition tells that an item has come to have all the labels that it wants, or
// has them no more.
type Transition struct {
	Place
	Full bool // by now
}

// Transitions lists those after the first n of them. Where nobody else works,
// there are none.
func (c *Claim) Transitions(n int) []Transition {
	if c.pool == nil {
		return nil
	}
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	news := q.transitions[min(n, len(q.transitions)):]
	out := make([]Transition, len(news))
	for i, k := range news {
		at, known := q.index[k]
		if !known { // nobody here has been offered it yet
			at = math.MaxInt
		}
		out[i] = Transition{Place{at, k}, q.full(k)}
	}
	return out
}

// Learn takes up where the queue has its items, once for all who work in it.
func (c *Claim) Learn(items []annotate.QueueItem) {
	q := c.state
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.pool == nil || len(items) == 0 || items[len(items)-1].Index < len(q.index) {
		return
	}
	if len(q.index) == 0 {
		q.index = make(map[annotate.ItemKey]int, len(items))
	}
	for i := range items {
		q.index[items[i].Key] = items[i].Index
	}
}

// Place is an item and its index in the queue. A session keeps one for each item,
// and queues may have a million of them.
type Place struct {
	Index int
	Key   annotate.ItemKey
}

// Compare orders by where the queue has them.
func (p Place) Compare(o Place) int { return cmp.Compare(p.Index, o.Index) }
