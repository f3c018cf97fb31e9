package annotate

import (
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
	var gone, back []place
	for _, f := range flips {
		if f.key == keep {
			return // all of it later, when it is left
		}
		_, done := s.state.Labels[f.key]
		switch wanted := done || !f.full; {
		case f.index >= s.known: // it is still to be offered
		case wanted:
			back = append(back, s.place(f.index, f.key))
		default:
			gone = append(gone, s.place(f.index, f.key))
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
	var gone []place
	for _, p := range s.items {
		if _, done := s.state.Labels[p.key]; done {
			continue
		}
		if _, known := s.hidden.known[p.key]; !known {
			return
		}
		gone = append(gone, p)
	}
	s.shed(gone)
}

// shed offers some items no more.
func (s *Session) shed(gone []place) {
	slices.SortFunc(gone, place.compare)
	kept, from, before := 0, 0, 0
	for _, p := range gone {
		n, offered := slices.BinarySearchFunc(s.items[from:], p, place.compare)
		if !offered {
			continue
		}
		kept += copy(s.items[kept:], s.items[from:from+n])
		if from += n + 1; from <= s.cursor {
			before++
		}
		if s.state.Skipped[p.key] {
			s.leave(p.key)
		}
	}
	kept += copy(s.items[kept:], s.items[from:])
	s.items, s.cursor, s.low = s.items[:kept], s.cursor-before, max(0, s.low-len(gone))
}

// regain offers some items again that are not offered, each where it stood.
func (s *Session) regain(back []place) {
	for _, p := range back {
		at, offered := s.position(p)
		if offered {
			continue
		}
		s.outlook = outlook{}
		s.items, s.low = slices.Insert(s.items, at, p), min(s.low, at)
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
