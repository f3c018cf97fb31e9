package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/store"
)

// newGradeRig gives a project with n samples of four criteria, each with a response.
// The server finds each criterion as its text says.
func newGradeRig(t *testing.T, n int) *rig {
	t.Helper()
	return newSlowGradeRig(t, n, 0)
}

// newSlowGradeRig has a judge that takes that long for a reply.
func newSlowGradeRig(t *testing.T, n int, latency time.Duration) *rig {
	t.Helper()
	r := newRig(t, openaitest.Options{Latency: latency, Answer: func(q *openaitest.Request) openaitest.Response {
		_, behind, _ := strings.Cut(q.Turns[0].Text, " criteria\n")
		if behind == "" {
			_, behind, _ = strings.Cut(q.Turns[0].Text, " criterion\n")
		}
		block, _, _ := strings.Cut(behind, "\n=====")
		var said []string
		for i, line := range strings.Split(block, "\n") {
			_, verdict, _ := strings.Cut(line, "is ")
			switch {
			case verdict == "filtered":
				return openaitest.Response{Fault: openaitest.Filtered}
			case strings.Contains(q.Turns[0].Text, " criterion\n"):
				said = append(said, "So it seems to me.\n"+verdict)
			default:
				said = append(said, fmt.Sprintf("%d: So it seems. => %s", i+1, verdict))
			}
		}
		return openaitest.Response{Text: strings.Join(said, "\n"), Prompt: 50, Completion: 5}
	}})
	r.rubrics(n, "is met")
	r.done("import", "rubrics", r.path(""), "--name", "r")
	return r
}

// rubrics writes the files of n samples, whose last criterion reads so.
func (r *rig) rubrics(n int, last string) {
	r.tb.Helper()
	var answers, criteria strings.Builder
	for i := range n {
		fmt.Fprintf(&answers, "{\"sample\":\"s%d\",\"model\":\"m\",\"question\":\"Number %d?\",\"answer\":\"It is %d.\"}\n", i, i, i)
		fourth := "is met"
		if i < n/5*2 { // a tenth of all criteria
			fourth = last
		}
		fmt.Fprintf(&criteria, "{\"sample\":\"s%d\",\"criteria\":[{\"id\":\"a\",\"text\":\"A is met\",\"weight\":2},{\"id\":\"b\",\"text\":\"B is unmet\",\"weight\":-1},{\"id\":\"c\",\"text\":\"C is met\"},{\"id\":\"d\",\"text\":\"D%d %s\"}]}\n", i, i, fourth)
	}
	r.write("answers.jsonl", answers.String())
	r.write("criteria.jsonl", criteria.String())
}

var gradeArgs = []string{"judge", "criteria", "--dataset", "r", "--model", "m", "--judge", "judge", "--json"}

func (r *rig) grades(args ...string) jobs.GradingSummary {
	r.tb.Helper()
	return decode[jobs.GradingSummary](r.tb, r.done(append(append([]string(nil), gradeArgs...), args...)...))
}

// rubric is what report rubric says of the judge.
func (r *rig) rubric() (value, low, high float64, unread, outdated int) {
	r.tb.Helper()
	type row struct {
		Rater string `json:"rater"`
		Score struct {
			Value float64 `json:"value"`
		} `json:"score"`
		Bounds struct {
			Low, High float64
		} `json:"bounds"`
		Unread   int `json:"unread"`
		Outdated int `json:"outdated"`
	}
	for _, one := range decode[struct{ Rows []row }](r.tb, r.done("report", "rubric", "--dataset", "r", "--json")).Rows {
		if one.Rater == "judge" {
			return one.Score.Value, one.Bounds.Low, one.Bounds.High, one.Unread, one.Outdated
		}
	}
	r.tb.Fatal("no row of the judge")
	return
}

func TestJudgeCriteria(t *testing.T) {
	r := newGradeRig(t, 10)
	if e := r.done(append(gradeArgs, "--estimate")...); !strings.Contains(e, `"questions": 40`) {
		t.Errorf("estimate %s", e)
	}
	s := r.grades()
	if s.State != "done" || s.Wanted != 40 || s.Asked != 40 || s.Stored != 40 || s.Usage.Prompt != 40*50 {
		t.Fatalf("%+v", s)
	}
	if value, low, high, _, _ := r.rubric(); value != 1 || low != 1 || high != 1 {
		t.Errorf("score %v [%v, %v]", value, low, high)
	}
	if again := r.grades(); again.Asked != 0 || again.Stored != 40 {
		t.Errorf("%+v", again)
	}
	if more := r.grades("--repeats", "2"); more.Asked != 40 || more.Wanted != 80 {
		t.Errorf("%+v", more)
	}
	// A criterion that is revised makes its grades outdated; the same command
	// grades it anew. One that the judge cannot say moves no score, but its bounds.
	r.rubrics(10, "is perhaps met")
	r.done("import", "criteria", r.path("criteria.jsonl"), "--dataset", "r")
	if value, _, _, _, outdated := r.rubric(); value != 1 || outdated != 4 {
		t.Errorf("score %v, %d outdated", value, outdated)
	}
	if s = r.grades(); s.Asked != 4 || s.Outdated != 4 || s.Unparsed != 4 || s.Stored != 36 {
		t.Errorf("%+v", s)
	}
	if value, low, high, unread, _ := r.rubric(); value != 1 || low >= 1 || high != 1 || unread != 4 {
		t.Errorf("score %v [%v, %v], %d unread", value, low, high, unread)
	}
	if s = r.grades("--retry-unparsed"); s.Asked != 4 || s.Unparsed != 4 || s.Stored != 36 {
		t.Errorf("%+v", s)
	}
	// Asked otherwise, it is another judge.
	if got := r.ends(cli.ExitFailed, append(gradeArgs, "--per", "sample")...); !strings.Contains(got.err, "Grades of two kinds are never mixed") {
		t.Errorf("%s", got.err)
	}
	for _, want := range []string{"grades of judge on m, r, a call for each criterion: done, 40 of 40 calls", "36 stored, 4 that hold no verdict", "concord report rubric --dataset r"} {
		if text := r.done(gradeArgs[:len(gradeArgs)-1]...); !strings.Contains(text, want) {
			t.Errorf("nothing of %q in:\n%s", want, text)
		}
	}
	if exported := r.done("export", "grades", "--dataset", "r"); !strings.Contains(exported, `"reply":"So it seems to me.\nmet"`) {
		t.Errorf("%s", exported)
	}
}

func TestJudgeCriteriaPerSample(t *testing.T) {
	r := newGradeRig(t, 5)
	s := r.grades("--per", "sample")
	if s.State != "done" || s.Wanted != 5 || s.Asked != 5 || s.Stored != 5 || s.Usage.Prompt != 5*50 {
		t.Fatalf("%+v", s)
	}
	if value, _, _, unread, _ := r.rubric(); value != 1 || unread != 0 {
		t.Errorf("score %v, %d unread", value, unread)
	}
	r.rubrics(5, "is filtered")
	r.done("import", "criteria", r.path("criteria.jsonl"), "--dataset", "r")
	if s = r.grades("--per", "sample"); s.Asked != 2 || s.Failed != 2 || s.Stored != 3 {
		t.Errorf("%+v", s)
	}
	if s = r.grades("--per", "sample", "--retry-failed"); s.Asked != 2 || s.Failed != 2 {
		t.Errorf("%+v", s)
	}
}

// A judge's score is corrected by what people say of some of the responses, and
// the criteria on which they differ are listed for who wrote them.
func TestCorrectedRubric(t *testing.T) {
	r := newGradeRig(t, 30)
	r.grades()
	var rows strings.Builder
	for i := range 12 {
		for _, c := range []string{"a", "b", "c", "d"} {
			verdict := "met" // of b, too, which weighs below zero
			fmt.Fprintf(&rows, "{\"sample\":\"s%d\",\"model\":\"m\",\"criterion\":%q,\"rater\":\"ann\",\"rater_kind\":\"human\",\"verdict\":%q}\n", i, c, verdict)
		}
	}
	fmt.Fprintf(&rows, "{\"sample\":\"s3\",\"model\":\"m\",\"criterion\":\"c\",\"rater\":\"bob\",\"rater_kind\":\"human\",\"verdict\":\"unmet\"}\n")
	r.write("grades.jsonl", rows.String())
	r.done("import", "grades", r.path("grades.jsonl"), "--dataset", "r")
	type figures struct {
		Rater, Name string
		Corrected   *struct {
			Value, Low, High float64
			N                int
			Method           string
		}
		Parts    []figures
		Disputed []struct {
			Sample, Criterion, Author string
			Verdicts                  map[string]int
		}
	}
	for _, one := range decode[struct{ Rows []figures }](t, r.done("report", "rubric", "--dataset", "r", "--corrected", "--disputed", "--json")).Rows {
		switch one.Rater {
		case "judge": // it finds all of them at 1, and people those that they graded at 0.75, but one of whose criteria they tie on
			if c := one.Corrected; c == nil || c.N != 12 || c.Value > 0.76 || c.Value < 0.7 || c.Low > 0.74 || c.High < 0.75 || c.Method != "ppi++" {
				t.Errorf("corrected %+v", c)
			}
		case "people":
			if len(one.Disputed) != 1 || one.Disputed[0].Sample != "s3" || one.Disputed[0].Criterion != "c" || one.Disputed[0].Verdicts["unmet"] != 1 || one.Disputed[0].Author == "" {
				t.Errorf("disputed %+v", one.Disputed)
			}
		default:
			if one.Corrected != nil {
				t.Errorf("%s is corrected", one.Rater)
			}
		}
	}
}

// Calls that go through a batch service give the grades of calls that are made, and
// what failed there stays due.
func TestJudgeCriteriaByBatch(t *testing.T) {
	r := newGradeRig(t, 5)
	batch := func(args ...string) (out struct{ Calls, Skipped int }) {
		return decode[struct{ Calls, Skipped int }](t, r.done(append(append([]string(nil), gradeArgs...), args...)...))
	}
	if out := batch("--repeats", "2", "--batch-export", r.path("calls.jsonl")); out.Calls != 40 || out.Skipped != 0 {
		t.Fatalf("%+v", out)
	}
	results := strings.Split(strings.TrimSpace(r.service("calls.jsonl", openaiLine)), "\n")
	id := strings.Split(results[3], `"`)[7]
	results[3] = openaiLine(id, 500, []byte(`{"error":{"message":"it broke","code":"server_error"}}`))
	results[7] = results[7][:20]
	r.write("results.jsonl", strings.Join(append(results, strings.Replace(results[4], "concord-", "concord-00", 1)), "\n"))
	before, _ := r.server.TotalCalls()
	importing := append(append([]string(nil), gradeArgs...), "--repeats", "2", "--batch-import", r.path("results.jsonl"))
	for range 2 { // a file that is read twice adds nothing
		got := r.concord(importing...)
		if !strings.Contains(got.err, "2 calls without a result") || !strings.Contains(got.err, "line 8") {
			t.Errorf("%+v", got)
		}
	}
	if after, _ := r.server.TotalCalls(); after != before {
		t.Errorf("%d calls were made", after-before)
	}
	if out := batch("--repeats", "2", "--batch-export", r.path("more.jsonl")); out.Calls != 2 {
		t.Errorf("%+v", out)
	}
	r.write("rest.jsonl", r.service("more.jsonl", openaiLine))
	if s := r.grades("--repeats", "2", "--batch-import", r.path("rest.jsonl")); s.Stored != 40 || s.Asked != 2 {
		t.Errorf("%+v", s)
	}
	if value, low, high, unread, _ := r.rubric(); value != 1 || low != 1 || high != 1 || unread != 0 {
		t.Errorf("score %v [%v, %v], %d unread", value, low, high, unread)
	}
}

// A corrected score of enough responses is kept as a report, and names its dataset; an
// adjudicator's verdicts on criteria are exported beside those of others.
func TestRubricIsSavedAndRulingsAreExported(t *testing.T) {
	r := newGradeRig(t, 40)
	r.grades()
	var rows strings.Builder
	for i := range 30 {
		for _, c := range []string{"a", "b", "c", "d"} {
			fmt.Fprintf(&rows, "{\"sample\":\"s%d\",\"model\":\"m\",\"criterion\":%q,\"rater\":\"ann\",\"rater_kind\":\"human\",\"verdict\":\"met\"}\n", i, c)
		}
	}
	r.write("grades.jsonl", rows.String())
	r.done("import", "grades", r.path("grades.jsonl"), "--dataset", "r")
	if got := r.concord("report", "rubric", "--dataset", "r", "--corrected", "--save", "--as", "lea"); got.code != 0 || !strings.Contains(got.err, "saved as report 1") {
		t.Errorf("%+v", got)
	}
	r.done("queue", "create", "q", "--dataset", "r", "--from", "criteria")
	st, err := store.Open(r.path("p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ruling := annotate.Act{
		Queue: "q", Annotator: "cy", N: 1, Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: 2}), Kind: annotate.Ruled, At: time.Now(),
		Reading: annotate.Reading{Kind: annotate.Graded, Grades: []annotate.Grade{{Criterion: "c", Hash: (&criteria.Criterion{Text: "C is met"}).HashText(), Verdict: eval.Unmet}}},
	}
	if err := errors.Join(st.Acts().Append(t.Context(), []annotate.Act{ruling}), st.Close()); err != nil {
		t.Fatal(err)
	}
	var found int
	for line := range strings.Lines(r.done("export", "grades", "--dataset", "r")) {
		if strings.Contains(line, `"rater_kind":"adjudicator"`) {
			found++
			if !strings.Contains(line, `"sample":"s2"`) || !strings.Contains(line, `"rater":"cy"`) || !strings.Contains(line, `"verdict":"unmet"`) {
				t.Error(line)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d rulings", found)
	}
}

// judge criteria is killed between the repeats of a criterion, again and again: no call
// is made twice but the one in flight at a kill, and no grade that was stored is lost.
func TestKilledBetweenRepeatsOfCriteria(t *testing.T) {
	const repeats, wanted = 4, 5 * 4 * 4
	r := newSlowGradeRig(t, 5, 3*time.Millisecond)
	r.patient()
	args := append(append([]string(nil), gradeArgs...), "--repeats", "4", "--concurrency", "1")
	stored := func() map[string]int {
		out := make(map[string]int)
		for line := range strings.Lines(r.done("export", "grades", "--dataset", "r")) {
			g := decode[struct {
				Sample, Criterion string
				Repeat            int
			}](t, line)
			out[g.Sample+g.Criterion]++
		}
		return out
	}
	kills, before, between := 0, 0, 0
	for before < wanted*3/4 && kills < 60 {
		r.kill(args, time.Duration(5+kills%4*10)*time.Millisecond)
		kills++
		now := 0
		for _, n := range stored() {
			if now += n; n < repeats {
				between++
			}
		}
		if total, _ := r.server.TotalCalls(); now < before || now < total-kills {
			t.Fatalf("after kill %d, %d grades are stored: there were %d, and %d calls", kills, now, before, total)
		}
		before = now
	}
	if s := r.grades(args[len(gradeArgs):]...); s.State != "done" || s.Stored != wanted || s.Wanted != wanted {
		t.Errorf("in the end: %+v", s)
	}
	total, each := r.asked("judge")
	if total < wanted || total > wanted+kills || between == 0 {
		t.Errorf("%d calls for %d grades, %d kills, %d criteria between repeats", total, wanted, kills, between)
	}
	for ask, n := range each {
		if n < repeats {
			t.Errorf("asked only %d times: %v", n, ask)
		}
	}
	if all := stored(); len(all) != 5*4 {
		t.Errorf("%d criteria", len(all))
	} else {
		for what, n := range all {
			if n != repeats {
				t.Errorf("%s has %d grades", what, n)
			}
		}
	}
	t.Logf("%d kills: %d calls for %d grades", kills, total, wanted)
}
