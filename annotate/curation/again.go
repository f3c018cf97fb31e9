package curation

import "slices"

// Again does acts again that could not be stored since the expert had worked
// elsewhere meanwhile, which the board knows of by now: each as what it says,
// with a number of today. It returns the acts to store, and how many had nothing
// to say any more, or took back what was done before them.
func (b *Board) Again(refused []Act) (acts []Act, left int) {
	target, gone := within(refused)
	for i := range refused {
		a := &refused[i]
		switch {
		case target[i] >= 0 || gone[i]:
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

// within tells which of some acts each takes back, by its place among them, -1
// for none, and which stand no more for it. Numbers alone do not say: acts made
// on two boards may share one, and an act means the last of that number.
func within(acts []Act) (target []int, gone []bool) {
	target, gone = make([]int, len(acts)), make([]bool, len(acts))
	last := make(map[uint32]int, len(acts))
	for i := range acts {
		target[i] = -1
		if at, ok := last[takes(&acts[i])]; ok {
			target[i] = at
		}
		last[acts[i].N] = i
	}
	for i := range slices.Backward(acts) {
		if target[i] >= 0 && !gone[i] {
			gone[target[i]] = true
		}
	}
	return target, gone
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
