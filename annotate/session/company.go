package session

import (
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
)

// Look takes up what others have done since, and reports whether that put
// another item in front: it does so only where none was.
func (s *Session) Look() bool {
	if s.cursor < len(s.items) {
		s.pullNow(s.items[s.cursor].Key, false)
		return false
	}
	s.ToOpen()
	return s.cursor < len(s.items)
}

// pulling is the least time between two looks through all items for what others
// have done: a large queue takes a millisecond of them, and a team of thirty
// says something a hundred times a second. What comes next is asked of the claim
// in any case.
const pulling = time.Second

// pullNow pulls, when it is time to or must be, and reports whether there was
// anything.
func (s *Session) pullNow(keep annotate.ItemKey, must bool) bool {
	now := s.now()
	if !must && now.Sub(s.pulled) < pulling {
		return false
	}
	before := s.transitions
	s.pulled = now
	s.pull(keep)
	return s.transitions != before
}

// pull takes away the items that others have meanwhile given all their labels,
// but for the one to be kept, and brings back those that want one again.
func (s *Session) pull(keep annotate.ItemKey) {
	if s.adjudicating {
		return
	}
	changes := s.claim.Transitions(s.transitions)
	var gone, back []annotate.Place
	for _, f := range changes {
		if f.Key == keep {
			return // all of it later, when it is left
		}
		_, done := s.state.Labels[f.Key]
		switch wanted := done || !f.Full; {
		case f.Index >= s.known: // it is still to be offered
		case wanted:
			back = append(back, s.queue.Place(f.Index, f.Key))
		default:
			gone = append(gone, s.queue.Place(f.Index, f.Key))
		}
	}
	s.transitions += len(changes)
	s.shed(gone)
	s.regain(back)
}

// hideGolds offers items whose answer is known no more once nothing else is left
// to this annotator: whoever is handed nothing but such items would know them.
func (s *Session) hideGolds() {
	if len(s.hidden.known) == 0 || s.adjudicating {
		return
	}
	var gone []annotate.Place
	for _, p := range s.items {
		if _, done := s.state.Labels[p.Key]; done {
			continue
		}
		if _, known := s.hidden.known[p.Key]; !known {
			return
		}
		gone = append(gone, p)
	}
	s.shed(gone)
}

// shed offers some items no more.
func (s *Session) shed(gone []annotate.Place) {
	slices.SortFunc(gone, annotate.Place.Compare)
	kept, from, before := 0, 0, 0
	for _, p := range gone {
		n, offered := slices.BinarySearchFunc(s.items[from:], p, annotate.Place.Compare)
		if !offered {
			continue
		}
		kept += copy(s.items[kept:], s.items[from:from+n])
		if from += n + 1; from <= s.cursor {
			before++
		}
		if s.state.Skipped[p.Key] {
			s.leave(p.Key)
		}
	}
	kept += copy(s.items[kept:], s.items[from:])
	s.items, s.cursor, s.low = s.items[:kept], s.cursor-before, max(0, s.low-len(gone))
}

// regain offers some items again that are not offered, each where it stood.
func (s *Session) regain(back []annotate.Place) {
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
		if delete(s.left, p.Key); s.state.Skipped[p.Key] {
			s.skips[p.Key] = 1
		}
	}
}

// Lost reports whether the last answer was not taken, since the item had gone
// to somebody else while nothing was done.
func (s *Session) Lost() bool { return s.lost }

// Displaced reports whether this annotator works in the queue elsewhere now:
// nothing can be done here any more.
func (s *Session) Displaced() bool { return s.shared != nil && s.shared.Displaced() }

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
func (s *Session) Touch() { s.claim.Renew() }

// Team is how far everybody together is.
func (s *Session) Team() assign.Team { return s.claim.Team(s.queue.Items) }
