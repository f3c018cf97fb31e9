package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"concord/annotate"
	"concord/eval"
)

func overlapping(t *testing.T, s *Store, overlap, items int) {
	t.Helper()
	q := annotate.Queue{Name: "q", Overlap: overlap, Rule: annotate.Rule{Dataset: "d"}}
	var all []annotate.QueueItem
	for i := range items {
		all = append(all, annotate.QueueItem{Key: item(1, i, 0)})
	}
	must(t, s.Queues().CreateQueue(t.Context(), q, all))
}

func TestAnItemTakesItsOverlap(t *testing.T) {
	s := openTest(t, Options{})
	a, ctx, k := s.Acts(), t.Context(), item(1, 0, 0)
	overlapping(t, s, 2, 2)
	act := func(who annotate.Annotator, n int, kind annotate.ActKind, target uint32) error {
		one := label("q", who, n, k, "A")
		one.Kind, one.Target = kind, target
		return a.Append(ctx, []annotate.Act{one})
	}
	places := func(want int) {
		t.Helper()
		if n := got[map[annotate.ItemKey]int](t)(a.Places("q"))[k]; n != want {
			t.Errorf("%d places are taken, want %d", n, want)
		}
	}
	must(t, act("ann", 1, annotate.Labelled, 0))
	must(t, act("ann", 2, annotate.Labelled, 0)) // otherwise: the same place
	must(t, act("bob", 1, annotate.Labelled, 0))
	places(2)
	must(t, act("cy", 1, annotate.Flagged, 0))
	err := act("cy", 2, annotate.Labelled, 0)
	var taken *annotate.TakenError
	if !errors.Is(err, annotate.ErrTaken) || !errors.As(err, &taken) || taken.N != 2 || taken.Item != k {
		t.Fatalf("a third label: %v", err)
	}
	must(t, act("cy", 2, annotate.TooLate, 0))
	must(t, act("bob", 2, annotate.TookBack, 1)) // frees a place
	places(1)
	must(t, act("cy", 3, annotate.Labelled, 0))
	wantErr(t, act("bob", 3, annotate.TookBack, 2), annotate.ErrTaken) // redo: it is gone
	must(t, act("bob", 3, annotate.TooLate, 2))
	must(t, act("ann", 3, annotate.TookBack, 2)) // the first label stands again
	places(2)
	same(t, got[map[annotate.Annotator]Tally](t)(a.Tally("q")), map[annotate.Annotator]Tally{
		"ann": {Acts: 3, Labelled: 1}, "bob": {Acts: 3}, "cy": {Acts: 3, Labelled: 1, Flagged: 1},
	})
}

// Whatever many people do at once, no item is labelled by more than it takes,
// the counts are what folding gives, and what came too late harms nothing.
func TestPlacesHoldUnderLoad(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	a, ctx := s.Acts(), t.Context()
	const overlap, items = 2, 5
	overlapping(t, s, overlap, items)
	j := annotate.NewJournal(a, nil)
	var wg sync.WaitGroup
	late := make([]int, 6)
	for p := range late {
		who := annotate.Annotator(fmt.Sprint("p", p))
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(p), 1))
			var kinds []annotate.ItemKey
			for n := 1; n <= 60; n++ {
				one := label("q", who, n, item(1, rng.IntN(items), 0), eval.Choice("AB"[rng.IntN(2):][:1]))
				if n > 1 && rng.IntN(2) == 0 {
					one.Kind, one.Target = annotate.TookBack, uint32(1+rng.IntN(n-1))
					one.Item = kinds[one.Target-1]
				}
				kinds = append(kinds, one.Item)
				j.Submit(one)
			}
			if err := j.Sync(ctx, "q", who); err != nil {
				t.Error(err)
			}
			late[p] = len(j.Late("q", who))
		})
	}
	wg.Wait()
	must(t, j.Close(ctx))
	want, refused := make(map[annotate.ItemKey]int), 0
	for p := range late {
		acts := got[[]annotate.Act](t)(a.Acts("q", annotate.Annotator(fmt.Sprint("p", p))))
		if len(acts) != 60 {
			t.Errorf("p%d: %d acts", p, len(acts))
		}
		for k := range annotate.Fold(acts).Labels {
			want[k]++
		}
		for i := range acts {
			if acts[i].Kind == annotate.TooLate {
				refused++
			}
		}
		refused -= late[p]
	}
	same(t, got[map[annotate.ItemKey]int](t)(a.Places("q")), want)
	for k, n := range want {
		if n > overlap {
			t.Errorf("%s has %d labels", k, n)
		}
	}
	if refused != 0 {
		t.Errorf("%d acts came too late without a word", refused)
	}
}
