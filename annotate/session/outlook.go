package session

import (
	"slices"

	"concord/annotate"
)

// outlook holds the items that are likely to be in front soon, and as of when. A
// session among thirty looks ahead with every frame, and each of the others acts
// meanwhile, so what was found is kept as long as it holds.
type outlook struct {
	found   []annotate.Place // the item that was in front first
	indices []int            // of those
	version int64            // of the claim
	acts    int
	n       int // how many were asked for
}

// Ahead lists the indices of up to n items that are likely to be in front
// soon, the item in front first: what a screen should have at hand. It must not
// be changed.
func (w *Walk) Ahead(n int) []int {
	front, ok := w.offered.front()
	if !ok {
		w.outlook = outlook{}
		w.claim.Expect(nil)
		return nil
	}
	now := outlook{version: w.claim.Version(), acts: len(w.own.acts), n: n}
	if was := &w.outlook; len(was.found) > 0 && was.found[0] == front && was.version == now.version && was.acts == now.acts && was.n == n {
		return was.indices
	}
	now.found = append([]annotate.Place{front}, w.holding(front)...)
	for len(now.found) < n {
		last, _ := w.offered.position(now.found[len(now.found)-1])
		at, ok := w.opening(last, now.found...)
		if !ok || slices.Contains(now.found, w.offered.items[at]) {
			break
		}
		now.found = append(now.found, w.offered.items[at])
	}
	now.found = now.found[:min(n, len(now.found))]
	var soon []annotate.ItemKey
	for i, p := range now.found {
		if now.indices = append(now.indices, p.Index); i > 0 {
			soon = append(soon, p.Key)
		}
	}
	w.claim.Expect(soon)
	w.outlook = now
	return now.indices
}

// holding gives what still follows an item by the last outlook: the items that
// are offered and open, and that nobody else has or expects.
func (w *Walk) holding(front annotate.Place) []annotate.Place {
	i := slices.Index(w.outlook.found, front)
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(w.claim.Open(w.outlook.found[i+1:], w.own.fresh), func(p annotate.Place) bool {
		_, offered := w.offered.position(p)
		return !offered
	})
}

// following finds where ToOpen goes: to what was expected, else to what is found.
func (w *Walk) following() (int, bool) {
	front, ok := w.offered.front()
	if ok {
		if next := w.holding(front); len(next) > 0 {
			return w.offered.position(next[0])
		}
	}
	if ok && w.inOrder() {
		if at, ok := w.opening(w.offered.cursor, front); ok {
			return at, true
		}
	}
	return w.opening(w.offered.cursor)
}
