package annotate

import (
	"testing"

	"concord/eval"
)

// The right answer is shown where an open answer is compared with it, and
// nowhere else.
func TestReferenceIsForScores(t *testing.T) {
	open := eval.Sample{ID: "s", Kind: eval.KindOpen, Question: "q", Reference: "r"}
	check := func(s eval.Sample, want string, about ...eval.Prediction) {
		t.Helper()
		it := NewBlindItem(&Queue{Name: "q"}, QueueItem{Key: keyOf(7)}, s, Guide{}, about...)
		if it.Reference != want {
			t.Errorf("%s with %d answers: reference %q, want %q", s.Kind, len(about), it.Reference, want)
		}
	}
	one := eval.Prediction{Text: "a"}
	check(open, "r", one)
	check(open, "")
	check(open, "", one, one)
	open.Reference = " \n"
	check(open, "", one)
	check(eval.Sample{Kind: eval.KindChoice, Answer: "A", Reference: "r"}, "", one)
}

func TestScoresAreLabels(t *testing.T) {
	for n := -1; n <= eval.TopScore+1; n++ {
		if r := scored(n); r.IsComplete() != (n >= 1 && n <= eval.TopScore) {
			t.Errorf("score %d says something: %v", n, r.IsComplete())
		}
	}
	both := scored(4)
	if both.Choice = "A"; both.IsComplete() {
		t.Error("a score with a choice says something")
	}
	check := func(r Reading, want string) {
		t.Helper()
		if r.Word() != want {
			t.Errorf("%+v is %q, want %q", r, r.Word(), want)
		}
	}
	check(scored(4), "4")
	check(picked("A"), "A")
	check(none, "none")
	check(Reading{Kind: SaidAmbiguous, Several: []eval.Choice{"A"}}, "ambiguous")
}
