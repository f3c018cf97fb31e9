package session

import (
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
)

// Walk leads one annotator through the items of a queue that are offered to
// them: what is in front, what comes next, and what others have meanwhile taken
// or left.
type Walk struct {
	own         *Record
	offered     offered
	known       int // how many of the queue's it knows, those that are not offered included
	transitions int // of the claim, that were taken up
	claim       *assign.Claim
	shared      *assign.Claim // the one that others see; nil: there are no others
	rulings     *assign.Claim // among those who adjudicate now; nil: nobody else does
	outlook     outlook
	pulled      time.Time // when what others did was taken up last
}

// front gives the item in front, unless the annotator works elsewhere now.
func (w *Walk) front() (annotate.Place, bool) {
	if w.Displaced() {
		return annotate.Place{}, false
	}
	return w.offered.front()
}

// Current gives the item in front: its index in the queue and its prediction. It
// is false when nothing is: the queue is empty, or all of it is answered.
func (w *Walk) Current() (index int, k annotate.ItemKey, ok bool) {
	it, ok := w.front()
	return it.Index, it.Key, ok
}

// At gives the position of the item in front among the Len items that are
// offered to this annotator, from 0; it is Len when no item is in front.
func (w *Walk) At() int { return w.offered.cursor }

// Len counts the items that are offered to this annotator.
func (w *Walk) Len() int { return len(w.offered.items) }

// turn puts what stands at a position in front.
func (w *Walk) turn(at int) {
	if w.offered.cursor = max(0, min(at, len(w.offered.items))); w.offered.cursor == len(w.offered.items) {
		w.claim.Yield()
		return
	}
	w.claim.Take(w.offered.items[w.offered.cursor].Key)
}

// Next shows the item behind the one in front that nobody else is at; behind
// the last one, nothing.
func (w *Walk) Next() {
	at := w.offered.cursor + 1
	for at < len(w.offered.items) && w.elsewhere(w.offered.items[at].Key) {
		at++
	}
	w.turn(at)
}

// Prev shows the item before the one in front that nobody else is at.
func (w *Walk) Prev() {
	for at := w.offered.cursor - 1; at >= 0; at-- {
		if !w.elsewhere(w.offered.items[at].Key) {
			w.turn(at)
			return
		}
	}
}

// elsewhere reports whether an item is with somebody else, and no answer of this
// annotator's to be looked at.
func (w *Walk) elsewhere(k annotate.ItemKey) bool {
	if w.own.adjudicating {
		return w.rulings != nil && w.rulings.Elsewhere(k)
	}
	_, done := w.own.state.Labels[k]
	return !done && !w.claim.Free(k)
}

// Goto shows the item at a position.
func (w *Walk) Goto(at int) { w.turn(at) }

// Show goes to an item that is offered.
func (w *Walk) Show(k annotate.ItemKey) {
	if i := w.offered.find(k); i >= 0 {
		w.turn(i)
	}
}

// ToOpen goes to the next open item: the first that has neither a label nor was
// put off, else the one that was put off longest ago, else none. Of a queue that
// was not drawn at random, and of rulings, it is the first behind the one in
// front, else the first from the start. Items that are in front of others, or
// about to be, are for those.
func (w *Walk) ToOpen() {
	w.offered.cursor = min(w.offered.cursor, len(w.offered.items))
	w.pullNow(annotate.ItemKey{}, false)
	w.hideGolds()
	for {
		at, ok := w.following()
		if !ok && w.pullNow(annotate.ItemKey{}, true) {
			continue
		}
		if !ok {
			w.turn(len(w.offered.items))
			return
		}
		if w.turn(at); w.claim.Take(w.offered.items[at].Key) || w.claim.Displaced() {
			return // else somebody was quicker
		}
	}
}

// opening finds where ToOpen goes from a position. Some items come before, and
// are not looked for.
func (w *Walk) opening(from int, before ...annotate.Place) (int, bool) {
	if w.Open() == 0 {
		return 0, false
	}
	fresh := func(k annotate.ItemKey) bool {
		return w.own.fresh(k) && !slices.ContainsFunc(before, func(p annotate.Place) bool { return p.Key == k })
	}
	if w.settled()+len(w.own.skips) < len(w.offered.items) {
		for _, soon := range []bool{true, false} {
			if at, ok := w.claim.Next(w.offered.items, w.first(from), fresh, soon); ok {
				return at, true
			}
		}
	}
	best, found := 0, false
	for i := range w.offered.items {
		if put, ok := w.own.skips[w.offered.items[i].Key]; ok && w.claim.Free(w.offered.items[i].Key) {
			if !found || put < w.own.skips[w.offered.items[best].Key] {
				best, found = i, true
			}
		}
	}
	return best, found
}

// settled counts the offered items that have what the session gives: a label, or
// a ruling.
func (w *Walk) settled() int {
	if !w.own.adjudicating {
		return len(w.own.state.Labels)
	}
	n := 0
	for i := range w.offered.items {
		k := w.offered.items[i].Key
		if _, done := w.own.state.Rulings[k]; done || w.rulings != nil && !w.rulings.Wanted(k) {
			n++
		}
	}
	return n
}

// Open counts the items that have no label yet, those put off included; of an
// adjudicator, no ruling.
func (w *Walk) Open() int { return max(0, len(w.offered.items)-w.settled()) }

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
		Items: len(s.Walk.offered.items), Done: len(s.Own.state.Labels), Skipped: len(s.Own.state.Skipped),
		Flagged: len(s.Own.state.Flagged), Verdicts: make(map[annotate.Verdict]int),
	}
	for _, l := range s.Own.state.Labels {
		t.Verdicts[l.Reading.Verdict]++
		t.Spent += l.Spent
	}
	return t
}

// offer takes up the items that still want this annotator's label: an item
// that as many others have labelled as it wants is left out, unless this
// annotator has labelled it too.
func (w *Walk) offer(items []annotate.QueueItem) {
	w.outlook = outlook{}
	more := make([]annotate.Place, 0, len(items))
	for i := range items {
		k := items[i].Key
		p := w.own.queue.Place(items[i].Index, k)
		w.known = max(w.known, p.Index+1)
		if _, done := w.own.state.Labels[k]; done || w.own.adjudicating || w.claim.Wanted(k) {
			more = append(more, p)
			continue
		}
		if w.own.state.Skipped[k] {
			w.own.leave(k)
		}
	}
	w.offered.merge(more)
	w.claim.Learn(items)
}
