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
	standing := func() (assign.StoredQueue, error) { return assign.StoredQueue{Crowds: f.crowds()}, nil }
	// does has ann's labels of some items come from elsewhere.
	does := func(samples ...int) func() (assign.MergedLabels, error) {
		return func() (assign.MergedLabels, error) {
			if _, err := f.pool.NewClaim(&f.queue, "ann", standing); !errors.Is(err, assign.ErrMerging) {
				t.Errorf("ann sits down meanwhile: %v", err)
			}
			before := annotate.FoldActs(f.acts["ann"]).Labels
			for _, i := range samples {
				f.acts["ann"] = append(f.acts["ann"], annotate.Act{
					Queue: "q", Annotator: "ann", N: uint32(len(f.acts["ann"]) + 1), Item: f.items[i].Key, Kind: annotate.Labelled, Reading: pick("A"),
				})
			}
			return assign.MergedLabels{Before: before, After: annotate.FoldActs(f.acts["ann"]).Labels}, nil
		}
	}
	if err := f.pool.StoreMergedActs(&f.queue, "ann", standing, does(2)); !errors.Is(err, assign.ErrWorking) || len(f.acts["ann"]) > 0 {
		t.Errorf("while ann sits there: %v", err)
	}
	f.label(ann, "A") // item 0
	ann.Close()
	if err := f.pool.StoreMergedActs(&f.queue, "ann", standing, does(2, 3)); err != nil {
		t.Fatal(err)
	}
	f.clock = f.clock.Add(pulling)
	bob.Walk.PullChanges()
	f.label(bob, "B") // item 1
	f.front(bob, -1)
	if got := bob.TeamProgress(); bob.Walk.Len() != 1 || bob.Walk.IsWaitingForOthers() || got.Given != 0 {
		t.Errorf("bob is offered %d items, waits: %v, team %+v", bob.Walk.Len(), bob.Walk.IsWaitingForOthers(), got)
	}
	ann = f.sit("ann")
	if ann.Walk.Len() != 3 || ann.Walk.CountOpen() != 0 {
		t.Errorf("ann is offered %d items with %d open", ann.Walk.Len(), ann.Walk.CountOpen())
	}
	broken := errors.New("broken")
	if err := f.pool.StoreMergedActs(&f.queue, "cy", standing, func() (assign.MergedLabels, error) { return assign.MergedLabels{}, broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	func() {
		defer func() { _ = recover() }()
		_ = f.pool.StoreMergedActs(&f.queue, "cy", standing, func() (assign.MergedLabels, error) { panic("at the disk") })
	}()
	if f.sit("cy").Walk.CountOpen() != 0 {
		t.Error("cy is offered something")
	}
}

// What somebody said here may have been refused after they had left: it counts
// no more when something of theirs comes home.
func TestArrivalsAfterWhatWasRefused(t *testing.T) {
	f := newTeam(t, 2, 1)
	bob := f.sit("bob")
	ann := f.sit("ann")
	if _, ok := ann.LabelAndAdvance(pick("A"), 0); !ok { // is never stored
		t.Fatal("ann says nothing")
	}
	ann.Close()
	err := f.pool.StoreMergedActs(&f.queue, "ann", nil, func() (assign.MergedLabels, error) { return assign.MergedLabels{}, nil })
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
	claim, err := f.pool.NewClaim(&f.queue, "ann", nil)
	if err != nil {
		t.Fatal(err)
	}
	claim.GiveUp()
	if here := f.pool.Annotators("q"); len(here) != 1 {
		t.Errorf("%v are here", here)
	}
	a, _, ok := f.sit("ann").Undo()
	f.did(a, ok)
	f.label(bob, "B")
	if n := bob.TeamProgress().Given; n != 1 {
		t.Errorf("%d labels count", n)
	}
}
