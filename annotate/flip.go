package annotate

import "math"

// flip is an item whose number of labels has come to be enough, or is so no more.
type flip struct {
	index int
	key   ItemKey
	full  bool // by now
}

// flips are those since the first n of them. Where nobody else is, there are none.
func (s *Seat) flips(n int) []flip {
	if s.floor == nil {
		return nil
	}
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	news := r.flips[min(n, len(r.flips)):]
	out := make([]flip, len(news))
	for i, k := range news {
		at, known := r.index[k]
		if !known { // nobody here has been offered it yet
			at = math.MaxInt
		}
		out[i] = flip{at, k, r.full(k)}
	}
	return out
}

// learn takes up where the queue has its items, once for all who sit at it.
func (s *Seat) learn(items []QueueItem) {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.floor == nil || len(items) == 0 || items[len(items)-1].Index < len(r.index) {
		return
	}
	if len(r.index) == 0 {
		r.index = make(map[ItemKey]int, len(items))
	}
	for i := range items {
		r.index[items[i].Key] = items[i].Index
	}
}
