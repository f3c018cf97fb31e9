package annotate

import (
	"testing"

	"concord/eval"
)

func TestRuleTakes(t *testing.T) {
	missing := eval.Extraction{Status: eval.Missing}
	check := func(from From, e eval.Extraction, judged string, want bool) {
		t.Helper()
		r := Rule{From: from, Runs: []eval.RunID{2, 1}}
		var choices []eval.Choice
		for _, c := range judged {
			choices = append(choices, eval.Choice(c))
		}
		p := &eval.Prediction{Key: keyOf(0).Key}
		if got := r.IncludesPrediction(p, func() eval.Extraction { return e }, choices); got != want {
			t.Errorf("%s, read %+v, judged %q: %v", from, e, judged, got)
		}
		failed := *p
		failed.Failure = &eval.Failure{Kind: eval.FailureSample}
		foreign := *p
		foreign.Run = 3
		for _, p := range []*eval.Prediction{&failed, &foreign} {
			if r.IncludesPrediction(p, func() eval.Extraction { return e }, choices) {
				t.Errorf("%s takes %+v", from, p)
			}
		}
	}
	check(FromAll, found("A"), "", true)
	check(FromUnparsable, found("A"), "", false)
	check(FromUnparsable, missing, "", true)
	check(FromUnparsable, eval.Extraction{}, "", false)
	check(FromDisagreements, found("A"), "", false)
	check(FromDisagreements, found("A"), "AA", false)
	check(FromDisagreements, found("A"), "AB", true)
	check(FromDisagreements, missing, "x", false) // neither reads one option
	check(FromDisagreements, missing, "A", true)
	check(FromDisagreements, eval.Extraction{}, "A", false)
	check(FromPairs, found("A"), "B", false)
	check(FromUnset, missing, "B", false)
	unread := func() eval.Extraction { t.Error("read in vain"); return missing }
	(&Rule{From: FromAll}).IncludesPrediction(&eval.Prediction{}, unread, nil)
}
