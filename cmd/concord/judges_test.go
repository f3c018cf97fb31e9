package main

import (
	"fmt"
	"strings"
	"testing"

	"concord/cmd/concord/internal/jobs"
	"concord/eval/openai/openaitest"
)

// stepsRow is a row of report steps.
type stepsRow struct {
	Run          int
	Model        string
	Judge        *string
	Step1, Step2 struct{ K, N int }
}

// Several judges read the same predictions, those of a run and those of an
// imported file alike, and report steps has a row of each.
func TestJudgesReadTheSamePredictions(t *testing.T) {
	t.Parallel()
	const questions = 20
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		if q.Model == "judge2" {
			return openaitest.Response{Text: "Z"} // none of the options
		}
		return halfUnreadable(q)
	}}, rigRows(questions, "")...)
	var file strings.Builder
	for i := range questions {
		text := "Hard to say"
		if i%4 == 0 {
			text = string("ABCD"[i%4])
		}
		fmt.Fprintf(&file, `{"id":"%d","prediction":%q}`+"\n", i, text)
	}
	r.write("imported.jsonl", file.String())
	r.done("import", "predictions", r.path("imported.jsonl"), "--dataset", "d", "--model", "elsewhere", "--modality", "text")
	r.eval("--modality", "text", "--judge", "judge")
	for _, judge := range []string{"judge", "judge2", "judge"} {
		got := decode[struct{ Runs []jobs.RunSummary }](t, r.done("judge", "--dataset", "d", "--judge", judge, "--json"))
		if len(got.Runs) != 2 {
			t.Fatalf("%+v", got)
		}
	}
	for judge, want := range map[string]int{"judge": 10 + 15, "judge2": 10 + 15} {
		if total, each := r.asked(judge); total != want {
			t.Errorf("%s was asked %d times about %d questions, want %d", judge, total, len(each), want)
		}
	}
	rows := decode[struct{ Rows []stepsRow }](t, r.done("report", "steps", "--json")).Rows
	check := func(model, judge string, step1, step2, left int) {
		t.Helper()
		for _, row := range rows {
			if row.Model == model && row.Judge != nil && *row.Judge == judge {
				if row.Step1.K != step1 || row.Step2.K != step2 || row.Step2.N != left {
					t.Errorf("%+v", row)
				}
				return
			}
		}
		t.Errorf("no row of %s by %s: %+v", model, judge, rows)
	}
	check("vlm", "judge", 10, 10, 10)
	check("elsewhere", "judge", 5, 15, 15)
	check("vlm", "judge2", 10, 10, 10)
	check("elsewhere", "judge2", 5, 15, 15)
}

// A judge that was asked with other settings in another run is named where a row
// is over both.
func TestAlignmentSaysThatAJudgeWasNotAskedAlike(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: func(*openaitest.Request) openaitest.Response {
		return openaitest.Response{Text: "Hard to say"}
	}}, rigRows(4, "")...)
	r.eval("--modality", "text", "--judge", "judge")
	r.write("concord.toml", strings.Replace(r.read("concord.toml"), "[models.judge]", "[models.judge]\nparams = { temperature = 0.7 }", 1))
	r.eval("--modality", "text", "--judge", "judge", "--new")
	r.done("queue", "create", "q", "--dataset", "d", "--from", "unparsed")
	r.write("labels.csv", "sample,run,annotator,choice\n0,1,ann,none\n0,2,ann,none\n")
	r.concord("import", "labels", r.path("labels.csv"), "--queue", "q")
	notes := decode[struct{ Notes []string }](t, r.done("report", "alignment", "--queue", "q", "--json")).Notes
	if all := strings.Join(notes, "\n"); !strings.Contains(all, `judge was not asked alike: run 1 by params {"temperature":0}; run 2 by params {"temperature":0.7}.`) {
		t.Errorf("notes: %s", all)
	}
}
