package session

import (
	"concord/annotate"
)

// inOrder reports that the next item is the first open one, wherever the
// annotator is.
func (w *Walk) inOrder() bool {
	return w.own.queue.Stratum == annotate.Random && !w.own.adjudicating
}

// first is where the search for the next item begins: of a queue drawn at
// random at its first open item, so that the labels of items before it count
// for rates, also when an item has come free that somebody else had, or one was
// enrolled in between; else behind a position.
func (w *Walk) first(from int) int {
	if !w.inOrder() {
		return from
	}
	for w.offered.low < len(w.offered.items) && !w.own.fresh(w.offered.items[w.offered.low].Key) {
		w.offered.low++
	}
	return w.offered.low - 1
}
