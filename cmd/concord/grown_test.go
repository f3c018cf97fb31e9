package main

import (
	"testing"

	"concord/eval/dataset"

	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

// A run over a dataset that has grown has a question open: it is pending in
// the report, and the same order asks it and nothing else.
func TestRunOfAGrownDatasetHasAnOpenQuestion(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: rightly}, rigRows(3, "")...)
	args := []string{"--modality", "text"}
	r.eval(args...)
	before, _ := r.asked("vlm")
	st, err := store.Open(r.path("p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := st.Datasets().Sample("d", 0)
	if err != nil {
		t.Fatal(err)
	}
	s.ID, s.Question = "0-r1", "What is number 7?"
	if _, err := st.Datasets().AddSample(t.Context(), "d", dataset.Item{Sample: s}); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	strategy := eval.Vanilla.String()
	if row := r.accuracy(strategy); row.Pending != 1 {
		t.Errorf("grown: %+v", row)
	}
	r.eval(args...)
	after, _ := r.asked("vlm")
	if row := r.accuracy(strategy); row.Pending != 0 || row.Accuracy.N != 4 || after != before+1 {
		t.Errorf("asked %d, then %d; %+v", before, after, row)
	}
}
