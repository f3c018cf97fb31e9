package session

import (
	"slices"
	"time"

	"concord/annotate"
	"concord/eval/stat"
)

// front is the item in front of the annotator.
func (s *Session) front() (annotate.Place, bool) {
	if s.cursor >= len(s.items) || s.Displaced() {
		return annotate.Place{}, false
	}
	return s.items[s.cursor], true
}

// Current is the item in front: its index in the queue and its prediction. It
// is false when nothing is: the queue is empty, or all of it is answered.
func (s *Session) Current() (index int, k annotate.ItemKey, ok bool) {
	it, ok := s.front()
	return it.Index, it.Key, ok
}

// At is the position of the item in front among the Len items that are
// offered to this annotator, from 0; it is Len when no item is in front.
func (s *Session) At() int { return s.cursor }

// Len is how many items are offered to this annotator.
func (s *Session) Len() int { return len(s.items) }

// turn puts what stands at a position in front.
func (s *Session) turn(at int) {
	if s.cursor = max(0, min(at, len(s.items))); s.cursor == len(s.items) {
		s.claim.Yield()
		return
	}
	s.claim.Take(s.items[s.cursor].Key)
}

// Next shows the item behind the one in front that nobody else is at; behind
// the last one, nothing.
func (s *Session) Next() {
	at := s.cursor + 1
	for at < len(s.items) && s.elsewhere(s.items[at].Key) {
		at++
	}
	s.turn(at)
}

// Prev shows the item before the one in front that nobody else is at.
func (s *Session) Prev() {
	for at := s.cursor - 1; at >= 0; at-- {
		if !s.elsewhere(s.items[at].Key) {
			s.turn(at)
			return
		}
	}
}

// elsewhere reports whether an item is with somebody else, and no answer of this
// annotator's to be looked at.
func (s *Session) elsewhere(k annotate.ItemKey) bool {
	_, done := s.state.Labels[k]
	return !done && !s.claim.Free(k)
}

// Goto shows the item at a position.
func (s *Session) Goto(at int) { s.turn(at) }

// show goes to an item that is offered.
func (s *Session) show(k annotate.ItemKey) {
	if i := slices.IndexFunc(s.items, func(p annotate.Place) bool { return p.Key == k }); i >= 0 {
		s.turn(i)
	}
}

// ToOpen goes to the next open item: the first that has neither a label nor was
// put off, else the one that was put off longest ago, else none. Of a queue that
// was not drawn at random, and of rulings, it is the first behind the one in
// front, else the first from the start. Items that are in front of others, or
// about to be, are for those.
func (s *Session) ToOpen() {
	s.cursor = min(s.cursor, len(s.items))
	s.pullNow(annotate.ItemKey{}, false)
	s.hideGolds()
	for {
		at, ok := s.following()
		if !ok && s.pullNow(annotate.ItemKey{}, true) {
			continue
		}
		if !ok {
			s.turn(len(s.items))
			return
		}
		if s.turn(at); s.claim.Take(s.items[at].Key) || s.claim.Displaced() {
			return // else somebody was quicker
		}
	}
}

// opening finds where ToOpen goes from a position. Some items come before, and
// are not looked for.
func (s *Session) opening(from int, before ...annotate.Place) (int, bool) {
	if s.Open() == 0 {
		return 0, false
	}
	fresh := func(k annotate.ItemKey) bool {
		return s.fresh(k) && !slices.ContainsFunc(before, func(p annotate.Place) bool { return p.Key == k })
	}
	if s.settled()+len(s.skips) < len(s.items) {
		for _, soon := range []bool{true, false} {
			if at, ok := s.claim.Next(s.items, s.first(from), fresh, soon); ok {
				return at, true
			}
		}
	}
	best, found := 0, false
	for i := range s.items {
		if put, ok := s.skips[s.items[i].Key]; ok && s.claim.Free(s.items[i].Key) {
			if !found || put < s.skips[s.items[best].Key] {
				best, found = i, true
			}
		}
	}
	return best, found
}

func (s *Session) fresh(k annotate.ItemKey) bool {
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
		if _, done := s.state.Rulings[s.items[i].Key]; done {
			n++
		}
	}
	return n
}

// Open is how many items have no label yet, those put off included; of an
// adjudicator, no ruling.
func (s *Session) Open() int { return max(0, len(s.items)-s.settled()) }

// Tally is what an annotator has done in a queue, in numbers.
type Tally struct {
	Items    int // offered
	Done     int
	Skipped  int
	Flagged  int
	Verdicts map[annotate.Verdict]int
	Spent    time.Duration // on the labels that stand
}

// Tally counts what stands.
func (s *Session) Tally() Tally {
	t := Tally{
		Items: len(s.items), Done: len(s.state.Labels), Skipped: len(s.state.Skipped),
		Flagged: len(s.state.Flagged), Verdicts: make(map[annotate.Verdict]int),
	}
	for _, l := range s.state.Labels {
		t.Verdicts[l.Reading.Verdict]++
		t.Spent += l.Spent
	}
	return t
}

// Checks is how many of the items with a known answer the annotator labelled
// as is known, so far as it may be shown: in whole blocks, after every so many
// labels. It is empty before the first block.
func (s *Session) Checks() stat.Count { return s.checks.Shown() }
