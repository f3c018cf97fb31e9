package annotate

import (
	"cmp"
	"slices"
)

// place is an item as a session keeps it: queues may have a million of them.
type place struct {
	hash  uint64 // of a queue whose stored order is not the random one; else 0
	index int
	key   ItemKey
}

// compare is by where the queue offers them.
func (p place) compare(o place) int {
	return cmp.Or(cmp.Compare(p.hash, o.hash), cmp.Compare(p.index, o.index))
}

// place is that of an item of the session's queue.
func (s *Session) place(index int, k ItemKey) place {
	p := place{index: index, key: k}
	if s.queue.sorts() {
		p.hash = s.queue.Rule.EnrolmentHash(k)
	}
	return p
}

// sorts reports that items are to be offered by their enrolment hash, and are
// stored in another order: a queue that grows is stored as answers came, one of
// listed samples as they were listed. What Draw has put in order stays as it
// is, with the items of known answers among it.
func (q *Queue) sorts() bool {
	r := &q.Rule
	if r.Order == ByDisagreement || r.From == FromPairs || q.Golds > 0 {
		return false
	}
	listed := len(r.IDs)+r.Listed > 0 && r.Rate == 0 && r.Number == 0 && r.PerLevel == 0
	return r.From == FromUnparsable && r.Rate > 0 || listed && q.Stratum == Random
}

// Offered puts items of the queue into the order in which it offers them.
func (q *Queue) Offered(items []QueueItem) []QueueItem {
	if !q.sorts() {
		return items
	}
	out := slices.Clone(items)
	slices.SortStableFunc(out, func(a, b QueueItem) int {
		return cmp.Compare(q.Rule.EnrolmentHash(a.Key), q.Rule.EnrolmentHash(b.Key))
	})
	return out
}

// merge puts further items where they belong. The one in front stays in front.
func (s *Session) merge(more []place) {
	slices.SortFunc(more, place.compare)
	if n := len(s.items); len(more) == 0 || n == 0 || s.items[n-1].compare(more[0]) < 0 {
		s.items = append(s.items, more...)
		return
	}
	if s.cursor < len(s.items) {
		before, _ := slices.BinarySearchFunc(more, s.items[s.cursor], place.compare)
		defer func() { s.cursor += before }()
	}
	first, _ := slices.BinarySearchFunc(s.items, more[0], place.compare)
	s.low = min(s.low, first)
	all := make([]place, 0, len(s.items)+len(more))
	all = append(all, s.items[:first]...)
	for rest := s.items[first:]; len(rest)+len(more) > 0; {
		if len(more) == 0 || len(rest) > 0 && rest[0].compare(more[0]) < 0 {
			all, rest = append(all, rest[0]), rest[1:]
		} else {
			all, more = append(all, more[0]), more[1:]
		}
	}
	s.items = all
}

// inOrder reports that the next item is the first open one, wherever the
// annotator is.
func (s *Session) inOrder() bool { return s.queue.Stratum == Random && !s.adjudicating }

// first is where the search for the next item begins: of a queue drawn at
// random at its first open item, so that the labels of items before it count
// for rates, also when an item has come free that somebody else had, or one was
// enrolled in between; else behind a position.
func (s *Session) first(from int) int {
	if !s.inOrder() {
		return from
	}
	for s.low < len(s.items) && !s.fresh(s.items[s.low].key) {
		s.low++
	}
	return s.low - 1
}
