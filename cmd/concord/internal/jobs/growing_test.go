package jobs

import (
	"path/filepath"
	"testing"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// A growing queue that is made while a run goes on takes up what was recorded
// before, and what will be.
func TestAQueueMadeMeanwhileGrows(t *testing.T) {
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"), store.Options{NoSync: true})
	must(err)
	defer func() { must(st.Close()) }()
	const n = 5
	d := eval.Dataset{Name: "d", Samples: n, Hash: "h"}
	must(st.Datasets().BeginDataset(ctx, d))
	var items []dataset.Item
	for i := range n {
		items = append(items, dataset.Item{Sample: eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(rune('a' + i)), Kind: eval.KindChoice, Question: "Which?", Answer: "A",
			Options: []eval.Option{{Letter: "A", Text: "a horse"}, {Letter: "B", Text: "a boat"}},
		}})
	}
	must(st.Datasets().PutSamples(ctx, "d", items))
	must(st.Datasets().FinishDataset(ctx, d))
	run, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Replayed, Rules: "concord"})
	must(err)
	reader, err := facts.FindRulesOfRun(run)
	must(err)
	rules := eval.ReaderID(reader)

	g, err := NewGrowingQueues(ctx, st, nil)
	must(err)
	record := func(i int) {
		t.Helper()
		must(g.Record(ctx, eval.Fact{
			Prediction: eval.Prediction{Key: eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}, Text: "It could be many things."},
			Reading:    eval.Extraction{Status: eval.Missing}, Reader: rules, Closes: true,
		}))
	}
	holds := func(want int) {
		t.Helper()
		q, err := st.Queues().Queue("q")
		must(err)
		if q.Items != want || q.Population != want || q.Growing == (want == n) {
			t.Errorf("%d items of %d, growing %v; want %d", q.Items, q.Population, q.Growing, want)
		}
	}
	record(0)
	record(1)
	must(st.Queues().CreateQueue(ctx, annotate.Queue{
		Name: "q", Overlap: 1, Stratum: annotate.Random, Growing: true,
		Rule: annotate.Rule{Dataset: "d", Runs: []eval.RunID{run.ID}, From: annotate.FromUnparsable, Rules: rules, Rate: 1},
	}, nil))
	record(2)
	must(g.startNewGrowers(ctx))
	must(g.startNewGrowers(ctx)) // once is enough
	holds(3)
	record(3)
	record(4)
	must(g.Close())
	holds(n)
}
