package session

import (
	"math"
	"math/rand/v2"
	"testing"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/eval"
)

// What was looked ahead to may be hidden before it comes: known answers that are
// all there is left.
func TestGoldsAheadAreHiddenAtTheEnd(t *testing.T) {
	f := newTeam(t, 3, 2)
	f.golds = []annotate.Gold{{Key: keyOf(2), Reading: pick("A")}}
	ann := f.sit("ann")
	for i := range 2 {
		f.front(ann, i)
		ann.Walk.UpcomingIndices(4)
		f.label(ann, "A")
	}
	f.front(ann, -1)
	if n := ann.Walk.Len(); n != 2 {
		t.Errorf("%d items are offered", n)
	}
}

// It may be offered no more by then, and yet be open: others have filled it up,
// and one of them thinks again before the next look at what others did.
func TestAheadIsNotOfferedAnyMore(t *testing.T) {
	f := newTeam(t, 2, 1)
	ann := f.sit("ann")
	ann.Walk.UpcomingIndices(2)
	bob := f.sit("bob")
	f.front(bob, 1)
	f.label(bob, "B")
	ann.Walk.PullChanges() // 1 leaves the list
	a, _, ok := bob.Undo()
	f.did(a, ok)
	bob.Walk.ShowPosition(2)
	if _, ok := ann.LabelAndAdvance(pick("A"), 0); !ok {
		t.Fatal("ann says nothing")
	}
	f.front(ann, 1) // taken up again first
	if ann.Walk.Len() != 2 {
		t.Errorf("%d items are offered", ann.Walk.Len())
	}
}

// Who sits elsewhere now is put nothing in front of, whatever grows.
func TestNothingComesElsewhere(t *testing.T) {
	f := newTeam(t, 1, 2)
	ann := f.sit("ann")
	f.label(ann, "A")
	f.sit("ann")
	ann.AddItems(itemsOf(1, 2))
	if _, _, ok := ann.Walk.Current(); ok || !ann.Walk.IsDisplaced() {
		t.Error("something is selected")
	}
}

// An item that a queue was given, and that no session has been handed yet, may
// come home in a packet.
func TestArrivalOfWhatNobodyKnowsYet(t *testing.T) {
	f := newTeam(t, 2, 1)
	ann := f.sit("ann")
	standing := func() (assign.StoredQueue, error) { return assign.StoredQueue{Crowds: f.crowds()}, nil }
	err := f.pool.StoreMergedActs(&f.queue, "cy", standing, func() (assign.MergedLabels, error) {
		return assign.MergedLabels{After: map[annotate.ItemKey]annotate.Label{keyOf(2): {Reading: pick("A")}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.clock = f.clock.Add(pulling)
	ann.Walk.PullChanges()
	f.front(ann, 0)
	ann.AddItems(itemsOf(2, 4))
	if ann.Walk.Len() != 3 {
		t.Errorf("ann is offered %d items", ann.Walk.Len())
	}
}

// plainly is where ShowNextOpen goes from an item for somebody who works alone, found
// without having looked ahead: -1 is nowhere.
func plainly(s *Session, from, items int) int {
	for d := range items {
		at := d
		if from < items {
			at = (from + 1 + d) % items
		}
		if s.Own.isUnanswered(keyOf(at)) {
			return at
		}
	}
	oldest, first, gone := -1, uint32(math.MaxUint32), annotate.FindTakenBack(s.Own.acts)
	for i := range items {
		last := uint32(0)
		for _, a := range s.Own.acts {
			if a.Kind == annotate.Skipped && a.Item == keyOf(i) && !gone[a.N] {
				last = a.N
			}
		}
		if s.Own.state.Skipped[keyOf(i)] && last < first {
			oldest, first = i, last
		}
	}
	return oldest
}

// Whatever was looked ahead to, the order is the same.
func TestOrderIsThatOfLookingAnew(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rnd.IntN(9)
		f := newTeam(t, n, 1)
		var s *Session
		if s = f.sit("ann"); seed%2 == 0 {
			var err error
			if s, err = New(Opening{Queue: f.queue, Annotator: "ann", Items: f.items}); err != nil {
				t.Fatal(err)
			}
		}
		for step := range 60 {
			if rnd.IntN(3) > 0 {
				s.Walk.UpcomingIndices(1 + rnd.IntN(5))
			}
			from, want := s.Walk.offered.cursor, -2
			switch rnd.IntN(10) {
			case 0, 1, 2:
				_, ok := s.LabelAndAdvance(pick(eval.Choice("A")), 0)
				if ok {
					want = plainly(s, from, n)
				}
			case 3, 4:
				was, k, ok := s.Walk.Current()
				_, done := s.Own.state.Labels[k]
				_, _ = s.SkipAndAdvance(0)
				if ok && !done || ok && was == from {
					want = plainly(s, from, n)
				}
			case 5:
				s.Undo()
			case 6:
				s.Redo()
			case 7:
				s.Walk.ShowPosition(rnd.IntN(n + 1))
			case 8:
				s.Walk.ShowNextOpen()
				want = plainly(s, from, n)
			case 9:
				if n < 30 {
					idle := s.Walk.offered.cursor == n
					m := n + 1 + rnd.IntN(3)
					s.AddItems(itemsOf(n, m))
					if n = m; idle {
						want = plainly(s, n, n)
					}
				}
			}
			got, _, ok := s.Walk.Current()
			if !ok {
				got = -1
			}
			if want > -2 && got != want {
				t.Fatalf("seed %d, step %d: item %d selected, want %d", seed, step, got, want)
			}
		}
	}
}
