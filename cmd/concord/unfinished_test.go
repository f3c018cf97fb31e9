package main

import (
	"io"
	"strings"
	"testing"

	"concord/eval/dataset"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/store"
)

// An import that stopped half-way leaves a run that is not whole.
func TestQueueOfAnUnfinishedImport(t *testing.T) {
	path := t.TempDir() + "/p.db"
	st, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	d := eval.Dataset{Name: "d", Samples: 1, Hash: "h"}
	must(st.Datasets().BeginDataset(ctx, d))
	must(st.Datasets().PutSamples(ctx, "d", []dataset.Item{{Sample: eval.Sample{
		ID: "1", Kind: eval.KindChoice, Answer: "A", Options: []eval.Option{{Letter: "A", Text: "x"}, {Letter: "B", Text: "y"}},
	}}}))
	must(st.Datasets().FinishDataset(ctx, d))
	run1, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported})
	must(err)
	must(st.Runs().Record(ctx, eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: run1.ID}, Text: "hm"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1"}))
	must(st.Close())

	concord := func(args ...string) (int, string, string) {
		var out, errs strings.Builder
		code := runProgram(ctx, append(args, "-p", path), cli.Streams{In: strings.NewReader(""), Out: &out, Err: io.Writer(&errs)})
		return code, out.String(), errs.String()
	}
	if code, _, errs := concord("queue", "create", "q", "--dataset", "d", "--sample", "1"); code != cli.ExitFailed || !strings.Contains(errs, "run 1 (m) was not imported to the end") {
		t.Errorf("a fixed number: %d, %s", code, errs)
	}
	if code, _, errs := concord("queue", "create", "q", "--dataset", "d"); code != cli.ExitDone || !strings.Contains(errs, "the queue holds what is there now") {
		t.Errorf("all: %d, %s", code, errs)
	}
	if code, out, errs := concord("report", "accuracy"); code != cli.ExitDone || !strings.Contains(out, "was not imported to the end") {
		t.Errorf("report: %d, %s%s", code, out, errs)
	}
}
