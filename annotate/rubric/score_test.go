package rubric

import (
	"testing"

	"concord/annotate/criteria"
	"concord/eval"
)

func criterion(weight float64) criteria.Criterion {
	return criteria.Criterion{Text: "x", Weighted: true, Weight: weight}
}

// sheetOf adds up verdicts on criteria of these weights.
func sheetOf(weights []float64, verdicts ...eval.Verdict) *ScoreSheet {
	s := new(ScoreSheet)
	for i, v := range verdicts {
		c := criterion(weights[i])
		s.AddCriterion(&c, &Said{Graded: eval.Graded{Verdict: v}})
	}
	return s
}

// What was not said moves no score: it is between the bounds, whatever it turns
// out to be.
func TestScores(t *testing.T) {
	for name, c := range map[string]struct {
		weights   []float64
		verdicts  []eval.Verdict
		score     float64
		ok        bool
		low, high float64
	}{
		"all said":          {[]float64{2, 1, 1}, []eval.Verdict{eval.Met, eval.Partial, eval.Unmet}, 0.625, true, 0.625, 0.625},
		"one unable":        {[]float64{2, 1, 1}, []eval.Verdict{eval.Met, eval.Unable, eval.Unmet}, 2. / 3, true, 0.5, 0.75},
		"one unread":        {[]float64{2, 1, 1}, []eval.Verdict{eval.Met, eval.VerdictUnset, eval.Unmet}, 2. / 3, true, 0.5, 0.75},
		"below zero":        {[]float64{2, -3}, []eval.Verdict{eval.Unmet, eval.Met}, -1.5, true, -1.5, -1.5},
		"below zero unread": {[]float64{2, -1}, []eval.Verdict{eval.Met, eval.Unable}, 1, true, 0.5, 1},
		"nothing said":      {[]float64{1, 1}, []eval.Verdict{eval.Unable, eval.VerdictUnset}, 0, false, 0, 1},
		"only below zero":   {[]float64{-1}, []eval.Verdict{eval.Met}, 0, false, 0, 0},
	} {
		s := sheetOf(c.weights, c.verdicts...)
		got, ok := s.Score()
		low, high, _ := s.Bounds()
		if got != c.score || ok != c.ok || low != c.low || high != c.high {
			t.Errorf("%s: %g %v [%g, %g], want %g %v [%g, %g]", name, got, ok, low, high, c.score, c.ok, c.low, c.high)
		}
	}
}

// People come to what more than half of them say, unable among them.
func TestMajority(t *testing.T) {
	said := func(all ...eval.Verdict) (out []eval.Graded) {
		for _, v := range all {
			out = append(out, eval.Graded{Verdict: v, Label: "l"})
		}
		return out
	}
	for name, c := range map[string]struct {
		all  []eval.Graded
		want Said
	}{
		"nobody":     {nil, Said{}},
		"one":        {said(eval.Partial), Said{Graded: eval.Graded{Verdict: eval.Partial}}},
		"two of two": {said(eval.Met, eval.Met), Said{Graded: eval.Graded{Verdict: eval.Met}}},
		"a tie":      {said(eval.Met, eval.Unmet), Said{Tied: true}},
		"a half":     {said(eval.Met, eval.Met, eval.Unmet, eval.Unable), Said{Tied: true}},
		"unable":     {said(eval.Unable, eval.Unable, eval.Met), Said{Graded: eval.Graded{Verdict: eval.Unable}}},
		"unread":     {said(eval.VerdictUnset, eval.Met), Said{Graded: eval.Graded{Verdict: eval.Met}}},
	} {
		if got := ResolveMajority(c.all); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	two, three := eval.Graded{Verdict: eval.Scored, Score: 2}, eval.Graded{Verdict: eval.Scored, Score: 3}
	if got := ResolveMajority([]eval.Graded{two, three, two}); got.Graded != two {
		t.Errorf("numbers: %+v", got)
	}
}

// Undo brings the verdict before it back, and redo the one that was undone.
func TestFold(t *testing.T) {
	gave := func(n uint32, v eval.Verdict) Act {
		return Act{N: n, Kind: Gave, Criterion: "c", Graded: eval.Graded{Verdict: v}}
	}
	undo := func(n, target uint32) Act { return Act{N: n, Kind: TookBack, Target: target} }
	acts := []Act{gave(1, eval.Met), gave(2, eval.Unmet), undo(3, 2), undo(4, 3)}
	for n, want := range []eval.Verdict{eval.VerdictUnset, eval.Met, eval.Unmet, eval.Met, eval.Unmet} {
		if got := FoldActs(acts[:n])[Subject{Criterion: "c"}].Graded.Verdict; got != want {
			t.Errorf("after %d acts: %s, want %s", n, got, want)
		}
	}
}

// A criterion says what it counts when it is met in part; else that is a half.
func TestPartialCredit(t *testing.T) {
	quarter := 0.25
	for _, c := range []struct {
		credit *float64
		want   float64
	}{{nil, 0.75}, {&quarter, 0.625}, {new(float64), 0.5}} {
		s, one, other := new(ScoreSheet), criterion(1), criterion(1)
		one.Credit = c.credit
		s.AddCriterion(&one, &Said{Graded: eval.Graded{Verdict: eval.Partial}})
		s.AddCriterion(&other, &Said{Graded: eval.Graded{Verdict: eval.Met}})
		if got, ok := s.Score(); !ok || got != c.want {
			t.Errorf("a score of %v, want %v", got, c.want)
		}
	}
}
