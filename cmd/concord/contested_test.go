package main

import (
	"errors"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

// Two people label, a judge reads, and somebody settles: what the screen is
// handed before and after their own word, over a real project.
func TestContestedItemsAreBlindUntilSettled(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{})
	r.write("answers.jsonl", `{"id":"1","question":"Which?","options":{"A":"cat","B":"dog"},"answer":"B","prediction":"hm"}
{"id":"2","question":"Which?","options":{"A":"cat","B":"dog"},"answer":"A","prediction":"hm"}
`)
	r.write("judged.jsonl", `{"sample":"1","judge":"gpt","choice":"B","raw":"the second: B"}
{"sample":"2","judge":"gpt","choice":"A","raw":"A"}
`)
	r.write("labels.csv", "sample,annotator,choice,confidence,reason\n1,ann,A,0.5,it barks\n1,ben,A,,\n2,ann,A,,\n2,ben,A,,\n")
	r.done("import", "predictions", r.path("answers.jsonl"), "--dataset", "p", "--model", "m")
	r.done("queue", "create", "q", "--dataset", "p", "--from", "all", "--overlap", "2")
	r.done("import", "judgments", r.path("judged.jsonl"), "--dataset", "p")
	r.done("import", "labels", r.path("labels.csv"), "--queue", "q")

	st, err := store.Open(r.path("p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	ctx, k := t.Context(), annotate.NewItemKey(eval.Key{Run: 1, Sample: 0})
	source := view.Disagreements{Samples: view.Samples{Source: facts.NewSource(st), Policy: view.NewPolicies(st), Now: time.Now, How: curating.Settings{}}}
	shown := func(who annotate.Annotator) map[eval.SampleID]bool {
		t.Helper()
		legible, err := source.LegiblePredictions(ctx, who, "q")
		if err != nil {
			t.Fatal(err)
		}
		c, err := alignment.CompareQueue(ctx, source, who, legible, alignment.Options{Queue: "q", Rules: []string{"concord"}})
		if err != nil {
			t.Fatal(err)
		}
		out := make(map[eval.SampleID]bool)
		for i := range c.Items {
			out[c.Items[i].Sample] = c.Items[i].Shown
		}
		return out
	}
	if got := shown("ann"); !got["1"] || !got["2"] {
		t.Errorf("who labelled all is shown %v", got)
	}
	if got := shown("cy"); got["1"] {
		t.Errorf("the adjudicator is shown %v before an answer", got)
	}
	if x, err := source.LoadExhibit(ctx, "cy", k); !errors.Is(err, annotate.ErrBlind) || len(x.Labels)+len(x.Readings) > 0 {
		t.Errorf("an exhibit before the answer: %+v, %v", x, err)
	}
	ruling := annotate.Act{
		Queue: "q", Annotator: "cy", N: 1, Item: k, Kind: annotate.Ruled, Cause: annotate.JudgeRight,
		Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: "B"}, At: time.Now(),
	}
	if err := st.Acts().Append(ctx, []annotate.Act{ruling}); err != nil {
		t.Fatal(err)
	}
	source = view.Disagreements{Samples: view.Samples{Source: facts.NewSource(st), Policy: view.NewPolicies(st), Now: time.Now, How: curating.Settings{}}}
	if got := shown("cy"); !got["1"] {
		t.Errorf("the adjudicator is shown %v after it", got)
	}
	x, err := source.LoadExhibit(ctx, "cy", k)
	if err != nil {
		t.Fatal(err)
	}
	if len(x.Labels) != 2 || x.Labels[0].Reason != "it barks" || len(x.Rulings) != 1 || x.Truth != "B" ||
		len(x.Readings) < 2 || !x.Readings[0].Judge || x.Readings[0].Raw != "the second: B" {
		t.Errorf("exhibit %+v", x)
	}
	tally, err := st.Acts().Tallies("q")
	if err != nil || tally["cy"].Labelled != 0 || tally["cy"].Acts != 1 {
		t.Errorf("tally %+v, %v", tally["cy"], err)
	}
	if places, err := st.Acts().CountLabels("q"); err != nil || places[k] != 2 {
		t.Errorf("places %v, %v", places, err)
	}
}
