package annotate

import (
	"testing"

	"concord/eval"
)

func gave(n uint32, kind ActKind, grades ...Grade) Act {
	return Act{Queue: "q", Annotator: "ann", N: n, Item: keyOf(1), Kind: kind, Reading: Reading{Kind: Graded, Grades: grades}}
}

// Undo brings back what was said of a criterion before, and of a response that it is
// incomplete.
func TestGradesFold(t *testing.T) {
	a, b := Grade{"a", "h", eval.Met}, Grade{"b", "h", eval.Unmet}
	again := Grade{"a", "h", eval.Unable}
	cs := []Criterion{{Name: "a", Hash: "h"}, {Name: "b", Hash: "h"}}
	acts := []Act{gave(1, GradedOne, a), gave(2, Labelled, a, b), gave(3, Labelled, again, b)}
	check := func(acts []Act, want eval.Verdict, complete, labelled bool) {
		t.Helper()
		st := FoldActs(acts)
		all, ok := SelectGrades(cs, st.Grades[keyOf(1)])
		if _, is := st.Labels[keyOf(1)]; ok != complete || is != labelled || all[0].Verdict != want {
			t.Errorf("%v, complete %v, labelled %v", all, ok, is)
		}
	}
	check(acts, eval.Unable, true, true)
	undo := func(n, target uint32) Act { u := gave(n, TookBack); u.Target = target; return u }
	acts = append(acts, undo(4, 3))
	check(acts, eval.Met, true, true)
	acts = append(acts, undo(5, 2))
	check(acts, eval.Met, false, false)
	if _, ok := SelectGrades([]Criterion{{Name: "a", Hash: "other"}}, FoldActs(acts).Grades[keyOf(1)]); ok {
		t.Error("a verdict on another wording counts")
	}
	st := FoldActs([]Act{gave(1, RuledOne, a)})
	if len(st.Ruled[keyOf(1)]) != 1 || len(st.Grades) != 0 {
		t.Errorf("an adjudicator's verdict is their own grade: %+v", st)
	}
}

func TestContested(t *testing.T) {
	one := Label{Reading: Reading{Kind: Graded, Grades: []Grade{{"a", "h", eval.Met}, {"b", "h", eval.Met}, {"c", "h", eval.Met}}}}
	two := Label{Reading: Reading{Kind: Graded, Grades: []Grade{{"b", "h", eval.Unmet}, {"a", "h", eval.Met}, {"c", "other", eval.Unmet}}}}
	if got := FindContestedCriteria([]Label{one, two}); len(got) != 1 || !got["b"] {
		t.Errorf("contested: %v", got)
	}
	if one.Reading.AnswerName() == two.Reading.AnswerName() || !one.Reading.IsComplete() || (&Reading{Kind: Graded}).IsComplete() {
		t.Error("readings of grades")
	}
}
