package annotate

// DrawHash is the place of an item in the random order in which the items
// of its queue are offered. It follows from the seed and the key alone, so that
// it is known of items that were enrolled long ago. The passes of a sample that
// is drawn whole have the same one; pairs, which are drawn by their sample, come
// in an order of their own.
func (r *Rule) DrawHash(k ItemKey) uint64 {
	if r.From == FromPairs {
		return k.Hash(r.Seed)
	}
	return r.Unit(k).Hash(r.Seed)
}

// Turnout tells which items of a queue may still get a label.
type Turnout struct {
	queue  *Queue
	gone   map[ItemKey]bool // excluded
	states []State          // of those who label or skip
}

// NewTurnout takes the state of everybody who has acted in the queue.
func NewTurnout(q *Queue, states map[Annotator]State) *Turnout {
	t := &Turnout{queue: q, gone: make(map[ItemKey]bool)}
	for _, x := range ExclusionsOf(states) {
		t.gone[x.Item] = true
	}
	for _, st := range states {
		if len(st.Labels)+len(st.Skipped) > 0 {
			t.states = append(t.states, st)
		}
	}
	return t
}

// Open reports whether an item lacks a label that it could get. An item that
// nobody has labelled is open, also while somebody has it in front of them,
// unless it was skipped. One with fewer labels than the queue wants is open
// while somebody who works in the queue has neither labelled nor skipped it. One
// that is excluded is not.
func (t *Turnout) Open(k ItemKey) bool {
	if t.gone[k] {
		return false
	}
	var crowd Crowd
	skipped, could := false, false
	for i := range t.states {
		st := &t.states[i]
		if l, ok := st.Labels[k]; ok {
			crowd.Join(l.Reading)
			continue
		}
		skipped = skipped || st.Skipped[k]
		could = could || !st.Skipped[k]
	}
	if crowd.People == 0 {
		return !skipped
	}
	return could && crowd.People < t.queue.Wants(crowd.Differ(), false)
}
