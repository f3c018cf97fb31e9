package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"concord/annotate"
	"concord/annotate/session"
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
		if n := got[map[annotate.ItemKey]int](t)(a.CountLabels("q"))[k]; n != want {
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
	same(t, got[map[annotate.Annotator]Tally](t)(a.Tallies("q")), map[annotate.Annotator]Tally{
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
	j := session.NewJournal(a, nil)
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
			if err := j.SyncStream(ctx, "q", who); err != nil {
				t.Error(err)
			}
			late[p] = len(j.LateActs("q", who))
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
		for k := range annotate.FoldActs(acts).Labels {
			want[k]++
		}
		for i := range acts {
			if acts[i].Kind == annotate.TooLate {
				refused++
			}
		}
		refused -= late[p]
	}
	same(t, got[map[annotate.ItemKey]int](t)(a.CountLabels("q")), want)
	for k, n := range want {
		if n > overlap {
			t.Errorf("%s has %d labels", k, n)
		}
	}
	if refused != 0 {
		t.Errorf("%d acts came too late without a word", refused)
	}
}

// One more person is let in where the first ones differ, and everybody where
// the answer is known; undo and another answer change the former back.
func TestAnItemTakesWhomItWants(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	a, ctx, k, known := s.Acts(), t.Context(), item(1, 0, 0), item(1, 1, 0)
	q := annotate.Queue{Name: "q", Overlap: 2, Extra: 1, Rule: annotate.Rule{Dataset: "d"}}
	gold := annotate.Gold{Key: known, From: "f", Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}}
	must(t, s.Queues().CreateQueue(ctx, q, []annotate.QueueItem{{Key: k, Inclusion: 1}, {Key: known}}, gold))
	same(t, got[[]annotate.Gold](t)(s.Queues().GoldItems("q")), []annotate.Gold{gold})
	same(t, got[annotate.Queue](t)(s.Queues().Queue("q")).GoldItems, 1)
	say := func(who annotate.Annotator, n int, c eval.Choice) error {
		return a.Append(ctx, []annotate.Act{label("q", who, n, k, c)})
	}
	undo := func(who annotate.Annotator, n, of int) error {
		one := label("q", who, n, k, "")
		one.Kind, one.Reading, one.Target = annotate.TookBack, annotate.Reading{}, uint32(of)
		return a.Append(ctx, []annotate.Act{one})
	}
	must(t, say("ann", 1, "A"))
	must(t, say("bob", 1, "A"))
	wantErr(t, say("cy", 1, "B"), annotate.ErrTaken) // they agree
	must(t, say("bob", 2, "B"))                      // a second thought
	must(t, say("cy", 1, "B"))
	wantErr(t, say("dee", 1, "B"), annotate.ErrTaken) // there is one extra place
	must(t, undo("cy", 2, 1))
	must(t, undo("bob", 3, 2)) // back to A: they agree again
	wantErr(t, say("dee", 1, "B"), annotate.ErrTaken)
	must(t, undo("bob", 4, 3)) // redo
	must(t, say("dee", 1, "C"))
	same(t, got[map[annotate.ItemKey]annotate.Crowd](t)(a.Crowds("q"))[k],
		annotate.Crowd{People: 3, Classes: map[string]int{"A": 1, "B": 1, "C": 1}})
	for i, who := range []annotate.Annotator{"eve", "fay", "gil", "hal"} {
		must(t, a.Append(ctx, []annotate.Act{label("q", who, 1, known, "A")}))
		same(t, got[map[annotate.ItemKey]int](t)(a.CountLabels("q"))[known], i+1)
	}
}
