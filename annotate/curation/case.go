package curation

import (
	"fmt"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// Case is a candidate with what everybody says of it.
type Case struct {
	Item
	Words    []Word // in the order of experts
	Ruling   *Word  // nil: nobody has settled it, or adjudicators differ
	Decision Decision
}

// Cases are the candidates with what everybody's acts come to, and who gave a
// verdict, by name. They are for reports and exports: an expert at work is
// shown a Board.
func Cases(items []Item, acts []Act, p Panel) ([]Case, []annotate.Annotator, error) {
	experts, by := byExpert(acts)
	slices.Sort(experts)
	states := make([]State, len(experts))
	for i, who := range experts {
		for n := range by[who] {
			if a := &by[who][n]; a.N != uint32(n+1) {
				return nil, nil, fmt.Errorf("act %d of %s: %w", n+1, who, annotate.ErrConflict)
			}
		}
		states[i] = Fold(by[who])
	}
	out := make([]Case, len(items))
	for i := range items {
		c := Case{Item: items[i]}
		var rulings []Word
		for n := range states {
			if w, ok := states[n].Word(c.Sample); ok {
				c.Words = append(c.Words, w)
			}
			if r, ok := states[n].Ruling(c.Sample); ok {
				rulings = append(rulings, r)
			}
		}
		c.Ruling = RulingOf(rulings)
		c.Decision = p.Decide(c.Words, c.Ruling, c.Axis)
		out[i] = c
	}
	spoke := make([]annotate.Annotator, 0, len(experts))
	for i, who := range experts {
		if len(states[i].Words) > 0 {
			spoke = append(spoke, who)
		}
	}
	return out, spoke, nil
}

// Say gives the acts by which an expert is to say w of a sample as a file
// states it; none when they say so already. They have no number yet.
func (s *State) Say(o eval.Ordinal, w Word, ruling bool) []Act {
	var out []Act
	add := func(a Act) {
		a.Expert, a.Sample, a.At, a.Imported, a.Spent = w.Expert, o, w.At, true, w.Spent
		out = append(out, a)
	}
	if ruling {
		if r, ok := s.Rulings[o]; !ok || r.Verdict != w.Verdict || key(r.Axis) != key(w.Axis) {
			add(Act{Kind: Ruled, Verdict: w.Verdict, Axis: w.Axis, Informed: w.Informed})
		}
	} else {
		if s.Words[o].Verdict != w.Verdict {
			add(Act{Kind: Judged, Verdict: w.Verdict, Informed: w.Informed})
		}
		if w.Axis != nil && key(s.Axes[o]) != key(w.Axis) {
			add(Act{Kind: Placed, Axis: w.Axis, Informed: w.Informed})
		}
	}
	if w.Note != "" && s.Notes[o] != w.Note {
		add(Act{Kind: Noted, Text: w.Note})
	}
	return out
}
