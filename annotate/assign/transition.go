package assign

import (
	"math"

	"concord/annotate"
)

// Transition tells that an item has come to have all the labels that it wants, or
// has them no more.
type Transition struct {
	Index int
	Key   annotate.ItemKey
	Full  bool // by now
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
		out[i] = Transition{at, k, q.full(k)}
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
