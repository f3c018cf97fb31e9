package annotate

import (
	"cmp"
	"slices"
	"time"
)

// ActRef names an act of a queue: whose it is, and its number.
type ActRef struct {
	Who Annotator
	N   uint32
}

// Ref names the act.
func (a *Act) Ref() ActRef { return ActRef{a.Annotator, a.N} }

// Of names the act of another person, or an own one, that the act is about;
// false for an act that names none.
func (a *Act) Of() (ActRef, bool) { return ActRef{a.Whose, a.Target}, a.Whose != "" }

// Exclusion is a decision that an item counts in no figure: derived, never
// stored.
type Exclusion struct {
	Item   ItemKey
	Reason string
	By     Annotator
	N      uint32 // of the act
	At     time.Time
}

// ExclusionsOf lists the exclusions that stand in a queue, in the order of items and people,
// by the states of everybody who has acted in it.
func ExclusionsOf(states map[Annotator]State) []Exclusion {
	var out []Exclusion
	for _, st := range states {
		for _, x := range st.Excluded {
			if !included(states, ActRef{x.By, x.N}) {
				out = append(out, x)
			}
		}
	}
	slices.SortFunc(out, func(a, b Exclusion) int { return cmp.Or(a.Item.Compare(b.Item), cmp.Compare(a.By, b.By)) })
	return out
}

func included(states map[Annotator]State, x ActRef) bool {
	for _, st := range states {
		if st.Included[x] {
			return true
		}
	}
	return false
}

// FoldAll derives what stands of everybody's acts in a queue, as it counts in
// figures: without decoys, and with labels of excluded items marked.
func FoldAll(acts map[Annotator][]Act) map[Annotator]State {
	out := make(map[Annotator]State, len(acts))
	for who, all := range acts {
		out[who] = FoldCounted(all)
	}
	for _, x := range ExclusionsOf(out) {
		for _, st := range out {
			if l, ok := st.Labels[x.Item]; ok {
				l.Excluded = true
				st.Labels[x.Item] = l
			}
		}
	}
	return out
}
