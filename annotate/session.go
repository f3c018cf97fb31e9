package annotate

import (
	"fmt"
	"time"

	"concord/annotate/journal"
)

// Opening is what a session starts from. Others holds, for each item that
// other people have labelled, how many of them did: a number, and never what
// they said.
type Opening struct {
	Queue     Queue
	Annotator Annotator
	Items     []QueueItem // in the order of their Index
	Acts      []Act       // this annotator's in this queue, as stored
	Others    map[ItemKey]int
	Sides     map[ItemKey]int // of pairs: how many more of the others voted on it swapped than not
	Hidden    Hidden          // what the session keeps to itself
	Seat      *Seat           // among those who work in the queue now; nil: nobody else does, and Others and Sides stay
	Now       func() time.Time

	// Adjudicating opens the session for rulings, not labels: all of Items
	// are offered, whoever has labelled them, and those without a ruling of
	// the annotator's are open.
	Adjudicating bool
}

// Session is one annotator at work in one queue: which item is in front of
// them, what they have said, what they can take back. It does no I/O and
// waits for nothing; the acts that its methods return go into a Journal in
// the order in which they were returned, and count here at once.
//
//	key -> Session -Act-> Journal -> storage
//	          ^--- Saved, Failed ---'
//
// It is not safe for use by several goroutines.
type Session struct {
	queue   Queue
	who     Annotator
	now     func() time.Time
	items   []place // those offered to this annotator, in the order of place.compare
	low     int     // the items before this one are not open
	known   int     // how many of the queue's it knows, those that are not offered included
	flips   int     // of the seat's, that were taken up
	seat    *Seat
	chair   *Seat // the one that others see; nil: there are no others
	hidden  Hidden
	checks  checks
	outlook outlook
	pulled  time.Time // when what others did was taken up last
	lost    bool      // an answer came after the item had gone to somebody else

	adjudicating bool

	acts   []Act
	saved  int   // acts[:saved] are committed
	failed error // why acts[saved] is not; until then state is that of acts[:saved]

	state   State
	skips   map[ItemKey]uint32 // of items put off: the N of the last time
	history journal.History
	left    map[ItemKey]bool // items put off or answered before, and meanwhile labelled by others
	cursor  int              // len(items): behind the last item, nothing is in front
}

// NewSession opens a session at the first open item. It refuses acts that
// are not this annotator's acts 1, 2, 3 and so on.
func NewSession(o Opening) (*Session, error) {
	for i := range o.Acts {
		a := &o.Acts[i]
		if a.Queue != o.Queue.Name || a.Annotator != o.Annotator || a.N != uint32(i+1) {
			o.Seat.Leave()
			return nil, fmt.Errorf("open queue %s as %s: act %d is %s of %s in %s: %w",
				o.Queue.Name, o.Annotator, i+1, a.Kind, a.Annotator, a.Queue, ErrConflict)
		}
	}
	s := &Session{
		queue: o.Queue, who: o.Annotator, now: o.Now, seat: o.Seat, chair: o.Seat, hidden: o.Hidden,
		left: make(map[ItemKey]bool), adjudicating: o.Adjudicating,
		acts: append([]Act(nil), o.Acts...), saved: len(o.Acts),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.seat == nil || s.adjudicating {
		s.seat = solo(&o)
	}
	s.fold()
	s.flips = len(s.seat.flips(0))
	s.seat.begin(s.state.Labels)
	if s.chair != nil && s.chair != s.seat {
		s.chair.begin(s.state.Labels)
	}
	for i := range s.acts {
		s.checks.add(&s.acts[i], s.hidden.known)
	}
	s.offer(o.Items)
	s.cursor = len(s.items)
	s.recall()
	return s, nil
}

// recall goes to what was in front when an earlier session ended without being
// left, or to the first open item.
func (s *Session) recall() {
	if k := s.seat.front; k != nil && s.fresh(*k) && s.seat.free(*k) {
		if s.show(*k); s.cursor < len(s.items) {
			return
		}
	}
	s.ToOpen()
}

// Close leaves the seat: what was in front is anybody's. It may be called by
// another goroutine.
func (s *Session) Close() {
	if s.chair != nil {
		s.chair.leave()
	}
}

// Queue is the queue that the session works in.
func (s *Session) Queue() Queue { return s.queue }

// Annotator is who works.
func (s *Session) Annotator() Annotator { return s.who }

// State is what stands of the annotator's acts. It must not be changed.
func (s *Session) State() State { return s.state }

// SetQueue takes the queue as it is now: it may have stopped growing.
func (s *Session) SetQueue(q Queue) { s.queue = q }

// Grow adds items that the queue was given meanwhile. The item in front stays
// in front; when none is, because all were answered, the first new one comes.
func (s *Session) Grow(items []QueueItem) {
	idle := s.cursor == len(s.items)
	s.offer(items)
	if idle {
		s.cursor = len(s.items)
		s.ToOpen()
	}
}

// offer takes up the items that still want this annotator's label: an item
// that as many others have labelled as it wants is left out, unless this
// annotator has labelled it too.
func (s *Session) offer(items []QueueItem) {
	s.outlook = outlook{}
	more := make([]place, 0, len(items))
	for i := range items {
		k := items[i].Key
		p := s.place(items[i].Index, k)
		s.known = max(s.known, p.index+1)
		if _, done := s.state.Labels[k]; done || s.seat.wanted(k) {
			more = append(more, p)
			continue
		}
		if s.state.Skipped[k] {
			s.leave(k)
		}
	}
	s.merge(more)
	s.seat.learn(items)
}

// leave keeps an item out of those put off.
func (s *Session) leave(k ItemKey) {
	s.left[k] = true
	delete(s.skips, k)
}

// fold derives everything anew from the acts that count.
func (s *Session) fold() {
	acts := s.acts
	if s.failed != nil {
		acts = acts[:s.saved]
	}
	s.state = Fold(acts)
	s.outlook, s.low = outlook{}, 0
	gone := takenBack(acts)
	s.skips = make(map[ItemKey]uint32)
	s.history = journal.History{}
	for i := range acts {
		if s.mine(acts, &acts[i]) {
			remember(&s.history, acts, &acts[i])
		}
		if acts[i].Kind == Skipped && !s.adjudicating && !gone[acts[i].N] && s.state.Skipped[acts[i].Item] && !s.left[acts[i].Item] {
			s.skips[acts[i].Item] = acts[i].N
		}
	}
}

// act appends one act about the item k and lets it count. What could not be
// saved before goes on counting with it: it is ahead of it in the journal.
func (s *Session) act(k ItemKey, a Act) Act {
	s.resolve()
	a.Queue, a.Annotator, a.Item = s.queue.Name, s.who, k
	a.N, a.At = uint32(len(s.acts)+1), s.now()
	s.acts = append(s.acts, a)
	s.checks.add(&a, s.hidden.known)
	if a.Kind == TookBack {
		s.fold()
		s.tell(a)
		return a
	}
	s.state.apply(&a)
	if l, ok := s.state.Labels[k]; ok {
		l.Flagged, l.Note = s.state.Flagged[k], s.state.Notes[k]
		s.state.Labels[k] = l
	}
	if r, ok := s.state.Rulings[k]; ok {
		r.Note = s.state.Notes[k]
		s.state.Rulings[k] = r
	}
	switch {
	case !s.state.Skipped[k] || s.left[k]:
		delete(s.skips, k)
	case a.Kind == Skipped:
		s.skips[k] = a.N
	}
	if s.mine(s.acts, &a) {
		remember(&s.history, s.acts, &a)
	}
	s.tell(a)
	return a
}

// tell has everybody else know what stands of the items that acts are about.
func (s *Session) tell(acts ...Act) {
	for i := range acts {
		l, stands := s.state.Labels[acts[i].Item]
		s.seat.set(acts[i].Item, l, stands)
	}
}

// Label gives the item in front a reading and moves on to the next open one.
// An item that has a label gets a new one. Of a vote, the order in which the
// answers were shown is set here. It reports false, and does nothing, when
// there is no item or the reading says nothing.
func (s *Session) Label(r Reading, spent time.Duration) (Act, bool) {
	return s.LabelBecause(r, Grounds{}, spent)
}

// LabelBecause is Label with grounds.
func (s *Session) LabelBecause(r Reading, g Grounds, spent time.Duration) (Act, bool) {
	it, ok := s.front()
	if !ok || s.adjudicating || !r.says() {
		return Act{}, false
	}
	if s.lost = !s.seat.face(it.key); s.lost {
		s.ToOpen()
		return Act{}, false
	}
	r.Swapped = r.Verdict == Voted && s.Swapped(it.key)
	a := s.act(it.key, Act{
		Kind: Labelled, Reading: r, Reason: g.Reason, Confidence: g.Confidence, Informed: s.state.Seen[it.key],
		Guideline: s.queue.Guideline.Version, Spent: spent,
	})
	s.ToOpen()
	return a, true
}

// Skip puts the item in front off: it comes back when all others are done.
// Of an item that has a label nothing is put off; the next open one comes.
func (s *Session) Skip(spent time.Duration) (Act, bool) {
	it, ok := s.front()
	if !ok || s.adjudicating {
		return Act{}, false
	}
	if _, done := s.state.Labels[it.key]; done {
		s.ToOpen()
		return Act{}, false
	}
	a := s.act(it.key, Act{Kind: Skipped, Spent: spent})
	s.ToOpen()
	return a, true
}

// ToggleFlag marks the item in front for a second look, or takes that mark
// away.
func (s *Session) ToggleFlag() (Act, bool) {
	it, ok := s.front()
	if !ok {
		return Act{}, false
	}
	kind := Flagged
	if s.state.Flagged[it.key] {
		kind = Unflagged
	}
	return s.act(it.key, Act{Kind: kind}), true
}

// Note writes the note of the item in front; an empty text removes it. The
// note that it has already is not written again.
func (s *Session) Note(text string) (Act, bool) {
	it, ok := s.front()
	if !ok || s.state.Notes[it.key] == text {
		return Act{}, false
	}
	return s.act(it.key, Act{Kind: Noted, Text: text}), true
}

// CanUndo reports whether there is an act to take back.
func (s *Session) CanUndo() bool {
	_, ok := s.history.ToUndo()
	return ok
}

// CanRedo reports whether the last thing done was to take something back.
func (s *Session) CanRedo() bool {
	_, ok := s.history.ToRedo()
	return ok
}

// Undo takes back the last act that stands, however long ago and in whatever
// session it was done, and goes to the item it was about. It returns the act
// to store and the one that it takes back. What came from a file stays.
func (s *Session) Undo() (act, of Act, ok bool) {
	s.resolve()
	n, ok := s.history.ToUndo()
	if !ok || s.Displaced() {
		return Act{}, Act{}, false
	}
	of = s.acts[n-1]
	act = s.act(of.Item, Act{Kind: TookBack, Target: n})
	s.show(of.Item)
	return act, of, true
}

// Redo does again what Undo took back last, and goes to the item it is about.
// It returns the act to store and the one that stands again.
func (s *Session) Redo() (act, of Act, ok bool) {
	s.resolve()
	n, ok := s.history.ToRedo()
	if !ok || s.Displaced() {
		return Act{}, Act{}, false
	}
	of = s.acts[s.acts[n-1].Target-1]
	act = s.act(of.Item, Act{Kind: TookBack, Target: n})
	s.show(of.Item)
	return act, of, true
}
