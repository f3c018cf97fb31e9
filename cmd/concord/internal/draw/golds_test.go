package draw

import (
	"maps"
	"testing"
	"time"

	"concord/annotate"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval"
)

// What two people say blindly is known. A label after the reveal is nobody's
// word on the answer: the item has fewer labels than its queue asks for.
func TestKnownAnswersAreOfBlindLabels(t *testing.T) {
	st := projecttest.New(t)
	ctx := t.Context()
	var items []annotate.QueueItem
	for i := range 2 {
		items = append(items, annotate.QueueItem{Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)})})
	}
	q := annotate.Queue{Name: "from", Overlap: 2, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll}}
	if err := st.Queues().CreateQueue(ctx, q, items); err != nil {
		t.Fatal(err)
	}
	for _, who := range []annotate.Annotator{"ann", "ben"} {
		var acts []annotate.Act
		for i := range items {
			acts = append(acts, annotate.Act{
				Queue: "from", Annotator: who, N: uint32(i + 1), Item: items[i].Key, Kind: annotate.Labelled,
				Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}, Informed: who == "ben" && i == 1, At: time.Unix(1, 0),
			})
		}
		if err := st.Acts().Append(ctx, acts); err != nil {
			t.Fatal(err)
		}
	}
	m := goldSource{
		st: st, queue: &annotate.Queue{Name: "to", Rule: annotate.Rule{Dataset: "d"}}, runs: &facts.RunSet{Runs: []eval.Run{{ID: 1}}},
		known: make(map[annotate.ItemKey]annotate.Reading), skipped: make(map[string]int),
	}
	if err := m.takeGoldFromQueue(ctx, q); err != nil {
		t.Fatal(err)
	}
	if len(m.golds) != 1 || m.golds[0].Key != items[0].Key || !maps.Equal(m.skipped, map[string]int{"fewer labels than asked for": 1}) {
		t.Errorf("known %v, skipped %v", m.golds, m.skipped)
	}
}
