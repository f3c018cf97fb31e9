package view

import (
	"context"
	"fmt"
	"testing"

	"concord/annotate"
	"concord/annotate/session"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval"
)

// As MLLM-Bench, App. F.1, has it: of four people who vote on the same pairs
// two see each in one order and two in the other, and whoever comes back sees
// what they saw.
func TestSidesAreBalancedOverSessions(t *testing.T) {
	st := projecttest.New(t)
	ctx := t.Context()
	var items []annotate.QueueItem
	for i := range 40 {
		items = append(items, annotate.QueueItem{Key: annotate.ItemKey{Key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}, Against: 2}})
	}
	q := annotate.Queue{Name: "q", Overlap: 4, Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs, Seed: 3}}
	if err := st.Queues().CreateQueue(ctx, q, items); err != nil {
		t.Fatal(err)
	}
	d := Queue{Store: st, Sync: func(context.Context, annotate.QueueName, annotate.Annotator) error { return nil }}
	open := func(who annotate.Annotator) *session.Session {
		t.Helper()
		o, err := d.Open(ctx, "q", who)
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.New(o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	seen := make(map[annotate.ItemKey]int)
	first := 0
	for p := range 4 {
		who := annotate.Annotator(fmt.Sprint("p", p))
		s := open(who)
		var acts []annotate.Act
		for range items {
			a, ok := s.LabelAndAdvance(annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1}, 0)
			if !ok {
				t.Fatal("nothing to vote on")
			}
			acts = append(acts, a)
			seen[a.Item] += a.Reading.SideBalance()
			if p == 0 && !a.Reading.Swapped {
				first++
			}
		}
		if err := st.Acts().Append(ctx, acts); err != nil {
			t.Fatal(err)
		}
		for again := open(who); len(acts) > 0; acts = acts[1:] {
			if again.IsSwapped(acts[0].Item) != acts[0].Reading.Swapped {
				t.Errorf("%s comes back to %s in the other order", who, acts[0].Item)
			}
		}
	}
	for k, side := range seen {
		if side != 0 {
			t.Errorf("pair %s was seen %+d times more often swapped than not", k, side)
		}
	}
	if first < 8 || first > 32 {
		t.Errorf("the first person saw %d of 40 pairs as drawn", first)
	}
	votes, err := facts.NewSource(st).PeoplesVotes(ctx, "d")
	if err != nil || len(votes) != 160 {
		t.Fatalf("%d votes, %v", len(votes), err)
	}
	shown := make(map[eval.RunID]int)
	for _, v := range votes {
		shown[v.Pair.First]++
	}
	if shown[1] != 80 || shown[2] != 80 {
		t.Errorf("shown first: %v, want 80 of each", shown)
	}
	if none, err := facts.NewSource(st).PeoplesVotes(ctx, "other"); err != nil || len(none) > 0 {
		t.Errorf("%d votes on another dataset, %v", len(none), err)
	}
}
