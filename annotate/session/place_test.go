package session

import (
	"math/rand/v2"
	"slices"
	"testing"

	"concord/annotate"
)

// grownQueue is a queue that grew, of the unparsable at a rate.
func grownQueue() annotate.Queue {
	return annotate.Queue{Name: "q", Overlap: 1, Stratum: annotate.Random, Growing: true, Rule: annotate.Rule{From: annotate.FromUnparsable, Rate: 0.5, Seed: 3}}
}

// byHash are the keys of n items in the order of their draw hash.
func byHash(q *annotate.Queue, n int) []annotate.ItemKey {
	var out []annotate.ItemKey
	for i := range n {
		out = append(out, keyOf(i))
	}
	slices.SortFunc(out, func(a, b annotate.ItemKey) int {
		return annotate.ItemPlace{Hash: q.Rule.DrawHash(a)}.Compare(annotate.ItemPlace{Hash: q.Rule.DrawHash(b)})
	})
	return out
}

// A queue that is stored as answers came is offered by its draw hash.
func TestOfferedByHash(t *testing.T) {
	q := grownQueue()
	s, err := New(Opening{Queue: q, Annotator: "ann", Items: itemsOf(0, 30)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range byHash(&q, 30) {
		index, k, ok := s.Walk.Current()
		if !ok || k != want || keyOf(index) != k {
			t.Fatalf("step %d: item %s selected, want %s", i, k, want)
		}
		s.LabelAndAdvance(pick("A"), 0)
	}
	if s.Walk.CountOpen() != 0 {
		t.Errorf("%d are open", s.Walk.CountOpen())
	}
}

// Whatever was enrolled, labelled, passed over, put off or taken back, the next
// item is the open one with the smallest hash, and what is in front stays there
// when the queue grows.
func TestNextIsTheSmallestOpenHash(t *testing.T) {
	for seed := range uint64(40) {
		r, q, n := rand.New(rand.NewPCG(seed, 9)), grownQueue(), 5
		s, err := New(Opening{Queue: q, Annotator: "ann", Items: itemsOf(0, n)})
		if err != nil {
			t.Fatal(err)
		}
		for step := range 80 {
			if r.IntN(3) == 0 && len(s.Walk.outlook.found) == 0 {
				s.Walk.UpcomingIndices(1)
			}
			_, front, had := s.Walk.Current()
			moved := false
			switch r.IntN(6) {
			case 0, 1:
				_, moved = s.LabelAndAdvance(pick("A"), 0)
			case 2:
				_, moved = s.SkipAndAdvance(0)
			case 3:
				s.Undo()
			case 4:
				s.Walk.ShowPosition(r.IntN(s.Walk.Len() + 1))
			case 5:
				more := n + 1 + r.IntN(3)
				s.AddItems(itemsOf(n, more))
				n = more
				if _, k, _ := s.Walk.Current(); had && k != front {
					t.Fatalf("seed %d, step %d: %s came selected of %s", seed, step, k, front)
				}
			}
			if !moved {
				continue
			}
			_, got, ok := s.Walk.Current()
			for _, k := range byHash(&q, n) {
				if s.Own.isUnanswered(k) {
					if !ok || got != k {
						t.Fatalf("seed %d, step %d: %s selected, want %s", seed, step, got, k)
					}
					break
				}
			}
		}
	}
}

// What Draw has put in order, what people differ on most, and pairs stay in the
// order in which they are stored.
func TestStoredOrderStays(t *testing.T) {
	rules := []annotate.Rule{
		{From: annotate.FromAll, Number: 9},
		{From: annotate.FromAll, PerLevel: 2, Level: 1},
		{From: annotate.FromDisagreements, Order: annotate.ByDisagreement, Rate: 0.5},
		{From: annotate.FromPairs, Rate: 0.5},
	}
	for _, rule := range rules {
		q := annotate.Queue{Name: "q", Overlap: 1, Stratum: annotate.Random, Rule: rule}
		s, err := New(Opening{Queue: q, Annotator: "ann", Items: itemsOf(0, 9)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 9 {
			at(t, s, i)
			s.LabelAndAdvance(pick("A"), 0)
		}
	}
}

// An item with fewer labels than the queue wants is open while somebody could
// give it one.
func TestOpenItems(t *testing.T) {
	q := annotate.Queue{Name: "q", Overlap: 2, Stratum: annotate.Random}
	state := func(labelled, skipped []int) annotate.State {
		st := annotate.State{Labels: make(map[annotate.ItemKey]annotate.Label), Skipped: make(map[annotate.ItemKey]bool)}
		for _, i := range labelled {
			st.Labels[keyOf(i)] = annotate.Label{Reading: pick("A")}
		}
		for _, i := range skipped {
			st.Skipped[keyOf(i)] = true
		}
		return st
	}
	check := func(want string, states map[annotate.Annotator]annotate.State) {
		t.Helper()
		turnout, got := annotate.NewLabelTurnout(&q, states), ""
		for i := range 4 {
			if turnout.IsOpen(keyOf(i)) {
				got += "o"
			} else {
				got += "-"
			}
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	check("oooo", nil)
	check("--oo", map[annotate.Annotator]annotate.State{"ann": state([]int{0, 1}, nil)})
	check("-oo-", map[annotate.Annotator]annotate.State{"ann": state([]int{0, 1}, nil), "bob": state([]int{0}, []int{3})})
	check("--oo", map[annotate.Annotator]annotate.State{"ann": state([]int{0, 1}, nil), "bob": state([]int{0}, []int{1})})
	check("--oo", map[annotate.Annotator]annotate.State{"ann": state([]int{0, 1}, nil), "lead": {Rulings: map[annotate.ItemKey]annotate.Ruling{keyOf(0): {}}}})
}
