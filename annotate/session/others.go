package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/journal"
)

// PullChanges takes up what others have done since, and reports whether that put
// another item in front: it does so only where none was.
func (w *Walk) PullChanges() bool {
	if front, ok := w.offered.currentItem(); ok {
		w.pullIfDue(front.Key, false)
		return false
	}
	w.ShowNextOpen()
	_, ok := w.offered.currentItem()
	return ok
}

// pulling is the least time between two looks through all items for what others have done: a large
// queue takes a millisecond of them, and a team of thirty says something a hundred times a second. What
// comes next is asked of the claim in any case.
const pulling = time.Second

// pullIfDue pulls, when it is time to or must be, and reports whether there was anything.
func (w *Walk) pullIfDue(keep annotate.ItemKey, must bool) bool {
	now := w.own.now()
	if !must && now.Sub(w.pulled) < pulling {
		return false
	}
	before := w.transitions
	w.pulled = now
	w.removeFilled(keep)
	return w.transitions != before
}

// removeFilled takes away the items that others have meanwhile given all their labels,
// but for the one to be kept, and brings back those that want one again.
func (w *Walk) removeFilled(keep annotate.ItemKey) {
	if w.own.adjudicating {
		return
	}
	changes := w.claim.Transitions(w.transitions)
	var gone, back []annotate.ItemPlace
	for _, f := range changes {
		if f.Key == keep {
			return // all of it later, when it is left
		}
		_, done := w.own.state.Labels[f.Key]
		switch wanted := done || !f.Full; {
		case f.Index >= w.known: // it is still to be offered
		case wanted:
			back = append(back, w.own.queue.PlaceOf(f.Index, f.Key))
		default:
			gone = append(gone, w.own.queue.PlaceOf(f.Index, f.Key))
		}
	}
	w.transitions += len(changes)
	w.removeOffered(gone)
	w.offerAgain(back)
}

// hideGoldItems offers items whose answer is known no more once nothing else is left
// to this annotator: whoever is handed nothing but such items would know them.
func (w *Walk) hideGoldItems() {
	if len(w.own.hidden.known) == 0 || w.own.adjudicating {
		return
	}
	var gone []annotate.ItemPlace
	for _, p := range w.offered.items {
		if _, done := w.own.state.Labels[p.Key]; done {
			continue
		}
		if _, known := w.own.hidden.known[p.Key]; !known {
			return
		}
		gone = append(gone, p)
	}
	w.removeOffered(gone)
}

// removeOffered offers some items no more.
func (w *Walk) removeOffered(gone []annotate.ItemPlace) {
	w.offered.removePlaces(gone, func(k annotate.ItemKey) {
		if w.own.state.Skipped[k] {
			w.own.removeSkipped(k)
		}
	})
}

// offerAgain offers some items again that are not offered, each where it stood.
func (w *Walk) offerAgain(back []annotate.ItemPlace) {
	for _, p := range back {
		if !w.offered.insertPlace(p) {
			continue
		}
		w.outlook = upcomingItems{}
		if delete(w.own.left, p.Key); w.own.state.Skipped[p.Key] {
			w.own.skips[p.Key] = 1
		}
	}
}

// LostLastItem reports whether the last answer was not taken, since the item had gone
// to somebody else while nothing was done.
func (s *Session) LostLastItem() bool { return s.lost }

// IsDisplaced reports whether the annotator works in the queue elsewhere: nothing can be done here any more.
func (w *Walk) IsDisplaced() bool { return w.shared != nil && w.shared.IsDisplaced() }

// IsWaitingForOthers reports whether all that is open is in front of others: it comes when they leave it.
func (w *Walk) IsWaitingForOthers() bool {
	if _, ok := w.offered.currentItem(); ok || w.CountOpen() == 0 {
		return false
	}
	_, ok := w.findOpenFrom(w.offered.cursor)
	return !ok
}

// RenewClaim tells that the annotator is there: what is in front stays theirs.
func (s *Session) RenewClaim() { s.Walk.claim.RenewLease() }

// TeamProgress is how far everybody together is.
func (s *Session) TeamProgress() assign.TeamProgress {
	return s.Walk.claim.TeamProgress(s.Own.queue.Items)
}

// offeredItems lists the items that are offered to one annotator, and which of them is in front.
type offeredItems struct {
	items  []annotate.ItemPlace // in the order of Place.Compare
	low    int                  // the items before this one are not open
	cursor int                  // len(items): behind the last item, nothing is in front
}

// currentItem gives the item in front; false when none is.
func (f *offeredItems) currentItem() (annotate.ItemPlace, bool) {
	if f.cursor < 0 || f.cursor >= len(f.items) {
		return annotate.ItemPlace{}, false
	}
	return f.items[f.cursor], true
}

// findPosition finds where an item stands or would stand, and whether it is offered.
func (f *offeredItems) findPosition(p annotate.ItemPlace) (int, bool) {
	return slices.BinarySearchFunc(f.items, p, annotate.ItemPlace.Compare)
}

// indexOf gives the position of an item; -1 of one that is not offered.
func (f *offeredItems) indexOf(k annotate.ItemKey) int {
	return slices.IndexFunc(f.items, func(p annotate.ItemPlace) bool { return p.Key == k })
}

// mergePlaces puts further items where they belong. The one in front stays in front.
func (f *offeredItems) mergePlaces(more []annotate.ItemPlace) {
	slices.SortFunc(more, annotate.ItemPlace.Compare)
	if n := len(f.items); len(more) == 0 || n == 0 || f.items[n-1].Compare(more[0]) < 0 {
		f.items = append(f.items, more...)
		return
	}
	if f.cursor < len(f.items) {
		before, _ := slices.BinarySearchFunc(more, f.items[f.cursor], annotate.ItemPlace.Compare)
		defer func() { f.cursor += before }()
	}
	first, _ := slices.BinarySearchFunc(f.items, more[0], annotate.ItemPlace.Compare)
	f.low = min(f.low, first)
	all := make([]annotate.ItemPlace, 0, len(f.items)+len(more))
	all = append(all, f.items[:first]...)
	for rest := f.items[first:]; len(rest)+len(more) > 0; {
		if len(more) == 0 || len(rest) > 0 && rest[0].Compare(more[0]) < 0 {
			all, rest = append(all, rest[0]), rest[1:]
		} else {
			all, more = append(all, more[0]), more[1:]
		}
	}
	f.items = all
}

// insertPlace puts one item where it belongs. It reports false for one that is offered already.
func (f *offeredItems) insertPlace(p annotate.ItemPlace) bool {
	at, there := f.findPosition(p)
	if there {
		return false
	}
	f.items, f.low = slices.Insert(f.items, at, p), min(f.low, at)
	if at <= f.cursor {
		f.cursor++
	}
	return true
}

// removePlaces takes items out, and calls gone for each that was offered.
func (f *offeredItems) removePlaces(places []annotate.ItemPlace, gone func(annotate.ItemKey)) {
	slices.SortFunc(places, annotate.ItemPlace.Compare)
	kept, from, before := 0, 0, 0
	for _, p := range places {
		n, there := slices.BinarySearchFunc(f.items[from:], p, annotate.ItemPlace.Compare)
		if !there {
			continue
		}
		kept += copy(f.items[kept:], f.items[from:from+n])
		if from += n + 1; from <= f.cursor {
			before++
		}
		gone(p.Key)
	}
	kept += copy(f.items[kept:], f.items[from:])
	f.items, f.cursor, f.low = f.items[:kept], f.cursor-before, max(0, f.low-len(places))
}

// removeAt takes the item at a position out. One that was in front leaves the one before it there.
func (f *offeredItems) removeAt(i int) {
	f.items = slices.Delete(f.items, i, i+1)
	if i < f.low {
		f.low--
	}
	if f.cursor >= i {
		f.cursor--
	}
}

// Appender makes acts durable.
type Appender interface {
	// Append commits the acts, in their order, all or none. Acts whose numbers do not follow those
	// stored give ErrConflict. An act by which more people would label an item than its queue's overlap
	// gives a *TakenError.
	Append(ctx context.Context, acts []annotate.Act) error
}

// JournalState is where a journal stands.
type JournalState journal.State[annotate.Act]

// Parked is the acts of one annotator in one queue that could not be committed. Those of others go on.
type Parked = journal.Parked[annotate.Act]

// ParkedOf is what could not be committed of an annotator's acts in a queue; false while all goes well.
func (s *JournalState) ParkedOf(q annotate.QueueName, who annotate.Annotator) (Parked, bool) {
	for _, p := range s.Parked {
		if p.First.Queue == q && p.First.Annotator == who {
			return p, true
		}
	}
	return Parked{}, false
}

// Journal is the one ordered writer of people's acts in queues, a stream for each annotator in each
// queue. A label that others came before is committed as TooLate.
type Journal struct {
	*journal.Journal[streamName, annotate.Act]

	mu   sync.Mutex
	late map[streamName][]annotate.Act // those committed as TooLate
}

// streamName is whose acts are numbered together.
type streamName struct {
	queue annotate.QueueName
	who   annotate.Annotator
}

func newStreamName(a *annotate.Act) streamName { return streamName{a.Queue, a.Annotator} }

// NewJournal starts a journal; Close ends it. A nil now is time.Now.
func NewJournal(a Appender, now func() time.Time) *Journal {
	j := &Journal{late: make(map[streamName][]annotate.Act)}
	j.Journal = journal.New(journal.ActTraits[streamName, annotate.Act]{
		Stream: newStreamName, Number: func(a *annotate.Act) uint32 { return a.N },
		Append: a.Append, Mend: j.markTooLate,
	}, now)
	return j
}

// State gives where the journal stands now.
func (j *Journal) State() JournalState { return JournalState(j.Journal.State()) }

// LastSaved is the number of the last act of an annotator in a queue that this
// journal has committed; 0 when it has committed none.
func (j *Journal) LastSaved(q annotate.QueueName, who annotate.Annotator) uint32 {
	return j.Journal.LastSaved(streamName{q, who})
}

// SyncStream waits until an annotator's acts in a queue are committed. It neither
// waits for nor fails with those of others.
func (j *Journal) SyncStream(ctx context.Context, q annotate.QueueName, who annotate.Annotator) error {
	return j.Journal.SyncStream(ctx, streamName{q, who})
}

// markTooLate turns the act that others came before into one that says so, and counts for nothing. Its
// number stays taken, so that all acts behind it, and those that name it, are valid as they are.
func (j *Journal) markTooLate(err error, waiting []annotate.Act) bool {
	var taken *annotate.TakenError
	if !errors.As(err, &taken) {
		return false
	}
	for i := range waiting {
		if a := &waiting[i]; a.N == taken.N && a.Kind != annotate.TooLate {
			a.Kind = annotate.TooLate
			j.mu.Lock()
			j.late[newStreamName(a)] = append(j.late[newStreamName(a)], *a)
			j.mu.Unlock()
			return true
		}
	}
	return false
}

// LateActs are the acts of an annotator in a queue that came too late since the
// journal was opened; none of them counts.
func (j *Journal) LateActs(q annotate.QueueName, who annotate.Annotator) []annotate.Act {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.late[streamName{q, who}])
}
