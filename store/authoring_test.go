package store

import (
	"errors"
	"strings"
	"testing"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/criteria"
	"concord/eval"
)

const writtenText = "Question: What is it?\nA: a cat\nB: a dog\nAnswer: B"

func TestWrittenSamples(t *testing.T) {
	s := openTest(t, Options{})
	a := s.Authoring()
	do := func(set authoring.Set, kind criteria.Kind, who annotate.Annotator, text string) (authoring.Set, error) {
		act := set.NewAct(kind, who, clock())
		act.Dataset, act.Text = "mine", text
		return a.Append(t.Context(), act, nil)
	}
	first := got[authoring.Set](t)(do(authoring.Set{}, criteria.Submitted, "ann", writtenText))
	second := got[authoring.Set](t)(do(authoring.Set{}, criteria.Drafted, "bob", "Question: "))
	if first.Acts[0].Sample != 1 || second.Acts[0].Sample != 2 {
		t.Fatalf("numbers %d and %d", first.Acts[0].Sample, second.Acts[0].Sample)
	}
	if _, err := s.Datasets().Dataset("mine"); !errors.Is(err, eval.ErrNotFound) {
		t.Errorf("a dataset before anything is accepted: %v", err)
	}
	_, err := do(first, criteria.Accepted, "ann", "")
	wantErr(t, err, criteria.ErrOwn)
	accepted := got[authoring.Set](t)(do(first, criteria.Accepted, "bob", ""))
	_, err = do(first, criteria.Accepted, "cid", "")
	wantErr(t, err, criteria.ErrConflict)
	ds := got[eval.Dataset](t)(s.Datasets().Dataset("mine"))
	if sample := got[eval.Sample](t)(s.Datasets().SampleByID("mine", "1")); ds.Samples != 1 || !ds.Complete || sample.Answer != "B" || sample.Ordinal != 0 {
		t.Errorf("%+v %+v", ds, sample)
	}

	edited := got[authoring.Set](t)(do(accepted, criteria.Submitted, "bob", strings.Replace(writtenText, "What", "Which", 1)))
	if sample := got[eval.Sample](t)(s.Datasets().SampleByID("mine", "1")); sample.Question != "What is it?" {
		t.Errorf("in review: %s", sample.Question)
	}
	edited = got[authoring.Set](t)(do(edited, criteria.Accepted, "cid", ""))
	if sample := got[eval.Sample](t)(s.Datasets().SampleByID("mine", "1")); sample.Question != "Which is it?" {
		t.Errorf("accepted again: %s", sample.Question)
	}
	run := got[eval.Run](t)(s.Runs().CreateRun(t.Context(), eval.Config{Dataset: "mine", Model: "m", Strategy: eval.Vanilla, Modality: eval.WithImage}))
	must(t, s.Runs().Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: run.ID}, Text: "B"}}))
	if _, err = do(edited, criteria.Submitted, "ann", writtenText); err == nil || !strings.Contains(err.Error(), "run 1 has answered sample 1") {
		t.Errorf("an answered sample is edited: %v", err)
	}

	act := authoring.Act{Dataset: "mine", N: 1, Kind: criteria.Submitted, Who: "ann", Text: writtenText, Model: "m", Original: "other", ID: "1"}
	if _, err = a.Append(t.Context(), act, nil); err == nil || !strings.Contains(err.Error(), "choose another name") {
		t.Errorf("a translation among what was written: %v", err)
	}
	all := got[[]authoring.Set](t)(eval.Collect(a.AllSets(t.Context(), "")))
	if len(all) != 2 || all[0].State != criteria.Approved || len(all[0].Acts) != 4 || all[1].State != criteria.Draft {
		t.Errorf("%+v", all)
	}
}
