package store

import (
	"testing"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

func voted(who annotate.Annotator, n int, k annotate.ItemKey, v eval.Vote, swapped bool) annotate.Act {
	a := label("q", who, n, k, "")
	a.Reading = annotate.Reading{Kind: annotate.Voted, Vote: v, Swapped: swapped, Criteria: "c"}
	return a
}

// Sides follow the votes that stand, whatever is undone, and a place is a
// place whether a label or a vote took it.
func TestSidesAreBalancedOverPeople(t *testing.T) {
	s := openTest(t, Options{})
	a, ctx := s.Acts(), t.Context()
	k, other := item(1, 0, 0), item(1, 1, 0)
	k.Against, other.Against = 2, 2
	q := annotate.Queue{Name: "q", Overlap: 3, Rule: annotate.Rule{Dataset: "d", From: annotate.FromPairs}}
	must(t, s.Queues().CreateQueue(ctx, q, []annotate.QueueItem{{Key: k}, {Key: other}}))
	act := func(one annotate.Act) { t.Helper(); must(t, a.Append(ctx, []annotate.Act{one})) }
	check := func(places, sides int) {
		t.Helper()
		p, s, err := a.CountLabelsAndSides("q")
		must(t, err)
		if p[k] != places || s[k] != sides || p[other] != 0 || s[other] != 0 {
			t.Errorf("places %v, sides %v; want %d and %d", p, s, places, sides)
		}
	}
	act(voted("ann", 1, k, eval.Answer1, false))
	check(1, -1)
	act(voted("bob", 1, k, eval.Answer2, true))
	check(2, 0)
	act(voted("bob", 2, k, eval.SituationOne, true)) // otherwise: the same side
	check(2, 0)
	act(voted("cy", 1, k, eval.SituationTwo, true))
	check(3, 1)
	wantErr(t, a.Append(ctx, []annotate.Act{voted("dan", 1, k, eval.Answer1, false)}), annotate.ErrTaken)
	undo := label("q", "ann", 2, k, "")
	undo.Kind, undo.Target, undo.Reading = annotate.TookBack, 1, annotate.Reading{}
	act(undo)
	check(2, 2)
	act(voted("dan", 1, k, eval.Answer1, false))
	check(3, 1)
	same(t, got[[]annotate.Act](t)(a.Acts("q", "cy")), []annotate.Act{voted("cy", 1, k, eval.SituationTwo, true)})
}

// A pair comes with both answers, the type that people gave the question, and
// the criteria that stand only where the queue shows them.
func TestAPairComesWithItsCriteria(t *testing.T) {
	s := openTest(t, Options{})
	ctx := t.Context()
	addDataset(t, s, "d", samples(2))
	var runs []eval.RunID
	for _, model := range []string{"m", "anchor"} {
		run := addRun(t, s, model)
		must(t, s.Runs().Record(ctx, fact(key(run.ID, 0, 0), "by "+model, eval.Found)))
		runs = append(runs, run.ID)
	}
	_, err := actOn(t, s, 0, criteria.TypeSet, "ann", func(a *criteria.Act) { a.Type = eval.Compound })
	must(t, err)
	k := annotate.ItemKey{Key: key(runs[0], 0, 0), Against: runs[1]}
	rule := annotate.Rule{Dataset: "d", Runs: runs[:1], From: annotate.FromPairs, Anchor: runs[1]}
	for _, q := range []annotate.Queue{{Name: "with", Rule: rule, Criteria: true}, {Name: "without", Rule: rule}} {
		must(t, s.Queues().CreateQueue(ctx, q, []annotate.QueueItem{{Key: k}}))
	}
	check := func(q annotate.QueueName, text, hash string) {
		t.Helper()
		it := got[annotate.Item](t)(s.Queues().Item(ctx, q, 0))
		if it.Prediction != "by m" || it.Against != "by anchor" || it.Type != eval.Compound || it.Criteria != text || it.Revision != hash {
			t.Errorf("%s: %+v", q, it)
		}
	}
	check("with", "", "") // none are written yet
	_, err = actOn(t, s, 0, criteria.Drafted, "ann", draft("x"))
	must(t, err)
	check("with", "1. x", criteria.HashCriteria([]criteria.Criterion{{Text: "x"}}))
	check("without", "", "")
}
