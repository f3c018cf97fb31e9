package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/assign"
	"concord/eval"
)

// leaseBook keeps leases as a project does.
type leaseBook struct {
	mu  sync.Mutex
	all map[annotate.Annotator]annotate.Lease
}

func (b *leaseBook) OfQueue(annotate.QueueName) ([]annotate.Lease, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []annotate.Lease
	for _, l := range b.all {
		out = append(out, l)
	}
	return out, nil
}

func (b *leaseBook) Put(_ context.Context, _ annotate.QueueName, all ...annotate.Lease) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range all {
		if b.all[l.Who] = l; l.Until.IsZero() {
			delete(b.all, l.Who)
		}
	}
	return nil
}

// team is people at one queue, with what they did.
type team struct {
	t     *testing.T
	queue annotate.Queue
	items []annotate.QueueItem
	pool  *assign.Pool
	book  *leaseBook
	clock time.Time
	acts  map[annotate.Annotator][]annotate.Act
	golds []annotate.Gold
	away  []annotate.Lease
}

func newTeam(t *testing.T, items, overlap int) *team {
	f := &team{
		t: t, queue: annotate.Queue{Name: "q", Overlap: overlap, Items: items}, items: itemsOf(0, items),
		book: &leaseBook{all: make(map[annotate.Annotator]annotate.Lease)}, clock: time.Unix(1000, 0), acts: make(map[annotate.Annotator][]annotate.Act),
	}
	f.open()
	return f
}

// open begins a process.
func (f *team) open() { f.pool = assign.NewPool(f.book, func() time.Time { return f.clock }, nil) }

// kill ends it without anybody's leave.
func (f *team) kill() {
	if err := f.pool.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.open()
}

func (f *team) crowds() map[annotate.ItemKey]annotate.Crowd {
	out := make(map[annotate.ItemKey]annotate.Crowd)
	for _, acts := range f.acts {
		for k, l := range annotate.FoldActs(acts).Labels {
			c := out[k]
			c.AddLabel(l.Reading)
			out[k] = c
		}
	}
	return out
}

func (f *team) sit(who annotate.Annotator) *Session {
	f.t.Helper()
	claim, err := f.pool.NewClaim(&f.queue, who, func() (assign.StoredQueue, error) {
		return assign.StoredQueue{Crowds: f.crowds(), GoldItems: f.golds, Away: f.away}, nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	s, err := New(Opening{
		Queue: f.queue, Annotator: who, Items: f.items, Acts: f.acts[who], Claim: claim,
		Hidden: NewHidden(f.golds, nil), Now: func() time.Time { return f.clock },
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

func (f *team) did(a annotate.Act, ok bool) bool {
	if ok {
		f.acts[a.Annotator] = append(f.acts[a.Annotator], a)
	}
	return ok
}

func (f *team) label(s *Session, choice string) bool {
	f.clock = f.clock.Add(pulling)
	a, ok := s.LabelAndAdvance(pick(eval.Choice(choice)), 0)
	return f.did(a, ok)
}

func (f *team) front(s *Session, want int) {
	f.t.Helper()
	i, _, ok := s.Walk.Current()
	if !ok {
		i = -1
	}
	if i != want {
		f.t.Errorf("%s has item %d selected, want %d", s.Own.who, i, want)
	}
}

func TestNobodyIsOfferedWhatSomebodyElseHasInFront(t *testing.T) {
	f := newTeam(t, 4, 1)
	ann, bob := f.sit("ann"), f.sit("bob")
	f.front(ann, 0)
	f.front(bob, 1)
	f.label(ann, "A")
	f.front(ann, 2)
	f.label(bob, "B")
	f.front(bob, 3)
	bob.Walk.ShowPreviousFree()
	f.front(bob, 1) // over 2, which is ann's
	bob.Walk.ShowNextOpen()
	f.label(bob, "B")
	f.front(bob, -1)
	if !bob.Walk.IsWaitingForOthers() || bob.Walk.PullChanges() {
		t.Error("bob does not wait for the last item, which is ann's")
	}
	ann.Close()
	if !bob.Walk.PullChanges() {
		t.Error("what ann left is not offered")
	}
	f.front(bob, 2)
	if bob.Walk.Len() != 3 || bob.Walk.CountOpen() != 1 {
		t.Errorf("bob is offered %d items with %d open", bob.Walk.Len(), bob.Walk.CountOpen())
	}
	if got := bob.TeamProgress(); got != (assign.TeamProgress{Here: 1, Given: 3, Wanted: 4}) {
		t.Errorf("team %+v", got)
	}
}

func TestUndoneItemsAreKeptAndThenShared(t *testing.T) {
	f := newTeam(t, 3, 1)
	ann, bob := f.sit("ann"), f.sit("bob")
	f.label(ann, "A")
	bob.Walk.PullChanges()
	if bob.Walk.Len() != 2 {
		t.Errorf("bob is offered %d items, ann has labelled one of 3", bob.Walk.Len())
	}
	a, _, ok := ann.Undo()
	f.did(a, ok)
	f.front(ann, 0)
	f.label(bob, "B")
	f.front(bob, 2)
	f.label(bob, "B")
	f.front(bob, -1)
	ann.Close()
	bob.Walk.PullChanges()
	f.front(bob, 0)
}

func TestLeasesRunOut(t *testing.T) {
	f := newTeam(t, 2, 1)
	ann, bob := f.sit("ann"), f.sit("bob")
	f.clock = f.clock.Add(assign.LeaseTime / 2)
	bob.RenewClaim()
	f.clock = f.clock.Add(assign.LeaseTime / 2)
	f.label(bob, "B")
	f.front(bob, 0) // ann did nothing for so long
	if f.label(ann, "A") || !ann.LostLastItem() {
		t.Error("ann labels what is bob's by now")
	}
	f.front(ann, -1)
	f.label(bob, "B")
	if ann.Walk.PullChanges() || ann.Walk.CountOpen() != 0 {
		t.Errorf("ann has %d open", ann.Walk.CountOpen())
	}
}

func TestTheSameItemAfterAKill(t *testing.T) {
	f := newTeam(t, 9, 1)
	ann, bob := f.sit("ann"), f.sit("bob")
	for range 3 {
		f.label(ann, "A")
		f.label(bob, "B")
	}
	_, was, _ := ann.Walk.Current()
	f.kill()
	bob = f.sit("bob")
	ann = f.sit("ann")
	if _, is, _ := ann.Walk.Current(); is != was {
		t.Errorf("ann had %v selected, and has %v", was, is)
	}
	_, _, _ = bob.Walk.Current()
	f.kill()
	f.clock = f.clock.Add(assign.RecallTime) // ann does not come back
	bob = f.sit("bob")
	for f.label(bob, "B") {
	}
	if n := len(f.crowds()); n != 9 {
		t.Errorf("%d of 9 items are labelled", n)
	}
}

func TestOnePersonHasOneClaim(t *testing.T) {
	f := newTeam(t, 5, 1)
	old := f.sit("ann")
	f.label(old, "A")
	now := f.sit("ann")
	f.front(now, 1)
	if !old.Walk.IsDisplaced() || f.label(old, "B") {
		t.Error("the earlier claim labels")
	}
	old.Close()
	f.front(f.sit("bob"), 2)
	f.label(now, "A")
	if got := f.pool.Annotators("q"); !slices.Equal(got, []annotate.Annotator{"ann", "bob"}) {
		t.Errorf("%v are here", got)
	}
}

func TestWhatIsAwayIsNotOffered(t *testing.T) {
	f := newTeam(t, 3, 1)
	f.away = []annotate.Lease{{Item: keyOf(0), Who: "cy", Until: f.clock.Add(time.Hour)}, {Item: keyOf(1), Who: "cy", Until: f.clock.Add(time.Minute)}}
	ann := f.sit("ann")
	f.front(ann, 2)
	f.label(ann, "A")
	f.clock = f.clock.Add(time.Minute)
	ann.Walk.PullChanges()
	f.front(ann, 1)
	cy := f.sit("cy")
	f.front(cy, 0)
	cy.Close()
	f.pool.SetAwayItems("q", nil) // it is recalled
	f.label(ann, "A")
	f.front(ann, 0)
	f.pool.SetAwayItems("q", []annotate.Lease{{Item: keyOf(0), Who: "cy", Until: f.clock.Add(time.Hour)}}) // in front of ann, who keeps it
	if !f.label(ann, "A") {
		t.Error("an item is taken out of somebody's hands")
	}
}

func TestSidesBalanceWhileTwoLook(t *testing.T) {
	f := newTeam(t, 20, 2)
	f.queue.Rule.From = annotate.FromPairs
	ann, bob := f.sit("ann"), f.sit("bob")
	for range 20 {
		_, k, _ := ann.Walk.Current()
		first := ann.IsSwapped(k)
		bob.Walk.ShowItem(k)
		if bob.IsSwapped(k) == first || ann.IsSwapped(k) != first {
			t.Fatalf("%v is shown to both in one order", k)
		}
		f.did(ann.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: 1}, 0))
		f.did(bob.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: 1}, 0))
	}
}

// However people come, go, label and undo: no item has more labels than it
// wants, and in the end each has as many.
func TestTeamProperty(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		overlap := 1 + r.IntN(3)
		f := newTeam(t, 1+r.IntN(30), overlap)
		people := make([]*Session, overlap+r.IntN(4))
		who := func(i int) annotate.Annotator { return annotate.Annotator(fmt.Sprintf("p%d", i)) }
		check := func() {
			t.Helper()
			for k, c := range f.crowds() {
				if c.People > overlap {
					t.Fatalf("seed %d: %v has %d labels of %d", seed, k, c.People, overlap)
				}
			}
		}
		for range 400 {
			i := r.IntN(len(people))
			s := people[i]
			switch op := r.IntN(20); {
			case s == nil:
				people[i] = f.sit(who(i))
			case op == 0:
				s.Close()
				people[i] = nil
			case op == 1:
				people[i] = f.sit(who(i))
			case op == 2:
				a, _, ok := s.Undo()
				f.did(a, ok)
			case op == 3:
				f.did(s.SkipAndAdvance(0))
			case op == 4:
				s.Walk.ShowPreviousFree()
			case op == 5:
				s.Walk.ShowNextFree()
			case op == 6:
				f.clock = f.clock.Add(assign.LeaseTime / 3)
			case op == 7:
				s.Walk.PullChanges()
			case op == 8 && r.IntN(10) == 0:
				f.kill()
				clear(people)
			default:
				s.Walk.UpcomingIndices(3)
				f.label(s, string(rune('A'+r.IntN(2))))
			}
			check()
		}
		for i := range people {
			if people[i] != nil {
				people[i].Close()
			}
		}
		f.clock = f.clock.Add(assign.LeaseTime)
		for i := range people {
			s := f.sit(who(i))
			for range 100 {
				s.Walk.ShowNextOpen()
				f.label(s, "A")
			}
			s.Close()
		}
		check()
		for _, it := range f.items {
			if got := f.crowds()[it.Key].People; got != overlap {
				t.Fatalf("seed %d: %v has %d labels of %d", seed, it.Key, got, overlap)
			}
		}
	}
}

func TestClaimRefusesWhatCannotBeRead(t *testing.T) {
	f := newTeam(t, 1, 1)
	broken := errors.New("broken")
	if _, err := f.pool.NewClaim(&f.queue, "ann", func() (assign.StoredQueue, error) { return assign.StoredQueue{}, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	f.front(f.sit("ann"), 0)
}
