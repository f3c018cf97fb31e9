package session

import (
	"fmt"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/journal"
	"concord/eval/stat"
)

// Record holds what one annotator has said in one queue: their acts, and what counts of them.
type Record struct {
	queue        annotate.Queue
	who          annotate.Annotator
	now          func() time.Time
	adjudicating bool
	hidden       Hidden
	checks       annotate.GoldChecks

	acts   []annotate.Act
	saved  int   // acts[:saved] are committed
	failed error // why acts[saved] is not; until then state is that of acts[:saved]

	state annotate.State
	skips map[annotate.ItemKey]uint32 // of items put off: the N of the last time
	left  map[annotate.ItemKey]bool   // items put off or answered before, and meanwhile labelled by others
	journal.History
}

// Queue gives the queue that the session works in.
func (o *Record) Queue() annotate.Queue { return o.queue }

// State gives what counts of the annotator's acts. It must not be changed.
func (o *Record) State() annotate.State { return o.state }

// SetQueue takes the queue as it is now: it may have stopped growing.
func (o *Record) SetQueue(q annotate.Queue) { o.queue = q }

// removeSkipped keeps an item out of those put off.
func (o *Record) removeSkipped(k annotate.ItemKey) {
	o.left[k] = true
	delete(o.skips, k)
}

// foldActs derives everything anew from the acts that count.
func (o *Record) foldActs() {
	acts := o.acts
	if o.failed != nil {
		acts = acts[:o.saved]
	}
	o.state = annotate.FoldActs(acts)
	gone := annotate.FindTakenBack(acts)
	o.skips = make(map[annotate.ItemKey]uint32)
	o.History = journal.History{}
	for i := range acts {
		if o.isRetractable(acts, &acts[i]) {
			updateHistory(&o.History, acts, &acts[i])
		}
		if acts[i].Kind == annotate.Skipped && !o.adjudicating && !gone[acts[i].N] && o.state.Skipped[acts[i].Item] && !o.left[acts[i].Item] {
			o.skips[acts[i].Item] = acts[i].N
		}
	}
}

// appendAct appends one act about the item k and lets it count.
func (o *Record) appendAct(k annotate.ItemKey, a annotate.Act) annotate.Act {
	a.Queue, a.Annotator, a.Item = o.queue.Name, o.who, k
	a.N, a.At = uint32(len(o.acts)+1), o.now()
	o.acts = append(o.acts, a)
	o.checks.CheckAgainstGold(&a, o.hidden.known)
	if a.Kind == annotate.TookBack {
		o.foldActs()
		return a
	}
	o.state.ApplyAct(&a)
	if l, ok := o.state.Labels[k]; ok {
		l.Flagged, l.Note, l.Tags = o.state.Flagged[k], o.state.Notes[k], o.state.Tags[k]
		o.state.Labels[k] = l
	}
	if r, ok := o.state.Rulings[k]; ok {
		r.Note = o.state.Notes[k]
		o.state.Rulings[k] = r
	}
	switch {
	case !o.state.Skipped[k] || o.left[k]:
		delete(o.skips, k)
	case a.Kind == annotate.Skipped:
		o.skips[k] = a.N
	}
	if o.isRetractable(o.acts, &a) {
		updateHistory(&o.History, o.acts, &a)
	}
	return a
}

// HasAnswered reports whether the annotator has said what they make of an item,
// as a label or a ruling: what others say of it is shown from then on.
func (o *Record) HasAnswered(k annotate.ItemKey) bool { return o.state.HasAnswered(k) }

// Failure tells why acts are not saved; nil when none failed.
func (o *Record) Failure() error { return o.failed }

func (o *Record) isUnanswered(k annotate.ItemKey) bool {
	if o.adjudicating {
		_, done := o.state.Rulings[k]
		return !done
	}
	_, done := o.state.Labels[k]
	return !done && !o.state.Skipped[k]
}

// CountGoldHits counts the gold items that the annotator labelled with the known answer, so far as it
// may be shown: in whole blocks, after every so many labels. It is empty before the first block.
func (o *Record) CountGoldHits() stat.Count { return o.checks.VisibleHits() }

// CountOutdated counts the annotator's labels that were made under another
// version of the guideline than the one in force, those from files left aside.
func (o *Record) CountOutdated() int {
	n := 0
	for _, l := range o.state.Labels {
		if !l.Imported && o.queue.Guideline.VersionOfLabel(&l) != o.queue.Guideline.Version {
			n++
		}
	}
	return n
}

// IsGuidelineAmended reports whether the annotator labelled last under another version of
// the guideline than the one in force.
func (o *Record) IsGuidelineAmended() bool {
	for i := len(o.acts) - 1; i >= 0; i-- {
		if a := &o.acts[i]; a.Kind == annotate.Labelled && !a.Imported {
			return o.queue.Guideline.VersionAt(a.Guideline, false, a.At) != o.queue.Guideline.Version
		}
	}
	return false
}

// updateHistory takes up the act a of acts in what can be taken back. What came from a file is none.
func updateHistory(h *journal.History, acts []annotate.Act, a *annotate.Act) {
	switch {
	case a.Imported || a.Kind == annotate.ActUnset || a.Kind == annotate.TooLate || a.Kind == annotate.Looked:
	case a.Kind != annotate.TookBack:
		h.AddDone(a.N)
	case a.Target == 0 || a.Target >= a.N:
	case acts[a.Target-1].Kind == annotate.TooLate: // nothing stood
	case acts[a.Target-1].Kind == annotate.TookBack:
		h.AddRedone(a.Target, acts[a.Target-1].Target)
	default:
		h.AddUndone(a.N, a.Target)
	}
}

// isRetractable reports whether an act is one that the session takes back. Rulings are left to a session that
// adjudicates, and labels to one that labels: neither would show what is undone.
func (o *Record) isRetractable(acts []annotate.Act, a *annotate.Act) bool {
	for a.Kind == annotate.TookBack && a.Target > 0 && int(a.Target) <= len(acts) && a.Target < a.N {
		a = &acts[a.Target-1]
	}
	switch a.Kind {
	case annotate.Ruled, annotate.RuledOne:
		return o.adjudicating
	case annotate.Labelled, annotate.GradedOne, annotate.Skipped, annotate.Flagged, annotate.Unflagged, annotate.Tagged, annotate.TooLate:
		return !o.adjudicating
	case annotate.Excluded, annotate.Included, annotate.Commented, annotate.Closed: // taken back where they are listed
		return false
	case annotate.Noted, annotate.Looked, annotate.TookBack, annotate.ActUnset:
	}
	return true
}

// Adjudicate settles the item in front as its adjudicator and stays with it. A ruling that the item has is
// replaced, the cause with it. It reports false, and does nothing, in a session that labels, when there is
// no item, when the reading says nothing, or when all of it stands already. An item that another
// adjudicator has in front of them, or has adjudicated since it came, is theirs: the next open one comes.
func (s *Session) Adjudicate(r annotate.Reading, c annotate.Cause, spent time.Duration) (annotate.Act, bool) {
	it, ok := s.Walk.itemInFront()
	if !ok || !s.Own.adjudicating || !r.IsComplete() || isLostToOther(s, it.Key) {
		return annotate.Act{}, false
	}
	informed, kept := s.Own.state.Seen[it.Key], uint32(0)
	if old, ok := s.Own.state.Rulings[it.Key]; ok && old.Reading.SaysSame(&r) {
		if old.Cause == c {
			return annotate.Act{}, false
		}
		// who was right is said after the reveal: the choice stays as blind as it was
		informed, spent, kept = old.Informed, old.Spent+spent, standingNumber(s.Own.acts, it.Key, annotate.Ruled)
	}
	return s.addAndNotify(it.Key, annotate.Act{Kind: annotate.Ruled, Reading: r, Cause: c, Informed: informed, Target: kept, Spent: spent}), true
}

// countedLabels is what the claim counts of this person: labels or, among adjudicators, rulings.
func (w *Walk) countedLabels() map[annotate.ItemKey]annotate.Label {
	if w.rulings == nil {
		return w.own.state.Labels
	}
	out := make(map[annotate.ItemKey]annotate.Label, len(w.own.state.Rulings))
	for k, r := range w.own.state.Rulings {
		out[k] = annotate.Label{Item: k, Reading: r.Reading}
	}
	return out
}

// RecordLookAtOthers lets what everybody made of an item be shown. A label that is given
// afterwards is no blind one, so look is to be stored before; its N is 0 when
// an earlier one is. Confront gives ErrBlind before the annotator has answered.
func (s *Session) RecordLookAtOthers(k annotate.ItemKey) (look annotate.Act, err error) {
	if !s.Own.HasAnswered(k) {
		return annotate.Act{}, annotate.ErrBlind
	}
	return s.newLookAct(k), nil
}

// newLookAct gives the act that something is shown of an item, without number when an earlier one says so.
func (s *Session) newLookAct(k annotate.ItemKey) (a annotate.Act) {
	if !s.Own.state.Seen[k] {
		a = s.addAndNotify(k, annotate.Act{Kind: annotate.Looked})
	}
	return a
}

// HidesTruth reports whether the truth about an item would answer for another one: whether the queue
// holds an item of the same sample, in another pass or by another model, that this annotator has not
// labelled, or grows and may yet be given one.
func (s *Session) HidesTruth(k annotate.ItemKey) bool {
	if s.Own.queue.Growing {
		return true
	}
	for i := range s.Walk.offered.items {
		other := s.Walk.offered.items[i].Key
		if other.Sample == k.Sample && other != k {
			if _, done := s.Own.state.Labels[other]; !done {
				return true
			}
		}
	}
	return false
}

// PrepareReveal prepares the reveal of an item: load does the loading, and can run beside the session. Asked
// by it, from leaves the truth out, and records what it gives as shown. A label that is given after it
// is no blind one, so look is to be stored before anything is shown; its N is 0 when an earlier one is.
// Reveal gives ErrBlind at once.
func (s *Session) PrepareReveal(k annotate.ItemKey, from func(truth bool) (blind.Revealed, error)) (look annotate.Act, load func() (blind.Revealed, error), err error) {
	own, ok := s.Own.state.Labels[k]
	if !ok {
		return annotate.Act{}, nil, fmt.Errorf("reveal item %s: %w", k, annotate.ErrBlind)
	}
	look = s.newLookAct(k)
	st := annotate.State{Labels: map[annotate.ItemKey]annotate.Label{k: own}}
	sealed := s.HidesTruth(k)
	return look, func() (blind.Revealed, error) {
		r, err := blind.LoadAfterAnswer(st, k, func() (blind.Revealed, error) { return from(!sealed) })
		if err == nil && sealed && r.Truth != "" {
			r.Truth, r.Withheld = "", true
		}
		return r, err
	}, nil
}

// PreparePairReveal prepares the reveal of a pair as Reveal does that of a prediction. Of
// what is withheld nothing is loaded, and no look is to be stored.
func (s *Session) PreparePairReveal(k annotate.ItemKey, from func() (blind.RevealedPair, error)) (look annotate.Act, load func() (blind.RevealedPair, error), err error) {
	own, ok := s.Own.state.Labels[k]
	if !ok {
		return annotate.Act{}, nil, fmt.Errorf("reveal pair %s: %w", k, annotate.ErrBlind)
	}
	if s.HidesTruth(k) {
		return annotate.Act{}, func() (blind.RevealedPair, error) {
			return blind.RevealedPair{Item: k, Own: own.Reading, Withheld: true}, nil
		}, nil
	}
	look = s.newLookAct(k)
	return look, func() (blind.RevealedPair, error) {
		u, err := from()
		if err != nil {
			return blind.RevealedPair{}, fmt.Errorf("reveal pair %s: %w", k, err)
		}
		u.Item, u.Own = k, own.Reading
		return u, nil
	}, nil
}

// MarkSaved tells that the first n acts are committed. It reports whether that ends a failure, because
// the act that failed is among them; then all counts again.
func (s *Session) MarkSaved(n uint32) bool {
	before := s.Own.saved
	s.Own.saved = max(s.Own.saved, min(int(n), len(s.Own.acts)))
	if s.Own.failed == nil || s.Own.saved == before {
		return false
	}
	s.clearFailure()
	if it, ok := s.Walk.itemInFront(); ok && !s.Own.isUnanswered(it.Key) {
		s.Walk.ShowNextOpen()
	}
	return true
}

// MarkFailed tells that acts from a on could not be committed, and why. They no longer count, and the
// item of a comes back to the front. They are not lost: the journal holds them, they count again once
// they are saved, and the next act of the annotator goes behind them.
func (s *Session) MarkFailed(a annotate.Act, err error) {
	if a.N == 0 || int(a.N) > len(s.Own.acts) {
		return
	}
	s.Own.saved, s.Own.failed = int(a.N)-1, err
	s.refoldActs()
	s.notifyOthers(s.Own.acts[s.Own.saved:]...)
	s.Walk.ShowItem(a.Item)
}

// MarkTooLate tells which acts came too late: others had given all the labels that their items take.
// They count for nothing, and their items are taken back from this annotator; everything else that they
// did stays, with its number. It returns those that it was not told before.
func (s *Session) MarkTooLate(late []annotate.Act) []annotate.Act {
	var news []annotate.Act
	for _, a := range late {
		if a.N == 0 || int(a.N) > len(s.Own.acts) || s.Own.acts[a.N-1].Kind == annotate.TooLate || s.Own.acts[a.N-1].Item != a.Item {
			continue
		}
		s.Own.acts[a.N-1].Kind = annotate.TooLate
		news = append(news, a)
	}
	if len(news) == 0 {
		return nil
	}
	s.refoldActs()
	s.notifyOthers(news...)
	for _, a := range news {
		if _, done := s.Own.state.Labels[a.Item]; !done { // else a later answer, of which there is no news yet
			s.Own.removeSkipped(a.Item)
			s.Walk.withdrawItem(a.Item)
		}
	}
	return news
}

// withdrawItem offers an item no more. The one in front stays there, unless it is that one.
func (w *Walk) withdrawItem(k annotate.ItemKey) {
	w.claim.MarkItemFull(k)
	i, front := w.offered.indexOf(k), w.offered.cursor
	if i < 0 {
		return
	}
	w.offered.removeAt(i)
	if front == i {
		w.ShowNextOpen()
	}
}

func (s *Session) clearFailure() {
	if s.Own.failed != nil {
		s.Own.failed = nil
		s.refoldActs()
		s.notifyOthers(s.Own.acts[s.Own.saved:]...)
	}
}
