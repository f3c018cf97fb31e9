package view

import (
	"errors"
	"strings"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval"
	"concord/tui/newqueue"
)

// The form previews what it will make, a model with several runs is named by
// each, and the queue is the one that the command would make.
func TestTheFormOfLabelsDrawsAsTheCommandDoes(t *testing.T) {
	st := projecttest.New(t)
	ctx := t.Context()
	d := eval.Dataset{Name: "d", Samples: 4}
	if err := st.Datasets().BeginDataset(ctx, d); err != nil {
		t.Fatal(err)
	}
	items := make([]dataset.Item, 4)
	for i := range items {
		items[i].Sample = eval.Sample{
			ID: eval.SampleID(rune('a' + i)), Ordinal: eval.Ordinal(i), Kind: eval.KindChoice, Question: "?", Answer: "A",
			Options: []eval.Option{{Letter: "A", Text: "one"}, {Letter: "B", Text: "two"}},
		}
	}
	if err := errors.Join(st.Datasets().PutSamples(ctx, "d", items), st.Datasets().FinishDataset(ctx, d)); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		run, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "d", Model: "otter", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Rules: "concord", Settings: eval.Settings{Seed: uint64(n)}})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{"A", "B", "hard to tell", "hard to say"} {
			f := eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}, Text: text}}
			if err := st.Runs().Record(ctx, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	e := NewQueue{Project: &project.Project{Env: cli.Env{Now: time.Now}}, Store: st}
	stock, err := e.LoadFormChoices(ctx)
	if err != nil || len(stock.Pools) != 1 || len(stock.Pools[0].Runs) != 2 || stock.Pools[0].Runs[1].Name != "otter (run 2)" {
		t.Fatalf("stock %+v, %v", stock, err)
	}
	o := newqueue.Order{Name: "first", Dataset: "d", Run: 2, From: annotate.FromUnparsable, Overlap: 2, By: "ann"}
	drawn, err := e.PreviewDraw(ctx, o)
	if err != nil || drawn.Items != 2 || drawn.Population != 2 || drawn.Growing {
		t.Errorf("preview %+v, %v", drawn, err)
	}
	if all, err := st.Queues().List(); err != nil || len(all) != 0 {
		t.Fatalf("a preview made %v, %v", all, err)
	}
	said, err := e.CreateQueue(ctx, o)
	if err != nil || said != "queue first: 2 of 2 predictions (unparsed)" {
		t.Errorf("said %q, %v", said, err)
	}
	q, err := st.Queues().Queue("first")
	if err != nil || q.Items != 2 || q.Overlap != 2 || q.By != "ann" || len(q.Rule.Runs) != 1 || q.Rule.Runs[0] != 2 {
		t.Errorf("queue %+v, %v", q, err)
	}
	if _, err := e.CreateQueue(ctx, o); err == nil || !strings.Contains(err.Error(), "choose another name") {
		t.Errorf("made twice: %v", err)
	}
	o.From = annotate.FromDisagreements
	if drawn, err := e.PreviewDraw(ctx, o); err != nil || drawn.Items != 0 {
		t.Errorf("nobody read these answers beside the rules: %+v, %v", drawn, err)
	}
}
