package panel

import (
	"errors"
	"iter"
	"math"
	"testing"
	"time"

	"concord/eval"
)

func found(c eval.Choice) eval.Extraction { return eval.Extraction{Status: eval.Found, Choice: c} }

func TestRead(t *testing.T) {
	none, refused := eval.Extraction{Status: eval.None}, eval.Extraction{Status: eval.Refused}
	cases := map[string]struct {
		rule    Rule
		weights []float64
		read    []eval.Extraction
		want    string
	}{
		"two of three":               {Majority, nil, []eval.Extraction{found("A"), found("B"), found("A")}, "A"},
		"half is no majority":        {Majority, nil, []eval.Extraction{found("A"), found("A"), found("B"), found("C")}, "missing"},
		"a tie":                      {Majority, nil, []eval.Extraction{found("A"), found("B")}, "missing"},
		"no option is one class":     {Majority, nil, []eval.Extraction{refused, found("A"), none}, "refused"},
		"all":                        {Unanimous, nil, []eval.Extraction{found("C"), found("C")}, "C"},
		"all but one":                {Unanimous, nil, []eval.Extraction{found("C"), found("C"), found("D")}, "missing"},
		"one who knows against two":  {Weighted, []float64{3, 1, 1}, []eval.Extraction{found("A"), found("B"), found("B")}, "A"},
		"two who know a little more": {Weighted, []float64{3, 2, 2}, []eval.Extraction{found("A"), found("B"), found("B")}, "B"},
		"weights that tie":           {Weighted, []float64{2, 1, 1}, []eval.Extraction{found("A"), found("B"), found("B")}, "missing"},
		"nobody weighs anything":     {Weighted, []float64{0, 0}, []eval.Extraction{found("A"), found("A")}, "missing"},
	}
	for name, c := range cases {
		p := Panel{Name: "p", Judges: make([]string, len(c.read)), Rule: c.rule, Weights: c.weights}
		got := p.CombineByRule(c.read)
		if s := eval.Either(got.IsFound(), string(got.Choice), got.Status.String()); s != c.want || got.IsFound() != (got.Choice != "") {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

func TestWeigh(t *testing.T) {
	if w := WeightOfJudge(90, 100); math.Abs(w-math.Log(90.5/10.5)) > 1e-12 {
		t.Errorf("90 of 100: %g", w)
	}
	if WeightOfJudge(10, 100) != 0 || WeightOfJudge(0, 0) != 0 || math.IsInf(WeightOfJudge(100, 100), 0) {
		t.Errorf("%g %g %g", WeightOfJudge(10, 100), WeightOfJudge(0, 0), WeightOfJudge(100, 100))
	}
}

// TestAddJudgments: a panel reads what all of its judges have read, by the last reading
// of each, and costs nothing.
func TestAddJudgments(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	one := func(judge string, sample eval.Ordinal, choice eval.Choice, failed bool) eval.Judgment {
		at = at.Add(time.Minute)
		j := eval.Judgment{Judge: judge, Key: eval.Key{Run: 1, Sample: sample}, Extraction: found(choice), Call: eval.Call{At: at, Usage: eval.Usage{Prompt: 9}}}
		if failed {
			j.Failure = &eval.Failure{Kind: eval.FailureTransient}
		}
		return j
	}
	facts := []eval.Judgment{
		one("a", 1, "A", false), one("b", 1, "B", false), one("a", 2, "C", false), one("b", 1, "A", false),
		one("b", 1, "", true), one("b", 2, "", true), one("c", 1, "D", false),
	}
	panels := []Panel{{Name: "ab", Judges: []string{"a", "b"}, Rule: Unanimous}}
	got, err := eval.Collect(WithPanelJudgments(all(facts, nil), panels))
	if err != nil || len(got) != len(facts)+1 {
		t.Fatalf("%d judgments, %v", len(got), err)
	}
	j := got[len(facts)]
	if j.Judge != "ab" || j.Sample != 1 || j.Extraction.Choice != "A" || !j.HasReply() || j.Usage != (eval.Usage{}) ||
		!j.At.Equal(facts[3].At) || j.Prompt != "unanimous of a, b" {
		t.Errorf("%+v", j)
	}
	if _, err := eval.Collect(WithPanelJudgments(all(facts, nil), []Panel{{Name: "c", Judges: []string{"a", "b"}, Rule: Majority}})); err == nil {
		t.Error("a panel may have the name of a judge that has read")
	}
	broken := errors.New("broken")
	if _, err := eval.Collect(WithPanelJudgments(all(facts, broken), panels)); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func all(list []eval.Judgment, err error) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		for _, j := range list {
			if !yield(j, nil) {
				return
			}
		}
		if err != nil {
			yield(eval.Judgment{}, err)
		}
	}
}
