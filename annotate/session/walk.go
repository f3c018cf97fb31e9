package session

import (
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
)

// Walk leads one annotator through the items of a queue that are offered to them: what is in front,
// what comes next, and what others have meanwhile taken or left.
type Walk struct {
	own         *Record
	offered     offeredItems
	known       int // how many of the queue's it knows, those that are not offered included
	transitions int // of the claim, that were taken up
	claim       *assign.Claim
	shared      *assign.Claim // the one that others see; nil: there are no others
	rulings     *assign.Claim // among those who adjudicate now; nil: nobody else does
	unruled     bool          // nobody had adjudicated the item in front when it came there
	outlook     upcomingItems
	pulled      time.Time // when what others did was taken up last
}

// itemInFront gives the item in front, unless the annotator works elsewhere now.
func (w *Walk) itemInFront() (annotate.ItemPlace, bool) {
	if w.IsDisplaced() {
		return annotate.ItemPlace{}, false
	}
	return w.offered.currentItem()
}

// Current gives the item in front: its index in the queue and its prediction. It
// is false when nothing is: the queue is empty, or all of it is answered.
func (w *Walk) Current() (index int, k annotate.ItemKey, ok bool) {
	it, ok := w.itemInFront()
	return it.Index, it.Key, ok
}

// Position gives the position of the item in front among the Len items that are
// offered to this annotator, from 0; it is Len when no item is in front.
func (w *Walk) Position() int { return w.offered.cursor }

// Len counts the items that are offered to this annotator.
func (w *Walk) Len() int { return len(w.offered.items) }

// ShowPosition shows what stands at a position.
func (w *Walk) ShowPosition(at int) {
	if w.offered.cursor = max(0, min(at, len(w.offered.items))); w.offered.cursor == len(w.offered.items) {
		w.claim.YieldItem()
		return
	}
	k := w.offered.items[w.offered.cursor].Key
	w.unruled = w.rulings != nil && w.rulings.IsLabelWanted(k)
	w.claim.TakeItem(k)
}

// ShowNextFree shows the item behind the one in front that nobody else is at; behind the last one, nothing.
func (w *Walk) ShowNextFree() {
	at := w.offered.cursor + 1
	for at < len(w.offered.items) && w.isWithOthers(w.offered.items[at].Key) {
		at++
	}
	w.ShowPosition(at)
}

// ShowPreviousFree shows the item before the one in front that nobody else is at.
func (w *Walk) ShowPreviousFree() {
	for at := w.offered.cursor - 1; at >= 0; at-- {
		if !w.isWithOthers(w.offered.items[at].Key) {
			w.ShowPosition(at)
			return
		}
	}
}

// isWithOthers reports whether an item is with somebody else, and no answer of the annotator's to look at.
func (w *Walk) isWithOthers(k annotate.ItemKey) bool {
	if w.own.adjudicating {
		return w.rulings != nil && w.rulings.IsHeldByOther(k)
	}
	_, done := w.own.state.Labels[k]
	return !done && !w.claim.IsItemFree(k)
}

// ShowItem goes to an item that is offered, and that no other adjudicator has in front
// of them. It reports whether it did.
func (w *Walk) ShowItem(k annotate.ItemKey) bool {
	i := w.offered.indexOf(k)
	if i < 0 || w.own.adjudicating && w.isWithOthers(k) {
		return false
	}
	w.ShowPosition(i)
	return true
}

// ShowNextOpen goes to the next open item: the first that has neither a label nor was put off, else the
// one that was put off longest ago, else none. Of a queue that was not drawn at random, and of rulings,
// it is the first behind the one in front, else the first from the start. Items that are in front of
// others, or about to be, are for those.
func (w *Walk) ShowNextOpen() {
	w.offered.cursor = min(w.offered.cursor, len(w.offered.items))
	w.pullIfDue(annotate.ItemKey{}, false)
	w.hideGoldItems()
	for {
		at, ok := w.findNextOpen()
		if !ok && w.pullIfDue(annotate.ItemKey{}, true) {
			continue
		}
		if !ok {
			w.ShowPosition(len(w.offered.items))
			return
		}
		if w.ShowPosition(at); w.claim.TakeItem(w.offered.items[at].Key) || w.claim.IsDisplaced() {
			return // else somebody was quicker
		}
	}
}

// findOpenFrom finds where ShowNextOpen goes from a position. Some items come before, and are not looked for.
func (w *Walk) findOpenFrom(from int, before ...annotate.ItemPlace) (int, bool) {
	if w.CountOpen() == 0 {
		return 0, false
	}
	fresh := func(k annotate.ItemKey) bool {
		return w.own.isUnanswered(k) && !slices.ContainsFunc(before, func(p annotate.ItemPlace) bool { return p.Key == k })
	}
	if w.countAnswered()+len(w.own.skips) < len(w.offered.items) {
		for _, soon := range []bool{true, false} {
			if at, ok := w.claim.FindNextFree(w.offered.items, w.searchStart(from), fresh, soon); ok {
				return at, true
			}
		}
	}
	best, found := 0, false
	for i := range w.offered.items {
		if put, ok := w.own.skips[w.offered.items[i].Key]; ok && w.claim.IsItemFree(w.offered.items[i].Key) {
			if !found || put < w.own.skips[w.offered.items[best].Key] {
				best, found = i, true
			}
		}
	}
	return best, found
}

// countAnswered counts the offered items that have what the session gives: a label, or a ruling.
func (w *Walk) countAnswered() int {
	if !w.own.adjudicating {
		return len(w.own.state.Labels)
	}
	n := 0
	for i := range w.offered.items {
		k := w.offered.items[i].Key
		if _, done := w.own.state.Rulings[k]; done || w.rulings != nil && !w.rulings.IsLabelWanted(k) {
			n++
		}
	}
	return n
}

// CountOpen counts the items that have no label yet, those put off included; of an adjudicator, no ruling.
func (w *Walk) CountOpen() int { return max(0, len(w.offered.items)-w.countAnswered()) }

// Tally is what an annotator has done in a queue, in numbers.
type Tally struct {
	Items                  int // offered
	Done, Skipped, Flagged int
	Verdicts               map[annotate.ReadingKind]int
	Spent                  time.Duration // on the labels that stand
}

// Tally counts what stands.
func (s *Session) Tally() Tally {
	t := Tally{
		Items: len(s.Walk.offered.items), Done: len(s.Own.state.Labels), Skipped: len(s.Own.state.Skipped),
		Flagged: len(s.Own.state.Flagged), Verdicts: make(map[annotate.ReadingKind]int),
	}
	for _, l := range s.Own.state.Labels {
		t.Verdicts[l.Reading.Kind]++
		t.Spent += l.Spent
	}
	return t
}

// addWantedItems takes up the items that still want this annotator's label: an item that as many others
// have labelled as it wants is left out, unless this annotator has labelled it too.
func (w *Walk) addWantedItems(items []annotate.QueueItem) {
	w.outlook = upcomingItems{}
	more := make([]annotate.ItemPlace, 0, len(items))
	for i := range items {
		k := items[i].Key
		p := w.own.queue.PlaceOf(items[i].Index, k)
		w.known = max(w.known, p.Index+1)
		if _, done := w.own.state.Labels[k]; done || w.own.adjudicating || w.claim.IsLabelWanted(k) {
			more = append(more, p)
			continue
		}
		if w.own.state.Skipped[k] {
			w.own.removeSkipped(k)
		}
	}
	w.offered.mergePlaces(more)
	w.claim.SetItemPlaces(items)
}

// isInOrder reports that the next item is the first open one, wherever the annotator is.
func (w *Walk) isInOrder() bool { return w.own.queue.Stratum == annotate.Random && !w.own.adjudicating }

// searchStart is where the search for the next item begins: of a queue drawn at random at its first
// open item, so that the labels of items before it count for rates, also when an item has come free
// that somebody else had, or one was enrolled in between; else behind a position.
func (w *Walk) searchStart(from int) int {
	if !w.isInOrder() {
		return from
	}
	for w.offered.low < len(w.offered.items) && !w.own.isUnanswered(w.offered.items[w.offered.low].Key) {
		w.offered.low++
	}
	return w.offered.low - 1
}

// upcomingItems holds the items that are likely to be in front soon, and as of when. A
// session among thirty looks ahead with every frame, and each of the others acts
// meanwhile, so what was found is kept as long as it holds.
type upcomingItems struct {
	found   []annotate.ItemPlace // the item that was in front first
	indices []int                // of those
	version int64                // of the claim
	acts    int
	n       int // how many were asked for
}

// UpcomingIndices lists the indices of up to n items that are likely to be in front soon, the item in
// front first: what a screen should have at hand. It must not be changed.
func (w *Walk) UpcomingIndices(n int) []int {
	front, ok := w.offered.currentItem()
	if !ok {
		w.outlook = upcomingItems{}
		w.claim.ReserveNext(nil)
		return nil
	}
	now := upcomingItems{version: w.claim.Version(), acts: len(w.own.acts), n: n}
	if was := &w.outlook; len(was.found) > 0 && was.found[0] == front && was.version == now.version && was.acts == now.acts && was.n == n {
		return was.indices
	}
	now.found = append([]annotate.ItemPlace{front}, w.stillUpcoming(front)...)
	for len(now.found) < n {
		last, _ := w.offered.findPosition(now.found[len(now.found)-1])
		at, ok := w.findOpenFrom(last, now.found...)
		if !ok || slices.Contains(now.found, w.offered.items[at]) {
			break
		}
		now.found = append(now.found, w.offered.items[at])
	}
	now.found = now.found[:min(n, len(now.found))]
	var soon []annotate.ItemKey
	for i, p := range now.found {
		if now.indices = append(now.indices, p.Index); i > 0 {
			soon = append(soon, p.Key)
		}
	}
	w.claim.ReserveNext(soon)
	w.outlook = now
	return now.indices
}

// stillUpcoming gives what still follows an item by the last outlook: the items that
// are offered and open, and that nobody else has or expects.
func (w *Walk) stillUpcoming(front annotate.ItemPlace) []annotate.ItemPlace {
	i := slices.Index(w.outlook.found, front)
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(w.claim.OpenItems(w.outlook.found[i+1:], w.own.isUnanswered), func(p annotate.ItemPlace) bool {
		_, offered := w.offered.findPosition(p)
		return !offered
	})
}

// findNextOpen finds where ShowNextOpen goes: to what was expected, else to what is found.
func (w *Walk) findNextOpen() (int, bool) {
	front, ok := w.offered.currentItem()
	if ok {
		if next := w.stillUpcoming(front); len(next) > 0 {
			return w.offered.findPosition(next[0])
		}
	}
	if ok && w.isInOrder() {
		if at, ok := w.findOpenFrom(w.offered.cursor, front); ok {
			return at, true
		}
	}
	return w.findOpenFrom(w.offered.cursor)
}
