package view

import (
	"slices"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// Whose answer an item held is not told while a pair of another queue shows
// the same answer and waits for a vote.
func TestNamesWaitForPairsOfOtherQueues(t *testing.T) {
	w := newVeiledWorld(t, 1, false)
	at := slices.IndexFunc(w.keys, func(k eval.Key) bool { return k.Pass == 0 && k.Run == w.runs[0].ID && !w.asked[k] })
	k := w.keys[at]
	pair := annotate.ItemKey{Key: k, Against: w.runs[1].ID}
	add := func(q annotate.QueueName, from annotate.From, it annotate.ItemKey) {
		w.must(w.st.Queues().CreateQueue(t.Context(), annotate.Queue{
			Name: q, Overlap: 1, Stratum: annotate.Random, Rule: annotate.Rule{Dataset: "d", From: from},
		}, []annotate.QueueItem{{Key: it, Inclusion: 1}}))
	}
	add("labels", annotate.FromAll, annotate.NewItemKey(k))
	add("pairs", annotate.FromPairs, pair)
	act := func(q annotate.QueueName, it annotate.ItemKey, r annotate.Reading) {
		w.must(w.st.Acts().Append(t.Context(), []annotate.Act{{
			Queue: q, Annotator: "eve", N: 1, Item: it, Kind: annotate.Labelled, Reading: r, At: veilClock,
		}}))
	}
	check := func(model string) {
		t.Helper()
		got, err := Reveal{w.st, NewPolicies(w.st), "eve"}.Reveal(t.Context(), "labels", annotate.NewItemKey(k), true)
		w.must(err)
		if got.Model != model || len(got.Readings) == 0 {
			t.Errorf("the model is %q with %d readings, want %q", got.Model, len(got.Readings), model)
		}
	}
	act("labels", annotate.NewItemKey(k), annotate.Reading{Kind: annotate.PickedOption, Choice: "A"})
	check("")
	act("pairs", pair, annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1})
	check("one")
}
