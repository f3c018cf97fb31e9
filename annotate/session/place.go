package session

import (
	"slices"

	"concord/annotate"
)

// merge puts further items where they belong. The one in front stays in front.
func (s *Session) merge(more []annotate.Place) {
	slices.SortFunc(more, annotate.Place.Compare)
	if n := len(s.items); len(more) == 0 || n == 0 || s.items[n-1].Compare(more[0]) < 0 {
		s.items = append(s.items, more...)
		return
	}
	if s.cursor < len(s.items) {
		before, _ := slices.BinarySearchFunc(more, s.items[s.cursor], annotate.Place.Compare)
		defer func() { s.cursor += before }()
	}
	first, _ := slices.BinarySearchFunc(s.items, more[0], annotate.Place.Compare)
	s.low = min(s.low, first)
	all := make([]annotate.Place, 0, len(s.items)+len(more))
	all = append(all, s.items[:first]...)
	for rest := s.items[first:]; len(rest)+len(more) > 0; {
		if len(more) == 0 || len(rest) > 0 && rest[0].Compare(more[0]) < 0 {
			all, rest = append(all, rest[0]), rest[1:]
		} else {
			all, more = append(all, more[0]), more[1:]
		}
	}
	s.items = all
}

// inOrder reports that the next item is the first open one, wherever the
// annotator is.
func (s *Session) inOrder() bool { return s.queue.Stratum == annotate.Random && !s.adjudicating }

// first is where the search for the next item begins: of a queue drawn at
// random at its first open item, so that the labels of items before it count
// for rates, also when an item has come free that somebody else had, or one was
// enrolled in between; else behind a position.
func (s *Session) first(from int) int {
	if !s.inOrder() {
		return from
	}
	for s.low < len(s.items) && !s.fresh(s.items[s.low].Key) {
		s.low++
	}
	return s.low - 1
}
