package session

import (
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
)

// Of two who adjudicate a queue, no item is in front of both at once, and what one
// has decided on comes to the other no more.
func TestTwoAdjudicatorsNeverGetTheSameItem(t *testing.T) {
	q := annotate.Queue{Name: "q", Overlap: 1, Items: 4}
	pool := assign.NewPool(nil, time.Now, nil)
	t.Cleanup(func() { _ = pool.Close() })
	open := func(who annotate.Annotator) *Session {
		t.Helper()
		claim, err := pool.NewClaim(&q, who, func() (assign.StoredQueue, error) { return assign.StoredQueue{}, nil })
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(Opening{Queue: q, Annotator: who, Items: itemsOf(0, 4), Adjudicating: true, Rulings: claim})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	front := func(s *Session) int {
		if at, _, ok := s.Walk.Current(); ok {
			return at
		}
		return -1
	}
	ada, bob := open("ada"), open("bob")
	if a, b := front(ada), front(bob); a == b || a < 0 || b < 0 {
		t.Fatalf("ada has item %d and bob %d", a, b)
	}
	held := front(ada)
	bob.Walk.ShowPosition(held) // as from the list
	if _, ok := bob.Adjudicate(pick("A"), annotate.CauseUnset, 0); ok || !bob.LostLastItem() {
		t.Error("an item in front of ada was adjudicated by bob")
	}
	// as opened by name while ada has it, and kept in front after her
	if _, k, _ := ada.Walk.Current(); bob.Walk.ShowItem(k) {
		t.Error("an item in front of ada was shown to bob")
	}
	bob.Walk.ShowPosition(held)
	if _, ok := ada.Adjudicate(pick("A"), annotate.CauseUnset, 0); !ok {
		t.Fatal("ada cannot adjudicate the item in front of her")
	}
	ada.Walk.ShowNextOpen()
	if _, ok := bob.Adjudicate(pick("B"), annotate.CauseUnset, 0); ok || !bob.LostLastItem() {
		t.Error("an item that ada had adjudicated meanwhile was adjudicated by bob")
	}
	seen := map[int]string{held: "ada"}
	for range 3 {
		for name, s := range map[string]*Session{"ada": ada, "bob": bob} {
			at := front(s)
			if at < 0 {
				continue
			}
			if by, done := seen[at]; done {
				t.Fatalf("item %d came to %s after %s", at, name, by)
			}
			if a, b := front(ada), front(bob); a == b {
				t.Fatalf("both have item %d", a)
			}
			if _, ok := s.Adjudicate(pick("A"), annotate.CauseUnset, 0); !ok {
				t.Fatalf("%s cannot adjudicate item %d", name, at)
			}
			seen[at] = name
			s.Walk.ShowNextOpen()
		}
	}
	if len(seen) != 4 || ada.Walk.CountOpen() != 0 || bob.Walk.CountOpen() != 0 {
		t.Errorf("%d items adjudicated, %d and %d open", len(seen), ada.Walk.CountOpen(), bob.Walk.CountOpen())
	}
}
