package annotate

import (
	"slices"
	"time"
)

// front is the item in front of the annotator.
func (s *Session) front() (place, bool) {
	if s.cursor >= len(s.items) {
		return place{}, false
	}
	return s.items[s.cursor], true
}

// Current is the item in front: its index in the queue and its prediction. It
// is false when nothing is: the queue is empty, or all of it is answered.
func (s *Session) Current() (index int, k ItemKey, ok bool) {
	it, ok := s.front()
	return it.index, it.key, ok
}

// At is the position of the item in front among the Len items that are
// offered to this annotator, from 0; it is Len when no item is in front.
func (s *Session) At() int { return s.cursor }

// Len is how many items are offered to this annotator.
func (s *Session) Len() int { return len(s.items) }

// Next shows the item behind the one in front; behind the last one, nothing.
func (s *Session) Next() { s.cursor = min(s.cursor+1, len(s.items)) }

// Prev shows the item before the one in front.
func (s *Session) Prev() { s.cursor = max(s.cursor-1, 0) }

// Goto shows the item at a position.
func (s *Session) Goto(at int) { s.cursor = max(0, min(at, len(s.items))) }

// show goes to an item that is offered.
func (s *Session) show(k ItemKey) {
	if i := slices.IndexFunc(s.items, func(p place) bool { return p.key == k }); i >= 0 {
		s.cursor = i
	}
}

// ToOpen goes to the next open item: the first behind the one in front that
// has neither a label nor was put off, else the first such one from the
// start, else the one that was put off longest ago, else none.
func (s *Session) ToOpen() {
	if at, ok := s.opening(s.cursor); ok {
		s.cursor = at
		return
	}
	s.cursor = len(s.items)
}

// opening finds where ToOpen goes from a position.
func (s *Session) opening(from int) (int, bool) {
	n := len(s.items)
	if s.Open() == 0 {
		return 0, false
	}
	if s.settled()+len(s.skips) < n {
		for d := 1; d <= n; d++ {
			at := (from + d) % n
			if from >= n {
				at = d - 1
			}
			if s.fresh(s.items[at].key) {
				return at, true
			}
		}
	}
	best, found := 0, false
	for i := range s.items {
		if put, ok := s.skips[s.items[i].key]; ok {
			if !found || put < s.skips[s.items[best].key] {
				best, found = i, true
			}
		}
	}
	return best, found
}

func (s *Session) fresh(k ItemKey) bool {
	if s.adjudicating {
		_, done := s.state.Rulings[k]
		return !done
	}
	_, done := s.state.Labels[k]
	return !done && !s.state.Skipped[k]
}

// settled is how many of the items that are offered have what the session is
// there to give them: a label, or a ruling.
func (s *Session) settled() int {
	if !s.adjudicating {
		return len(s.state.Labels)
	}
	n := 0
	for i := range s.items {
		if _, done := s.state.Rulings[s.items[i].key]; done {
			n++
		}
	}
	return n
}

// Open is how many items have no label yet, those put off included; of an
// adjudicator, no ruling.
func (s *Session) Open() int { return max(0, len(s.items)-s.settled()) }

// Ahead lists the indices of up to n items that are likely to be in front
// soon, the item in front first: what a screen should have at hand.
func (s *Session) Ahead(n int) []int {
	var out []int
	at, ok := s.cursor, s.cursor < len(s.items)
	for ok && len(out) < n && !slices.Contains(out, s.items[at].index) {
		out = append(out, s.items[at].index)
		at, ok = s.opening(at)
	}
	return out
}

// Tally is what an annotator has done in a queue, in numbers.
type Tally struct {
	Items    int // offered
	Done     int
	Skipped  int
	Flagged  int
	Verdicts map[Verdict]int
	Spent    time.Duration // on the labels that stand
}

// Tally counts what stands.
func (s *Session) Tally() Tally {
	t := Tally{
		Items: len(s.items), Done: len(s.state.Labels), Skipped: len(s.state.Skipped),
		Flagged: len(s.state.Flagged), Verdicts: make(map[Verdict]int),
	}
	for _, l := range s.state.Labels {
		t.Verdicts[l.Reading.Verdict]++
		t.Spent += l.Spent
	}
	return t
}
