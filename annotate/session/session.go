package session

import (
	"fmt"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/annotate/journal"
)

// Opening holds what a session starts from. Others counts, for each item, the
// other people who have labelled it, and never says what they said.
type Opening struct {
	Queue     annotate.Queue
	Annotator annotate.Annotator
	Items     []annotate.QueueItem // in the order of their Index
	Acts      []annotate.Act       // this annotator's in this queue, as stored
	Others    map[annotate.ItemKey]int
	Sides     map[annotate.ItemKey]int // of pairs: how many more of the others voted on it swapped than not
	Hidden    Hidden                   // what the session keeps to itself
	Claim     *assign.Claim            // among those who work in the queue now; nil: nobody else does, and Others and Sides stay
	Now       func() time.Time

	// Adjudicating opens the session for rulings, not labels: all of Items
	// are offered, whoever has labelled them, and those without a ruling of
	// the annotator's are open.
	Adjudicating bool
}

// Session keeps the place of one annotator in one queue, what they have said and
// what they can take back. It does no I/O and waits for nothing. The acts that
// its methods return count here at once, and go into a Journal in the order in
// which they were returned. It is not safe for use by several goroutines.
type Session struct {
	queue       annotate.Queue
	who         annotate.Annotator
	now         func() time.Time
	items       []annotate.Place // those offered to this annotator, in the order of Place.Compare
	low         int              // the items before this one are not open
	known       int              // how many of the queue's it knows, those that are not offered included
	transitions int              // of the claim, that were taken up
	claim       *assign.Claim
	shared      *assign.Claim // the one that others see; nil: there are no others
	hidden      Hidden
	checks      annotate.GoldChecks
	outlook     outlook
	pulled      time.Time // when what others did was taken up last
	lost        bool      // an answer came after the item had gone to somebody else

	adjudicating bool

	acts   []annotate.Act
	saved  int   // acts[:saved] are committed
	failed error // why acts[saved] is not; until then state is that of acts[:saved]

	state   annotate.State
	skips   map[annotate.ItemKey]uint32 // of items put off: the N of the last time
	history journal.History
	left    map[annotate.ItemKey]bool // items put off or answered before, and meanwhile labelled by others
	cursor  int                       // len(items): behind the last item, nothing is in front
}

// New opens a session at the first open item. It refuses acts that
// are not this annotator's acts 1, 2, 3 and so on.
func New(o Opening) (*Session, error) {
	for i := range o.Acts {
		a := &o.Acts[i]
		if a.Queue != o.Queue.Name || a.Annotator != o.Annotator || a.N != uint32(i+1) {
			o.Claim.Leave()
			return nil, fmt.Errorf("open queue %s as %s: act %d is %s of %s in %s: %w",
				o.Queue.Name, o.Annotator, i+1, a.Kind, a.Annotator, a.Queue, annotate.ErrConflict)
		}
	}
	s := &Session{
		queue: o.Queue, who: o.Annotator, now: o.Now, claim: o.Claim, shared: o.Claim, hidden: o.Hidden,
		left: make(map[annotate.ItemKey]bool), adjudicating: o.Adjudicating,
		acts: append([]annotate.Act(nil), o.Acts...), saved: len(o.Acts),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.claim == nil || s.adjudicating {
		s.claim = o.solo()
	}
	s.fold()
	s.transitions = len(s.claim.Transitions(0))
	s.claim.Begin(s.state.Labels)
	if s.shared != nil && s.shared != s.claim {
		s.shared.Begin(s.state.Labels)
	}
	for i := range s.acts {
		s.checks.Add(&s.acts[i], s.hidden.known)
	}
	s.offer(o.Items)
	s.cursor = len(s.items)
	s.recall()
	return s, nil
}

// recall goes to what was in front when an earlier session ended without being
// left, or to the first open item.
func (s *Session) recall() {
	if k := s.claim.Held(); k != nil && s.fresh(*k) && s.claim.Free(*k) {
		if s.show(*k); s.cursor < len(s.items) {
			return
		}
	}
	s.ToOpen()
}

// Close leaves the claim: what was in front is anybody's. It may be called by
// another goroutine.
func (s *Session) Close() {
	if s.shared != nil {
		s.shared.Leave()
	}
}

// Queue is the queue that the session works in.
func (s *Session) Queue() annotate.Queue { return s.queue }

// Annotator is who works.
func (s *Session) Annotator() annotate.Annotator { return s.who }

// State is what stands of the annotator's acts. It must not be changed.
func (s *Session) State() annotate.State { return s.state }

// SetQueue takes the queue as it is now: it may have stopped growing.
func (s *Session) SetQueue(q annotate.Queue) { s.queue = q }

// Grow adds items that the queue was given meanwhile. The item in front stays
// in front; when none is, because all were answered, the first new one comes.
func (s *Session) Grow(items []annotate.QueueItem) {
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
func (s *Session) offer(items []annotate.QueueItem) {
	s.outlook = outlook{}
	more := make([]annotate.Place, 0, len(items))
	for i := range items {
		k := items[i].Key
		p := s.queue.Place(items[i].Index, k)
		s.known = max(s.known, p.Index+1)
		if _, done := s.state.Labels[k]; done || s.claim.Wanted(k) {
			more = append(more, p)
			continue
		}
		if s.state.Skipped[k] {
			s.leave(k)
		}
	}
	s.merge(more)
	s.claim.Learn(items)
}

// leave keeps an item out of those put off.
func (s *Session) leave(k annotate.ItemKey) {
	s.left[k] = true
	delete(s.skips, k)
}

// fold derives everything anew from the acts that count.
func (s *Session) fold() {
	acts := s.acts
	if s.failed != nil {
		acts = acts[:s.saved]
	}
	s.state = annotate.Fold(acts)
	s.outlook, s.low = outlook{}, 0
	gone := annotate.TakenBack(acts)
	s.skips = make(map[annotate.ItemKey]uint32)
	s.history = journal.History{}
	for i := range acts {
		if s.mine(acts, &acts[i]) {
			remember(&s.history, acts, &acts[i])
		}
		if acts[i].Kind == annotate.Skipped && !s.adjudicating && !gone[acts[i].N] && s.state.Skipped[acts[i].Item] && !s.left[acts[i].Item] {
			s.skips[acts[i].Item] = acts[i].N
		}
	}
}

// act appends one act about the item k and lets it count. What could not be
// saved before goes on counting with it: it is ahead of it in the journal.
func (s *Session) act(k annotate.ItemKey, a annotate.Act) annotate.Act {
	s.resolve()
	a.Queue, a.Annotator, a.Item = s.queue.Name, s.who, k
	a.N, a.At = uint32(len(s.acts)+1), s.now()
	s.acts = append(s.acts, a)
	s.checks.Add(&a, s.hidden.known)
	if a.Kind == annotate.TookBack {
		s.fold()
		s.tell(a)
		return a
	}
	s.state.Apply(&a)
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
	case a.Kind == annotate.Skipped:
		s.skips[k] = a.N
	}
	if s.mine(s.acts, &a) {
		remember(&s.history, s.acts, &a)
	}
	s.tell(a)
	return a
}

// tell has everybody else know what stands of the items that acts are about.
func (s *Session) tell(acts ...annotate.Act) {
	for i := range acts {
		l, stands := s.state.Labels[acts[i].Item]
		s.claim.Set(acts[i].Item, l, stands)
	}
}

// Label gives the item in front a reading and moves on to the next open one.
// An item that has a label gets a new one. Of a vote, the order in which the
// answers were shown is set here. It reports false, and does nothing, when
// there is no item or the reading says nothing.
func (s *Session) Label(r annotate.Reading, spent time.Duration) (annotate.Act, bool) {
	return s.LabelBecause(r, annotate.Grounds{}, spent)
}

// LabelBecause is Label with grounds.
func (s *Session) LabelBecause(r annotate.Reading, g annotate.Grounds, spent time.Duration) (annotate.Act, bool) {
	it, ok := s.front()
	if !ok || s.adjudicating || !r.Complete() {
		return annotate.Act{}, false
	}
	if s.lost = !s.claim.Take(it.Key); s.lost {
		s.ToOpen()
		return annotate.Act{}, false
	}
	r.Swapped = r.Verdict == annotate.Voted && s.Swapped(it.Key)
	a := s.act(it.Key, annotate.Act{
		Kind: annotate.Labelled, Reading: r, Reason: g.Reason, Confidence: g.Confidence, Informed: s.state.Seen[it.Key],
		Guideline: s.queue.Guideline.Version, Spent: spent,
	})
	s.ToOpen()
	return a, true
}

// Skip puts the item in front off: it comes back when all others are done.
// Of an item that has a label nothing is put off; the next open one comes.
func (s *Session) Skip(spent time.Duration) (annotate.Act, bool) {
	it, ok := s.front()
	if !ok || s.adjudicating {
		return annotate.Act{}, false
	}
	if _, done := s.state.Labels[it.Key]; done {
		s.ToOpen()
		return annotate.Act{}, false
	}
	a := s.act(it.Key, annotate.Act{Kind: annotate.Skipped, Spent: spent})
	s.ToOpen()
	return a, true
}

// ToggleFlag marks the item in front for a second look, or takes that mark
// away.
func (s *Session) ToggleFlag() (annotate.Act, bool) {
	it, ok := s.front()
	if !ok {
		return annotate.Act{}, false
	}
	kind := annotate.Flagged
	if s.state.Flagged[it.Key] {
		kind = annotate.Unflagged
	}
	return s.act(it.Key, annotate.Act{Kind: kind}), true
}

// Note writes the note of the item in front; an empty text removes it. The
// note that it has already is not written again.
func (s *Session) Note(text string) (annotate.Act, bool) {
	it, ok := s.front()
	if !ok || s.state.Notes[it.Key] == text {
		return annotate.Act{}, false
	}
	return s.act(it.Key, annotate.Act{Kind: annotate.Noted, Text: text}), true
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
func (s *Session) Undo() (act, of annotate.Act, ok bool) {
	s.resolve()
	n, ok := s.history.ToUndo()
	if !ok || s.Displaced() {
		return annotate.Act{}, annotate.Act{}, false
	}
	of = s.acts[n-1]
	act = s.act(of.Item, annotate.Act{Kind: annotate.TookBack, Target: n})
	s.show(of.Item)
	return act, of, true
}

// Redo does again what Undo took back last, and goes to the item it is about.
// It returns the act to store and the one that stands again.
func (s *Session) Redo() (act, of annotate.Act, ok bool) {
	s.resolve()
	n, ok := s.history.ToRedo()
	if !ok || s.Displaced() {
		return annotate.Act{}, annotate.Act{}, false
	}
	of = s.acts[s.acts[n-1].Target-1]
	act = s.act(of.Item, annotate.Act{Kind: annotate.TookBack, Target: n})
	s.show(of.Item)
	return act, of, true
}
