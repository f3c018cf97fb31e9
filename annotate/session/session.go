package session

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
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

	// Adjudicating opens the session for rulings, not labels: all of Items are offered, whoever has
	// labelled them, and those without a ruling of the annotator's are open.
	Adjudicating bool
	Rulings      *assign.Claim // among those who adjudicate the queue now; nil: nobody else does
}

// Session is one annotator at work in one queue: what they have said, what is in front of them, and
// what they can take back. It does no I/O and waits for nothing. The acts that its methods return count
// here at once, and go into a Journal in the order in which they were returned. It is not safe for use
// by several goroutines.
type Session struct {
	Own  Record
	Walk Walk
	lost bool // an answer came after the item had gone to somebody else
}

// New opens a session at the first open item. It refuses acts but the annotator's 1, 2, 3 and so on.
func New(o Opening) (*Session, error) {
	for i := range o.Acts {
		a := &o.Acts[i]
		if a.Queue != o.Queue.Name || a.Annotator != o.Annotator || a.N != uint32(i+1) {
			o.Claim.GiveUp()
			o.Rulings.GiveUp()
			return nil, fmt.Errorf("open queue %s as %s: act %d is %s of %s in %s: %w",
				o.Queue.Name, o.Annotator, i+1, a.Kind, a.Annotator, a.Queue, annotate.ErrConflict)
		}
	}
	s := &Session{
		Own: Record{
			queue: o.Queue, who: o.Annotator, now: o.Now, hidden: o.Hidden, adjudicating: o.Adjudicating,
			acts: append([]annotate.Act(nil), o.Acts...), saved: len(o.Acts), left: make(map[annotate.ItemKey]bool),
		},
	}
	s.Walk = Walk{own: &s.Own, claim: o.Claim, shared: o.Claim}
	if s.Own.now == nil {
		s.Own.now = time.Now
	}
	if s.Walk.claim == nil || s.Own.adjudicating {
		s.Walk.claim = o.newSoloClaim()
	}
	if s.Own.adjudicating && o.Rulings != nil {
		s.Walk.claim, s.Walk.rulings = o.Rulings, o.Rulings
	}
	s.Own.foldActs()
	s.Walk.transitions = len(s.Walk.claim.Transitions(0))
	s.Walk.claim.LoadLabels(s.Walk.countedLabels())
	if s.Walk.shared != nil && s.Walk.shared != s.Walk.claim {
		s.Walk.shared.LoadLabels(s.Own.state.Labels)
	}
	for i := range s.Own.acts {
		s.Own.checks.CheckAgainstGold(&s.Own.acts[i], s.Own.hidden.known)
	}
	s.Walk.addWantedItems(o.Items)
	s.Walk.offered.cursor = len(s.Walk.offered.items)
	s.restorePosition()
	return s, nil
}

// restorePosition goes to what was in front when an earlier session ended without being
// left, or to the first open item.
func (s *Session) restorePosition() {
	if k := s.Walk.claim.HeldItem(); k != nil && s.Own.isUnanswered(*k) && s.Walk.claim.IsItemFree(*k) {
		if s.Walk.ShowItem(*k) {
			return
		}
	}
	s.Walk.ShowNextOpen()
}

// Close leaves the claim: what was in front is anybody's. It may be called by another goroutine.
func (s *Session) Close() {
	if s.Walk.shared != nil {
		s.Walk.shared.GiveUp()
	}
	s.Walk.rulings.GiveUp()
}

// AddItems adds items that the queue was given meanwhile. The item in front stays
// in front; when none is, because all were answered, the first new one comes.
func (s *Session) AddItems(items []annotate.QueueItem) {
	idle := s.Walk.offered.cursor == len(s.Walk.offered.items)
	s.Walk.addWantedItems(items)
	if idle {
		s.Walk.offered.cursor = len(s.Walk.offered.items)
		s.Walk.ShowNextOpen()
	}
}

// addAndNotify adds one act about the item k and lets it count. What could not be saved
// before counts again with it: it is ahead of it in the journal.
func (s *Session) addAndNotify(k annotate.ItemKey, a annotate.Act) annotate.Act {
	s.clearFailure()
	a = s.Own.appendAct(k, a)
	if a.Kind == annotate.TookBack {
		s.Walk.outlook, s.Walk.offered.low = upcomingItems{}, 0
	}
	s.notifyOthers(a)
	return a
}

// refoldActs derives everything anew when acts count that did not, or the reverse.
func (s *Session) refoldActs() {
	s.Own.foldActs()
	s.Walk.outlook, s.Walk.offered.low = upcomingItems{}, 0
}

// notifyOthers has everybody else know what stands of the items that acts are about.
func (s *Session) notifyOthers(acts ...annotate.Act) {
	for i := range acts {
		l, stands := s.Walk.countedLabels()[acts[i].Item]
		s.Walk.claim.SetLabel(acts[i].Item, l, stands)
	}
}

// LabelAndAdvance gives the item in front a reading and moves on to the next open one. An item that has a label
// gets a new one. Of a vote, the order in which the answers were shown is set here. It reports false,
// and does nothing, when there is no item or the reading says nothing.
func (s *Session) LabelAndAdvance(r annotate.Reading, spent time.Duration) (annotate.Act, bool) {
	return s.LabelWithRationale(r, annotate.Rationale{}, spent)
}

// LabelWithRationale is Label with a rationale.
func (s *Session) LabelWithRationale(r annotate.Reading, g annotate.Rationale, spent time.Duration) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok || s.Own.adjudicating || !r.IsComplete() || isLostToOther(s, it.Key) {
		return annotate.Act{}, false
	}
	r.Swapped = r.Kind == annotate.Voted && s.IsSwapped(it.Key)
	a := s.addAndNotify(it.Key, annotate.Act{
		Kind: annotate.Labelled, Reading: r, Reason: g.Reason, Confidence: g.Confidence, Informed: s.Own.state.Seen[it.Key],
		Guideline: s.Own.queue.Guideline.Version, Spent: spent,
	})
	s.Walk.ShowNextOpen()
	return a, true
}

// isLostToOther reports whether the item in front is somebody else's meanwhile: then the
// next open one comes. A ruling is somebody else's on an item that they have in
// front of them, or have adjudicated since it came in front of this adjudicator.
func isLostToOther(s *Session, k annotate.ItemKey) bool {
	w := &s.Walk
	if s.Own.adjudicating {
		_, mine := s.Own.state.Rulings[k]
		s.lost = w.rulings != nil && (w.rulings.IsHeldByOther(k) || w.unruled && !mine && !w.rulings.IsLabelWanted(k))
	} else {
		s.lost = !w.claim.TakeItem(k)
	}
	if s.lost {
		s.Walk.ShowNextOpen()
	}
	return s.lost
}

// GradeCriterion says of one of the criteria of the item in front whether it is met, and
// stays with the item. The last one gives it all of them as its label or, by an
// adjudicator, its ruling, and the next open item comes.
func (s *Session) GradeCriterion(g annotate.Grade, cs []annotate.Criterion, because annotate.Rationale, spent time.Duration) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok {
		return annotate.Act{}, false
	}
	kind, so := annotate.GradedOne, s.Own.state.Grades
	if s.Own.adjudicating {
		kind, so = annotate.RuledOne, s.Own.state.Ruled
	}
	all, complete := annotate.SelectGrades(cs, annotate.ReplaceGrade(so[it.Key], g))
	r := annotate.Reading{Kind: annotate.Graded, Grades: all}
	switch {
	case complete && s.Own.adjudicating:
		a, ok := s.Adjudicate(r, annotate.CauseUnset, spent)
		s.Walk.ShowNextOpen()
		return a, ok
	case complete:
		return s.LabelWithRationale(r, because, spent)
	case isLostToOther(s, it.Key):
		return annotate.Act{}, false
	}
	r.Grades = []annotate.Grade{g}
	return s.addAndNotify(it.Key, annotate.Act{Kind: kind, Reading: r, Guideline: s.Own.queue.Guideline.Version, Spent: spent}), true
}

// SkipAndAdvance puts the item in front off: it comes back when all others are done.
// Of an item that has a label nothing is put off; the next open one comes.
func (s *Session) SkipAndAdvance(spent time.Duration) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok || s.Own.adjudicating {
		return annotate.Act{}, false
	}
	if _, done := s.Own.state.Labels[it.Key]; done {
		s.Walk.ShowNextOpen()
		return annotate.Act{}, false
	}
	a := s.addAndNotify(it.Key, annotate.Act{Kind: annotate.Skipped, Spent: spent})
	s.Walk.ShowNextOpen()
	return a, true
}

// ToggleFlag marks the item in front for a second look, or takes that mark away.
func (s *Session) ToggleFlag() (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok {
		return annotate.Act{}, false
	}
	kind := annotate.Flagged
	if s.Own.state.Flagged[it.Key] {
		kind = annotate.Unflagged
	}
	return s.addAndNotify(it.Key, annotate.Act{Kind: kind}), true
}

// SetNote writes the note of the item in front; an empty text removes it. The
// note that it has already is not written again.
func (s *Session) SetNote(text string) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok || s.Own.state.Notes[it.Key] == text {
		return annotate.Act{}, false
	}
	return s.addAndNotify(it.Key, annotate.Act{Kind: annotate.Noted, Text: text}), true
}

// ToggleTag puts a tag of the queue's set on the item in front, or takes it away.
func ToggleTag(s *Session, tag string) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	text, known := s.Own.queue.Tags.ToggleTag(s.Own.state.Tags[it.Key], tag)
	if !ok || !known {
		return annotate.Act{}, false
	}
	return s.addAndNotify(it.Key, annotate.Act{Kind: annotate.Tagged, Text: text}), true
}

// Undo takes back the last act that stands, however long ago and in whatever session, and goes to its item.
// It returns the act to store and the one that it takes back. What came from a file stays.
func (s *Session) Undo() (act, of annotate.Act, ok bool) {
	s.clearFailure()
	n, ok := s.Own.NextUndo()
	return takeBack(s, n, ok)
}

// Redo does again what Undo took back last, and goes to the item it is about.
// It returns the act to store and the one that stands again.
func (s *Session) Redo() (act, of annotate.Act, ok bool) {
	s.clearFailure()
	n, ok := s.Own.NextRedo()
	return takeBack(s, n, ok)
}

// takeBack takes the act n back, by which of falls or stands again.
func takeBack(s *Session, n uint32, ok bool) (act, of annotate.Act, _ bool) {
	if !ok || s.Walk.IsDisplaced() {
		return act, of, false
	}
	if of = s.Own.acts[n-1]; of.Kind == annotate.TookBack { // of redo: what was undone
		of = s.Own.acts[of.Target-1]
	}
	act = s.addAndNotify(of.Item, annotate.Act{Kind: annotate.TookBack, Target: n})
	s.Walk.ShowItem(of.Item)
	return act, of, true
}

// IsSwapped reports whether a pair is shown to this annotator with the answer of its Against first. Who
// has voted on it sees it again as they saw it. Else it is the order that fewer of the others have
// voted in, or are looking at, so that over people the two orders are balanced (MLLM-Bench, App. F.1);
// where they are equal, the queue's seed decides, for each item and annotator anew.
func (s *Session) IsSwapped(k annotate.ItemKey) bool {
	if l, ok := s.Own.state.Labels[k]; ok {
		return l.Reading.Swapped
	}
	for i := len(s.Own.acts) - 1; i >= 0; i-- {
		if a := &s.Own.acts[i]; a.Item == k && a.Reading.Kind == annotate.Voted {
			return a.Reading.Swapped
		}
	}
	return s.Walk.claim.IsSwapped(k, func(more int) bool {
		if more != 0 {
			return more < 0
		}
		b := binary.BigEndian.AppendUint64(nil, k.DrawHash(s.Own.queue.Rule.Seed))
		sum := sha256.Sum256(append(b, s.Own.who...))
		return sum[0]&1 == 1
	})
}

// SetRationale gives the label of the item in front these rationale, and stays with
// it. The label is otherwise as it was: as blind, and as long in the making. It
// reports false, and does nothing, where there is no label, or it has them.
func (s *Session) SetRationale(g annotate.Rationale) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok || s.Own.adjudicating {
		return annotate.Act{}, false
	}
	l, ok := s.Own.state.Labels[it.Key]
	if !ok || l.Rationale() == g {
		return annotate.Act{}, false
	}
	return s.addAndNotify(it.Key, annotate.Act{
		Kind: annotate.Labelled, Reading: l.Reading, Reason: g.Reason, Confidence: g.Confidence, Informed: l.Informed,
		Guideline: l.Guideline, Spent: l.Spent, Target: standingNumber(s.Own.acts, it.Key, annotate.Labelled),
	}), true
}

// standingNumber is the number of the act of a kind on an item that stands last; 0 without one.
func standingNumber(acts []annotate.Act, k annotate.ItemKey, kind annotate.ActKind) uint32 {
	gone := annotate.FindTakenBack(acts)
	for i := range slices.Backward(acts) {
		if a := &acts[i]; a.Item == k && a.Kind == kind && !gone[a.N] {
			return a.N
		}
	}
	return 0
}

// Hidden holds what a session has to know of its items and no screen may: which
// have a known answer, and on which other people differ. Nothing hands it out.
type Hidden struct {
	known  map[annotate.ItemKey]annotate.Reading
	differ map[annotate.ItemKey]bool
}

// NewHidden makes Hidden from gold items and the crowds of other people.
func NewHidden(golds []annotate.Gold, others map[annotate.ItemKey]annotate.Crowd) Hidden {
	h := Hidden{known: make(map[annotate.ItemKey]annotate.Reading, len(golds)), differ: make(map[annotate.ItemKey]bool)}
	for _, g := range golds {
		h.known[g.Key] = g.Reading
	}
	for k, c := range others {
		if c.Differs() {
			h.differ[k] = true
		}
	}
	return h
}

// newSoloClaim gives the claim of a session that nobody else is beside, or that
// adjudicates: the others are numbers that do not change.
func (o *Opening) newSoloClaim() *assign.Claim {
	q := o.Queue
	if o.Adjudicating {
		q.Overlap, q.Extra = annotate.Everybody, 0
	}
	st := assign.StoredQueue{Crowds: make(map[annotate.ItemKey]annotate.Crowd, len(o.Others))}
	for k, n := range o.Others {
		c := annotate.Crowd{People: n}
		if o.Hidden.differ[k] {
			c.Classes = map[string]int{"one": 1, "another": 1}
		}
		st.Crowds[k] = c
	}
	for k, n := range o.Sides {
		c := st.Crowds[k]
		c.Sides = n
		st.Crowds[k] = c
	}
	for k := range o.Hidden.known {
		st.GoldItems = append(st.GoldItems, annotate.Gold{Key: k})
	}
	return assign.NewSoloClaim(&q, o.Annotator, st)
}
