package curation

import "concord/annotate/journal"

// Again does acts again that could not be stored since the expert had worked
// elsewhere meanwhile, which the board knows of by now: each as what it says,
// with a number of today. It returns the acts to store, and how many had nothing
// to say any more, or took back what was done before them.
func (b *Board) Again(refused []Act) (acts []Act, left int) {
	gone := journal.TakenBack(refused, number, takes)
	own := make(map[uint32]bool, len(refused))
	for i := range refused {
		a := &refused[i]
		own[a.N] = true
		switch {
		case a.Kind == TookBack && own[a.Target] || gone[a.N]:
			continue // among themselves
		case a.Informed && !b.state.Seen[a.Sample]:
			acts = append(acts, b.act(Act{Kind: Looked, Sample: a.Sample}))
		}
		if done, ok := b.once(a); ok {
			acts = append(acts, done)
		} else {
			left++
		}
	}
	return acts, left
}

// once does what an act says.
func (b *Board) once(a *Act) (Act, bool) {
	o := a.Sample
	switch a.Kind {
	case Judged:
		return b.Judge(o, a.Verdict, a.Spent)
	case Placed:
		return b.Place(o, a.Axis)
	case Skipped:
		return b.Skip(o, a.Spent)
	case Noted:
		return b.Note(o, a.Text)
	case Ruled:
		return b.Rule(o, a.Verdict, a.Axis, a.Spent)
	case Looked:
		if _, ok := b.places[o]; ok && !b.state.Seen[o] {
			return b.act(Act{Kind: Looked, Sample: o}), true
		}
	case KindUnset, TookBack:
	}
	return Act{}, false
}
