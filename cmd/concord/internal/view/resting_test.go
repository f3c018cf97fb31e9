package view

import (
	"context"
	"slices"
	"testing"

	"concord/cmd/concord/internal/project"
	"concord/cmd/concord/internal/projecttest"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
	"concord/tui/home"
)

// judgedRun is a run with a judge of its own, which has read an answer.
func judgedRun(t *testing.T) (*store.Store, eval.Run) {
	st := projecttest.New(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(st.Datasets().BeginDataset(ctx, eval.Dataset{Name: "d", Samples: 1, Hash: "h"}))
	r, err := st.Runs().CreateRun(ctx, eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Vanilla, Modality: eval.TextOnly, Origin: eval.Asked,
		Settings: eval.Settings{Judges: []eval.JudgeSetup{{Judge: "j", Params: `{"temperature":0}`}}},
	})
	must(err)
	k := eval.Key{Run: r.ID}
	must(st.Runs().Record(ctx, eval.Fact{
		Prediction: eval.Prediction{Key: k, Text: "hm"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1",
	}))
	must(st.Judgments().RecordJudgment(ctx, eval.Judgment{Key: k, Judge: "j", Extraction: eval.Extraction{Status: eval.None}}, false))
	return st, r
}

// Totals that were counted by another version of the rules are counted anew, on the home
// screen and by concord status.
func TestCountsAreOfTheRulesOfNow(t *testing.T) {
	st, r := judgedRun(t)
	sample := eval.Sample{ID: "1", Question: "q", Kind: eval.KindChoice, Answer: "A", Options: []eval.Option{{Letter: "A", Text: "cat"}, {Letter: "B", Text: "dog"}}}
	if err := st.Datasets().PutSamples(t.Context(), "d", []dataset.Item{{Sample: sample}}); err != nil {
		t.Fatal(err)
	}
	if err := st.Runs().Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: r.ID, Pass: 1}, Text: "A"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1"}); err != nil {
		t.Fatal(err)
	}
	rows, err := Overview{Store: st}.Runs(t.Context())
	if err != nil || len(rows) != 1 || rows[0].Progress.Counts.Reader == "concord@1" || rows[0].Progress.Counts.CountUnparsed() != 1 {
		t.Errorf("rows %+v (%v)", rows, err)
	}
	steps, err := ListSetupSteps(st, nil)
	if err != nil || !slices.ContainsFunc(steps, func(s Step) bool { return s.Said == "1 of 2 unparsed" }) {
		t.Errorf("steps %+v (%v)", steps, err)
	}
}

// Runs that no process works on show what their judges read, too.
func TestJudgesOfARunAtRest(t *testing.T) {
	st, _ := judgedRun(t)
	rows, err := Overview{Store: st}.Runs(t.Context())
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	if js := rows[0].Progress.Judges; len(js) != 1 || js[0].Judge != "j" || js[0].Counts.Judged != 1 {
		t.Errorf("judges %+v", js)
	}
}

// The list of runs does not wait for totals that are of earlier rules: they are shown as they were
// kept, are called so, and are counted in the background.
func TestRunsAreListedBeforeTheyAreCounted(t *testing.T) {
	st, r := judgedRun(t)
	if err := st.Runs().Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: r.ID, Pass: 1}, Text: "A"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "concord@1"}); err != nil {
		t.Fatal(err)
	}
	var begun []func(context.Context)
	done := 0
	o := Overview{Store: st, Recounts: &Recounts{
		Store: st, Start: func(f func(context.Context)) { begun = append(begun, f) }, Done: func() { done++ },
	}}
	look := func(counting bool, reader string) {
		t.Helper()
		rows, err := o.Runs(t.Context())
		if err != nil || len(rows) != 1 || rows[0].Counting != counting || (rows[0].Progress.Counts.Reader == "concord@1") != (reader == "concord@1") {
			t.Errorf("rows %+v (%v)", rows, err)
		}
	}
	look(true, "concord@1")
	look(true, "concord@1") // it is begun once
	if len(begun) != 1 {
		t.Fatalf("begun %d times", len(begun))
	}
	begun[0](t.Context())
	if look(false, ""); done != 1 || len(begun) != 1 {
		t.Errorf("done %d times, begun %d times", done, len(begun))
	}
}

// A run that a command of this process works on is shown as it stands, with who shares it.
func TestRunOfACommandIsShownAtWork(t *testing.T) {
	st, r := judgedRun(t)
	live := new(project.Live)
	live.SetProgressSource(r.ID, func() eval.Progress {
		return eval.Progress{State: eval.Running, Workers: []eval.WorkerProgress{{Name: "w"}}}
	})
	rows, err := Overview{Store: st, Live: live}.Runs(t.Context())
	if err != nil || len(rows) != 1 || !rows[0].Live || home.StateText(rows[0]) != "running" || len(rows[0].Progress.Workers) != 1 {
		t.Errorf("rows %+v (%v)", rows, err)
	}
}
