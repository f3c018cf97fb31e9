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
