package store

import (
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/rubric"
	"concord/eval"
)

// What people say of a criterion is bound into their chain, and what a judge
// says once more adds nothing.
func TestGrades(t *testing.T) {
	s := openTest(t, Options{Now: clock})
	addDataset(t, s, "d", samples(3))
	run := addRun(t, s, "m")
	k := eval.Key{Run: run.ID, Sample: 1}
	c := criteria.Criterion{Text: "a"}
	act := func(n uint32, kind rubric.Kind, v eval.Verdict) rubric.Act {
		return rubric.Act{
			Dataset: run.Config.Dataset, Person: "ann", N: n, Kind: kind, Response: k, Criterion: "1", Hash: c.HashText(),
			Graded: eval.Graded{Verdict: v}, At: clock(),
		}
	}
	g := s.Grades()
	first := []rubric.Act{act(1, rubric.Gave, eval.Met), act(2, rubric.Gave, eval.Unmet)}
	must(t, g.Append(t.Context(), first))
	must(t, g.Append(t.Context(), first)) // a lost answer
	wantErr(t, g.Append(t.Context(), []rubric.Act{act(4, rubric.Gave, eval.Met)}), annotate.ErrConflict)
	wantErr(t, g.Append(t.Context(), []rubric.Act{act(3, rubric.Gave, eval.VerdictUnset)}), ErrInvalid)
	lost := act(3, rubric.Gave, eval.Met)
	lost.Response.Sample = 999
	wantErr(t, g.Append(t.Context(), []rubric.Act{lost}), eval.ErrNotFound)
	undo := rubric.Act{Dataset: run.Config.Dataset, Person: "ann", N: 3, Kind: rubric.TookBack, Target: 2, At: clock()}
	must(t, g.Append(t.Context(), []rubric.Act{undo}))
	acts := got[[]rubric.Act](t)(g.ActsOf(run.Config.Dataset, "ann"))
	same(t, len(acts), 3)
	same(t, rubric.FoldActs(acts)[rubric.Subject{Response: k, Criterion: "1"}].Graded.Verdict, eval.Met)
	same(t, len(all(t, g.Acts(t.Context(), run.Config.Dataset))), 3)
	chains, damage, err := s.Acts().CheckChains(t.Context(), nil)
	if err != nil || len(damage) > 0 || len(chains) == 0 {
		t.Errorf("%v, %v, %v", chains, damage, err)
	}
	for _, c := range chains {
		if len(c.Faults) > 0 {
			t.Errorf("%+v", c)
		}
	}

	by := eval.Grade{Key: k, Judge: "j", Criterion: "1", Hash: c.HashText(), Graded: eval.Graded{Verdict: eval.Met}, Raw: "yes", Call: eval.Call{Latency: time.Second, At: clock()}}
	added := func(gs ...eval.Grade) int { return got[int](t)(g.Put(t.Context(), gs)) }
	same(t, added(by), 1)
	same(t, added(by), 0)
	other := by
	other.Verdict, other.Raw = eval.Unmet, "no"
	same(t, added(other), 1)
	same(t, added(by), 1) // it has changed its mind
	grades := all(t, g.All(t.Context(), run.ID))
	same(t, len(grades), 3)
	same(t, grades[1], other)
	by.Run = 999
	_, err = g.Put(t.Context(), []eval.Grade{by})
	wantErr(t, err, eval.ErrNotFound)
}
