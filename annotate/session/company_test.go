package session

import (
	"testing"

	"concord/annotate"
)

// Who comes late to a queue that others have finished is not handed its known
// answers, and nothing else: they would know them.
func TestLatecomersAreNotHandedGoldsAlone(t *testing.T) {
	f := newTeam(t, 5, 1)
	f.golds = []annotate.Gold{{Key: keyOf(2), Reading: pick("A")}}
	ann := f.sit("ann")
	bob := f.sit("bob")
	if got := ann.TeamProgress(); got.Wanted != 0 || got.Here != 2 {
		t.Errorf("%+v is told of a queue with known answers", got)
	}
	for range 5 {
		f.label(ann, "A")
	}
	bob.Walk.ShowNextOpen()
	for f.label(bob, "B") {
	}
	cy := f.sit("cy")
	if cy.Walk.Len() != 0 || cy.Walk.CountOpen() != 0 {
		t.Errorf("cy is offered %d items", cy.Walk.Len())
	}
	f.front(cy, -1)
	if n := len(f.crowds()); n != 5 {
		t.Errorf("%d of 5 items are labelled", n)
	}
}

// A session that did not end in time leaves after the floor is closed: it hurts
// nobody.
func TestWhoLeavesLateHurtsNobody(t *testing.T) {
	f := newTeam(t, 4, 1)
	ann, bob := f.sit("ann"), f.sit("bob")
	if err := f.pool.Close(); err != nil {
		t.Fatal(err)
	}
	f.label(ann, "A")
	ann.Close()
	bob.Close()
	if n := len(f.book.all); n != 2 {
		t.Errorf("%d leases are kept, want those of before", n)
	}
}
