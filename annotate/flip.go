package annotate

import "math"

// Transition is an item whose number of labels has come to be enough, or is so no more.
type Transition struct {
	Index int
	Key   ItemKey
	Full  bool // by now
}

// Transitions are those since the first n of them. Where nobody else is, there are none.
func (s *Claim) Transitions(n int) []Transition {
	if s.pool == nil {
		return nil
	}
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	news := r.transitions[min(n, len(r.transitions)):]
	out := make([]Transition, len(news))
	for i, k := range news {
		at, known := r.index[k]
		if !known { // nobody here has been offered it yet
			at = math.MaxInt
		}
		out[i] = Transition{at, k, r.full(k)}
	}
	return out
}

// Learn takes up where the queue has its items, once for all who sit at it.
func (s *Claim) Learn(items []QueueItem) {
	r := s.state
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.pool == nil || len(items) == 0 || items[len(items)-1].Index < len(r.index) {
		return
	}
	if len(r.index) == 0 {
		r.index = make(map[ItemKey]int, len(items))
	}
	for i := range items {
		r.index[items[i].Key] = items[i].Index
	}
}
