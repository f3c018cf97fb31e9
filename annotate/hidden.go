package annotate

// Hidden is what a session has to know of its items and no screen may: whose
// answer is known, and on which of them other people differ. Nothing hands it
// out.
type Hidden struct {
	known  map[ItemKey]Reading
	differ map[ItemKey]bool
}

// Hide makes it. The crowds are those of other people.
func Hide(golds []Gold, others map[ItemKey]Crowd) Hidden {
	h := Hidden{known: make(map[ItemKey]Reading, len(golds)), differ: make(map[ItemKey]bool)}
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

// solo is the seat of a session that nobody else is beside, or that
// adjudicates: the others are numbers that do not change.
func (o *Opening) solo() *Claim {
	q := o.Queue
	if o.Adjudicating {
		q.Overlap, q.Extra = Everybody, 0
	}
	st := Stored{Crowds: make(map[ItemKey]Crowd, len(o.Others))}
	for k, n := range o.Others {
		c := Crowd{People: n}
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
		st.Golds = append(st.Golds, Gold{Key: k})
	}
	return Solo(&q, o.Annotator, st)
}
