package session

import (
	"slices"

	"concord/annotate"
)

// Explain gives the label of the item in front these rationale, and stays with
// it. The label is otherwise as it was: as blind, and as long in the making. It
// reports false, and does nothing, where there is no label, or it has them.
func (s *Session) Explain(g annotate.Rationale) (annotate.Act, bool) {
	it, ok := s.Walk.front()
	if !ok || s.Own.adjudicating {
		return annotate.Act{}, false
	}
	l, ok := s.Own.state.Labels[it.Key]
	if !ok || l.Rationale() == g {
		return annotate.Act{}, false
	}
	return s.act(it.Key, annotate.Act{
		Kind: annotate.Labelled, Reading: l.Reading, Reason: g.Reason, Confidence: g.Confidence, Informed: l.Informed,
		Guideline: l.Guideline, Spent: l.Spent, Target: standing(s.Own.acts, it.Key, annotate.Labelled),
	}), true
}

// standing is the number of the act of a kind on an item that stands last; 0
// without one.
func standing(acts []annotate.Act, k annotate.ItemKey, kind annotate.ActKind) uint32 {
	gone := annotate.TakenBack(acts)
	for i := range slices.Backward(acts) {
		if a := &acts[i]; a.Item == k && a.Kind == kind && !gone[a.N] {
			return a.N
		}
	}
	return 0
}
