package accuracy

import (
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/reporttest"
	"concord/eval"
	"concord/eval/stat"
)

// A judge's failed call is no reading and undoes none, and what an outage took
// waits; a reply that does not parse is one that did not help.
func TestFailedJudgments(t *testing.T) {
	m := reporttest.New()
	m.AddDataset("d", reporttest.NewABCDSample(0, "A"), reporttest.NewABCDSample(1, "A"), reporttest.NewABCDSample(2, "A"), reporttest.NewABCDSample(3, "A"), reporttest.NewABCDSample(4, "A"))
	run := m.AddRun(eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla, Origin: eval.Imported, Rules: "letters"})
	for o := range eval.Ordinal(5) {
		m.AddResponse(run, o, 0, "hm")
	}
	say := func(judge string, o eval.Ordinal, e eval.Extraction, failure *eval.Failure) {
		m.AllJudgments[run] = append(m.AllJudgments[run], eval.Judgment{
			Key: eval.Key{Run: run, Sample: o}, Judge: judge, Extraction: e, Call: eval.Call{Failure: failure},
		})
	}
	down := &eval.Failure{Kind: eval.FailureTransient}
	say("gpt", 0, eval.Extraction{}, down)
	say("gpt", 0, eval.Extraction{Choice: "A", Status: eval.Found}, nil)
	say("gpt", 1, eval.Extraction{Choice: "A", Status: eval.Found}, nil)
	say("gpt", 1, eval.Extraction{}, down)
	say("gpt", 2, eval.Extraction{Status: eval.Missing}, nil)
	say("gpt", 3, eval.Extraction{}, down)
	say("dead", 3, eval.Extraction{}, down)
	r, err := ReportSteps(t.Context(), m, report.Options{Reader: reporttest.NewReaders("1")})
	if err != nil || len(r.Rows) != 2 {
		t.Fatalf("%d rows, %v", len(r.Rows), err)
	}
	dead, gpt := r.Rows[0].(*StepsRow), r.Rows[1].(*StepsRow)
	if gpt.Step2 != stat.NewRate(2, 4) || gpt.Asked != 3 || gpt.Unparsed != 1 || gpt.Failed != 1 || gpt.Neither != 2 || gpt.Fallback != 0 {
		t.Errorf("%+v", gpt)
	}
	if dead.Step2.Undefined != "every call of the judge failed" || dead.Failed != 1 || dead.Asked != 0 {
		t.Errorf("a judge that never replied: %+v", dead)
	}
	for w, want := range map[report.Which]string{Unparsed: "2.0", Failed: "3.0"} {
		if got := drilled(t, m, gpt, report.Selection{Which: w}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %s", w, got, want)
		}
	}
	if rows := accuracy(t, m, report.Options{Judge: "gpt"}); rows[0].Accuracy != stat.NewRate(2, 4) || rows[0].Pending != 1 {
		t.Errorf("accuracy %+v", rows[0].Accuracy)
	}
}
