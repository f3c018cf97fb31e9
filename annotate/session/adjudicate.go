package session

import (
	"time"

	"concord/annotate"
)

// Rule settles the item in front as its adjudicator and stays with it. A
// ruling that the item has is replaced, the cause with it. It reports false,
// and does nothing, in a session that labels, when there is no item, when the
// reading says nothing, or when all of it stands already. An item that another
// adjudicator has in front of them is theirs: the next open one comes.
func (s *Session) Rule(r annotate.Reading, c annotate.Cause, spent time.Duration) (annotate.Act, bool) {
	it, ok := s.Walk.front()
	if !ok || !s.Own.adjudicating || !r.Complete() {
		return annotate.Act{}, false
	}
	if s.lost = s.Walk.rulings != nil && s.Walk.rulings.Elsewhere(it.Key); s.lost {
		s.Walk.ToOpen()
		return annotate.Act{}, false
	}
	informed, kept := s.Own.state.Seen[it.Key], uint32(0)
	if old, ok := s.Own.state.Rulings[it.Key]; ok && old.Reading.Same(&r) {
		if old.Cause == c {
			return annotate.Act{}, false
		}
		// who was right is said after the reveal: the choice stays as blind as it was
		informed, spent, kept = old.Informed, old.Spent+spent, standing(s.Own.acts, it.Key, annotate.Ruled)
	}
	return s.act(it.Key, annotate.Act{Kind: annotate.Ruled, Reading: r, Cause: c, Informed: informed, Target: kept, Spent: spent}), true
}

// counted is what the claim counts of this person: labels or, among adjudicators,
// rulings.
func (w *Walk) counted() map[annotate.ItemKey]annotate.Label {
	if w.rulings == nil {
		return w.own.state.Labels
	}
	out := make(map[annotate.ItemKey]annotate.Label, len(w.own.state.Rulings))
	for k, r := range w.own.state.Rulings {
		out[k] = annotate.Label{Item: k, Reading: r.Reading}
	}
	return out
}

// Confront lets what everybody made of an item be shown. A label that is given
// afterwards is no blind one, so look is to be stored before; its N is 0 when
// an earlier one is. Confront gives ErrBlind before the annotator has answered.
func (s *Session) Confront(k annotate.ItemKey) (look annotate.Act, err error) {
	if !s.Own.Answered(k) {
		return annotate.Act{}, annotate.ErrBlind
	}
	if !s.Own.state.Seen[k] {
		look = s.act(k, annotate.Act{Kind: annotate.Looked})
	}
	return look, nil
}
