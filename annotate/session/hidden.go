package session

import (
	"concord/annotate"
	"concord/annotate/assign"
)

// Hidden holds what a session has to know of its items and no screen may: which
// have a known answer, and on which other people differ. Nothing hands it out.
type Hidden struct {
	known  map[annotate.ItemKey]annotate.Reading
	differ map[annotate.ItemKey]bool
}

// Hide makes Hidden from gold items and the crowds of other people.
func Hide(golds []annotate.Gold, others map[annotate.ItemKey]annotate.Crowd) Hidden {
	h := Hidden{known: make(map[annotate.ItemKey]annotate.Reading, len(golds)), differ: make(map[annotate.ItemKey]bool)}
	for _, g := range golds {
		h.known[g.Key] = g.Reading
	}
	for k, c := range others {
		if c.Differ() {
			h.differ[k] = true
		}
	}
	return h
}

// solo is the claim of a session that nobody else is beside, or that
// adjudicates: the others are numbers that do not change.
func (o *Opening) solo() *assign.Claim {
	q := o.Queue
	if o.Adjudicating {
		q.Overlap, q.Extra = annotate.Everybody, 0
	}
	st := assign.Stored{Crowds: make(map[annotate.ItemKey]annotate.Crowd, len(o.Others))}
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
	return assign.Solo(&q, o.Annotator, st)
}
