package session

import (
	"slices"

	"concord/annotate"
)

// outlook holds the items that are likely to be in front soon, and as of when. A
// session among thirty looks ahead with every frame, and each of the others says
// something meanwhile: what was found is kept as long as it holds, and not looked
// for anew.
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
func (s *Session) Ahead(n int) []int {
	if s.cursor >= len(s.items) {
		s.outlook = outlook{}
		s.claim.Expect(nil)
		return nil
	}
	front := s.items[s.cursor]
	now := outlook{version: s.claim.Version(), acts: len(s.acts), n: n}
	if was := &s.outlook; len(was.found) > 0 && was.found[0] == front && was.version == now.version && was.acts == now.acts && was.n == n {
		return was.indices
	}
	now.found = append([]annotate.Place{front}, s.holding(front)...)
	for len(now.found) < n {
		last, _ := s.position(now.found[len(now.found)-1])
		at, ok := s.opening(last, now.found...)
		if !ok || slices.Contains(now.found, s.items[at]) {
			break
		}
		now.found = append(now.found, s.items[at])
	}
	now.found = now.found[:min(n, len(now.found))]
	var soon []annotate.ItemKey
	for i, p := range now.found {
		if now.indices = append(now.indices, p.Index); i > 0 {
			soon = append(soon, p.Key)
		}
	}
	s.claim.Expect(soon)
	s.outlook = now
	return now.indices
}

// holding is what of the last outlook still follows an item: it is offered and
// open, and nobody else has it or expects it.
func (s *Session) holding(front annotate.Place) []annotate.Place {
	i := slices.Index(s.outlook.found, front)
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(s.claim.Open(s.outlook.found[i+1:], s.fresh), func(p annotate.Place) bool {
		_, offered := s.position(p)
		return !offered
	})
}

// following finds where ToOpen goes: to what was expected, else to what is found.
func (s *Session) following() (int, bool) {
	if s.cursor >= 0 && s.cursor < len(s.items) {
		if next := s.holding(s.items[s.cursor]); len(next) > 0 {
			return s.position(next[0])
		}
	}
	if s.inOrder() && s.cursor >= 0 && s.cursor < len(s.items) {
		front := s.items[s.cursor]
		if at, ok := s.opening(s.cursor, front); ok {
			return at, true
		}
	}
	return s.opening(s.cursor)
}

// position is where an item stands, if it is offered.
func (s *Session) position(p annotate.Place) (int, bool) {
	return slices.BinarySearchFunc(s.items, p, annotate.Place.Compare)
}
