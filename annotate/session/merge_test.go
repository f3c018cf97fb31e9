package session

import (
	"errors"
	"testing"

	"concord/annotate"
	"concord/annotate/assign"
)

func TestArrivals(t *testing.T) {
	f := newTeam(t, 4, 1)
	ann := f.sit("ann")
	bob := f.sit("bob")
	standing := func() (assign.Stored, error) { return assign.Stored{Crowds: f.crowds()}, nil }
	// does has ann's labels of some items come from elsewhere.
	does := func(samples ...int) func() (assign.Merged, error) {
		return func() (assign.Merged, error) {
			if _, err := f.pool.Claim(&f.queue, "ann", standing); !errors.Is(err, assign.ErrMerging) {
				t.Errorf("ann sits down meanwhile: %v", err)
			}
			before := annotate.Fold(f.acts["ann"]).Labels
			for _, i := range samples {
				f.acts["ann"] = append(f.acts["ann"], annotate.Act{
					Queue: "q", Annotator: "ann", N: uint32(len(f.acts["ann"]) + 1), Item: f.items[i].Key, Kind: annotate.Labelled, Reading: pick("A"),
				})
			}
			return assign.Merged{Before: before, After: annotate.Fold(f.acts["ann"]).Labels}, nil
		}
	}
	if err := f.pool.Merge(&f.queue, "ann", standing, does(2)); !errors.Is(err, assign.ErrWorking) || len(f.acts["ann"]) > 0 {
		t.Errorf("while ann sits there: %v", err)
	}
	f.label(ann, "A") // item 0
	ann.Close()
	if err := f.pool.Merge(&f.queue, "ann", standing, does(2, 3)); err != nil {
		t.Fatal(err)
	}
	f.clock = f.clock.Add(pulling)
	bob.Walk.Look()
	f.label(bob, "B") // item 1
	f.front(bob, -1)
	if got := bob.Team(); bob.Walk.Len() != 1 || bob.Walk.Waits() || got.Given != 0 {
		t.Errorf("bob is offered %d items, waits: %v, team %+v", bob.Walk.Len(), bob.Walk.Waits(), got)
	}
	ann = f.sit("ann")
	if ann.Walk.Len() != 3 || ann.Walk.Open() != 0 {
		t.Errorf("ann is offered %d items with %d open", ann.Walk.Len(), ann.Walk.Open())
	}
	broken := errors.New("broken")
	if err := f.pool.Merge(&f.queue, "cy", standing, func() (assign.Merged, error) { return assign.Merged{}, broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	func() {
		defer func() { _ = recover() }()
		_ = f.pool.Merge(&f.queue, "cy", standing, func() (assign.Merged, error) { panic("at the disk") })
	}()
	if f.sit("cy").Walk.Open() != 0 {
		t.Error("cy is offered something")
	}
}

// What somebody said here may have been refused after they had left: it counts
// no more when something of theirs comes home.
func TestArrivalsAfterWhatWasRefused(t *testing.T) {
	f := newTeam(t, 2, 1)
	bob := f.sit("bob")
	ann := f.sit("ann")
	if _, ok := ann.Label(pick("A"), 0); !ok { // is never stored
		t.Fatal("ann says nothing")
	}
	ann.Close()
	err := f.pool.Merge(&f.queue, "ann", nil, func() (assign.Merged, error) { return assign.Merged{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	f.label(bob, "B")
	f.front(bob, 1)
}

// A claim that no session was begun at keeps nobody away, and what its person
// said before still counts.
func TestClaimIsLeftBeforeItIsBegun(t *testing.T) {
	f := newTeam(t, 2, 1)
	bob := f.sit("bob")
	ann := f.sit("ann")
	f.label(ann, "A")
	claim, err := f.pool.Claim(&f.queue, "ann", nil)
	if err != nil {
		t.Fatal(err)
	}
	claim.Leave()
	if here := f.pool.Annotators("q"); len(here) != 1 {
		t.Errorf("%v are here", here)
	}
	a, _, ok := f.sit("ann").Undo()
	f.did(a, ok)
	f.label(bob, "B")
	if n := bob.Team().Given; n != 1 {
		t.Errorf("%d labels count", n)
	}
}
