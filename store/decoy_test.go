package store

import (
	"testing"

	"concord/annotate"
	"concord/eval"
)

// Of a queue with extra people, some items on which the first ones agree are
// offered to them too. What they say there is kept, and counts nowhere.
func TestDecoysCountNowhere(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(40))
	run := addRun(t, s, "m")
	items := make([]annotate.QueueItem, 40)
	for i := range items {
		items[i] = annotate.QueueItem{Key: item(run.ID, i, 0), Inclusion: 1}
	}
	q := annotate.Queue{Name: "q", Stratum: annotate.Random, Overlap: 2, Extra: 2, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Seed: 5}}
	ctx := t.Context()
	must(t, s.Queues().CreateQueue(ctx, q, items))
	n := make(map[annotate.Annotator]int)
	say := func(who annotate.Annotator, i int, c eval.Choice) error {
		err := s.Acts().Append(ctx, []annotate.Act{label("q", who, n[who]+1, item(run.ID, i, 0), c)})
		if err == nil {
			n[who]++
		}
		return err
	}
	for i := range items {
		must(t, say("ann", i, "A"))
		must(t, say("bob", i, []eval.Choice{"A", "B"}[i%2])) // they differ on every second one
	}
	asked := [2]int{}
	for i := range items {
		if err := say("cy", i, "C"); err == nil {
			asked[i%2]++
		}
	}
	if asked[1] != 20 || asked[0] == 0 || asked[0] == 20 {
		t.Fatalf("asked of %d items on which they differ, and of %d on which they agree", asked[1], asked[0])
	}
	acts := got[[]annotate.Act](t)(s.Acts().Acts("q", "cy"))
	same(t, len(annotate.FoldActs(acts).Labels), asked[0]+asked[1])
	for k := range annotate.FoldCountedActs(acts).Labels {
		if k.Sample%2 == 0 {
			t.Errorf("the label on %s counts", k)
		}
	}
	crowds := got[map[annotate.ItemKey]annotate.Crowd](t)(s.Acts().Crowds("q"))
	for i := range items {
		c := crowds[item(run.ID, i, 0)]
		if c.Differs() != (i%2 == 1) || c.People == 3 && i%2 == 0 && c.Classes["C"] > 0 {
			t.Errorf("item %d: %+v", i, c)
		}
	}
	// The second of the extra people is asked of the same ones, and a decoy that
	// is labelled anew stays one.
	second := [2]int{}
	for i := range items {
		if err := say("dee", i, "A"); err == nil {
			second[i%2]++
		}
	}
	same(t, second, asked)
	for i := 0; i < len(items); i += 2 {
		if err := say("cy", i, "D"); err == nil {
			break
		}
	}
	st := annotate.FoldCountedActs(got[[]annotate.Act](t)(s.Acts().Acts("q", "cy")))
	same(t, len(st.Labels), asked[1])
}
