package annotate

import (
	"cmp"
	"slices"
	"time"
)

// Look takes up what others have done since, and reports whether that put
// another item in front: it does so only where none was.
func (s *Session) Look() bool {
	if s.cursor < len(s.items) {
		s.pullNow(s.items[s.cursor].key, false)
		return false
	}
	s.ToOpen()
	return s.cursor < len(s.items)
}

// pulling is the least time between two looks through all items for what others
// have done: a large queue takes a millisecond of them, and a team of thirty
// says something a hundred times a second. What comes next is asked of the seat
// in any case.
const pulling = time.Second

// pullNow pulls, when it is time to or must be, and reports whether there was
// anything.
func (s *Session) pullNow(keep ItemKey, must bool) bool {
	now := s.now()
	if !must && now.Sub(s.pulled) < pulling {
		return false
	}
	before := s.flips
	s.pulled = now
	s.pull(keep)
	return s.flips != before
}

// pull takes away the items that others have meanwhile given all their labels,
// but for the one to be kept, and brings back those that want one again.
func (s *Session) pull(keep ItemKey) {
	if s.adjudicating {
		return
	}
	flips := s.seat.flips(s.flips)
	if len(flips) == 0 {
		return
	}
	gone := make(map[ItemKey]bool)
	var back []place
	for _, k := range flips {
		_, done := s.state.Labels[k]
		p, shut := s.shut[k]
		switch wanted := done || s.seat.wanted(k); {
		case k == keep:
			return // all of it later, when it is left
		case !wanted && !shut:
			gone[k] = true
		case wanted && shut:
			delete(s.shut, k)
			back = append(back, p)
		}
	}
	s.flips += len(flips)
	s.shed(gone)
	s.regain(back)
}

// hideGolds offers items whose answer is known no more once nothing else is left
// to this annotator: whoever is handed nothing but such items would know them.
func (s *Session) hideGolds() {
	if len(s.hidden.known) == 0 || s.adjudicating {
		return
	}
	gone := make(map[ItemKey]bool)
	for _, p := range s.items {
		if _, done := s.state.Labels[p.key]; done {
			continue
		}
		if _, known := s.hidden.known[p.key]; !known {
			return
		}
		gone[p.key] = true
	}
	s.shed(gone)
}

// shed offers some items no more.
func (s *Session) shed(gone map[ItemKey]bool) {
	if len(gone) == 0 {
		return
	}
	before := 0
	s.found = search{}
	kept := s.items[:0]
	for i, p := range s.items {
		if !gone[p.key] {
			kept = append(kept, p)
			continue
		}
		if s.shut[p.key] = p; s.state.Skipped[p.key] {
			s.leave(p.key)
		}
		if i < s.cursor {
			before++
		}
	}
	s.items, s.cursor = kept, s.cursor-before
}

// regain offers some items again, each where it stood.
func (s *Session) regain(back []place) {
	for _, p := range back {
		at, _ := slices.BinarySearchFunc(s.items, p.index, func(o place, index int) int { return cmp.Compare(o.index, index) })
		s.items = slices.Insert(s.items, at, p)
		if at <= s.cursor {
			s.cursor++
		}
		if delete(s.left, p.key); s.state.Skipped[p.key] {
			s.skips[p.key] = 1
		}
	}
}

// Lost reports whether the last answer was not taken, since the item had gone
// to somebody else while nothing was done.
func (s *Session) Lost() bool { return s.lost }

// Displaced reports whether this annotator works in the queue elsewhere now:
// nothing can be done here any more.
func (s *Session) Displaced() bool { return s.chair != nil && s.chair.gone() }

// Waits reports whether all that is still open is in front of others: it comes
// here if they leave it.
func (s *Session) Waits() bool {
	if s.cursor < len(s.items) || s.Open() == 0 {
		return false
	}
	_, ok := s.opening(s.cursor)
	return !ok
}

// Touch tells that the annotator is there: what is in front stays theirs.
func (s *Session) Touch() { s.seat.touch() }

// Team is how far everybody together is.
func (s *Session) Team() Team { return s.seat.team(s.queue.Items) }
