package main

import (
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/eval/openai/openaitest"
)

// noAnswers are replies that look like answers and are none.
var noAnswers = []openaitest.Fault{
	openaitest.WebPage, openaitest.PageAsJSON, openaitest.Empty, openaitest.Cut, openaitest.Malformed, openaitest.Gzip,
	openaitest.ShortLength, openaitest.NoContent, openaitest.Choiceless, openaitest.Null, openaitest.ErrorInside,
	openaitest.CodeInside, openaitest.ErrorBeside, openaitest.AfterAges,
}

// sometimesWrong answers a third of the questions wrongly.
func sometimesWrong(q *openaitest.Request) openaitest.Response {
	n, right, wrong := rigAsk(q)
	if n%3 == 0 {
		return openaitest.Response{Text: wrong}
	}
	return openaitest.Response{Text: right}
}

// No reply that is no answer counts as one, whatever share of the calls gets
// one; the same command completes the run, and its figure is that of a clean
// one.
func TestRepliesThatAreNoAnswerCountForNothing(t *testing.T) {
	t.Parallel()
	const questions = 300
	clean := newRig(t, openaitest.Options{Answer: sometimesWrong}, rigRows(questions, "")...)
	clean.eval("--modality", "text", "--concurrency", "8")
	want := clean.accuracy("vanilla").Accuracy
	for _, c := range []struct {
		share   float64
		repeats int
	}{{0.25, 3}, {0.6, 10}} {
		r := newRig(t, openaitest.Options{Answer: sometimesWrong, Faults: openaitest.FaultAtRate(2, c.share, noAnswers...)}, rigRows(questions, "")...)
		repeats := 0
		for ; repeats <= c.repeats; repeats++ {
			got := r.concord("eval", "--dataset", "d", "--model", "vlm", "--json", "--modality", "text", "--concurrency", "8")
			if got.code != cli.ExitDone && !strings.Contains(got.err, "replies is an answer") && !strings.Contains(got.err, "asks on") {
				t.Fatalf("%.2f: exit %d: %s%s", c.share, got.code, got.out, got.err)
			}
			if rows := r.accuracies(); len(rows) == 1 {
				a := rows[0]
				if wrong := a.Accuracy.N - a.Accuracy.K; wrong > want.N-want.K {
					t.Fatalf("%.2f: %d wrong answers of %d, a clean run has %d", c.share, wrong, a.Accuracy.N, want.N-want.K)
				}
				if a.Accuracy == want && a.Pending == 0 {
					break
				}
			}
		}
		if repeats > c.repeats {
			t.Errorf("%.2f: not complete after %d repeats: %+v", c.share, c.repeats, r.accuracies())
		}
		for ask, n := range r.server.CallCounts() {
			if n > (repeats+1)*(1+rigRetries+24) {
				t.Errorf("%.2f: asked %d times: %q", c.share, n, ask.Prompt)
			}
		}
		t.Logf("%.2f: complete after %d repeats", c.share, repeats)
	}
}

// An endpoint that answers nothing usable ends the run at once, and leaves
// nothing behind that counts.
func TestNothingUsableEndsTheRun(t *testing.T) {
	t.Parallel()
	for _, f := range noAnswers[:len(noAnswers)-1] {
		r := newRig(t, openaitest.Options{Answer: rightly, Faults: func(*openaitest.Request) openaitest.Fault { return f }}, rigRows(60, "")...)
		got := r.concord("eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--concurrency", "8")
		if got.code != 1 || !strings.Contains(got.err, "none of the first") || !strings.Contains(got.err, "base URL") {
			t.Errorf("fault %d: exit %d: %s", f, got.code, got.err)
		}
		if n, _ := r.server.TotalCalls(); n > 8 {
			t.Errorf("fault %d: %d calls", f, n)
		}
		for _, a := range r.accuracies() {
			if a.Accuracy.N != 0 {
				t.Errorf("fault %d: %+v", f, a)
			}
		}
	}
}

// accuracies are the rows of report accuracy, none where there is no run yet.
func (r *rig) accuracies() []accuracyRow {
	got := r.concord("report", "accuracy", "--json")
	if got.code != cli.ExitDone {
		return nil
	}
	return decode[struct{ Rows []accuracyRow }](r.tb, got.out).Rows
}

// An outage of the judge is no wrong answer either: what it could not read is
// pending, the command says so, and the same one completes it.
func TestOutageOfTheJudgeCountsForNothing(t *testing.T) {
	t.Parallel()
	down := true
	r := newRig(t, openaitest.Options{
		Answer: func(q *openaitest.Request) openaitest.Response {
			n, right, _ := rigAsk(q)
			switch {
			case q.Model == "judge":
				return openaitest.Response{Text: "A"}
			case n%3 == 0:
				return openaitest.Response{Text: "It is hard to say."}
			}
			return openaitest.Response{Text: right}
		},
		Faults: func(q *openaitest.Request) openaitest.Fault {
			if n, _, _ := rigAsk(q); down && q.Model == "judge" && (n == 15 || n == 27) {
				return openaitest.Crash
			}
			return openaitest.None
		},
	}, rigRows(30, "")...)
	r.eval("--modality", "text")
	got := r.ends(1, "judge", "--dataset", "d", "--judge", "judge")
	if !strings.Contains(got.err, "2 extractions of judge left to an outage") {
		t.Errorf("%s%s", got.out, got.err)
	}
	row := r.accuracy("vanilla", "--judge", "judge")
	if row.Pending != 2 || row.Accuracy.N != 28 {
		t.Errorf("while the judge is down: %+v", row)
	}
	down = false
	r.done("judge", "--dataset", "d", "--judge", "judge")
	if row := r.accuracy("vanilla", "--judge", "judge"); row.Pending != 0 || row.Accuracy.N != 30 {
		t.Errorf("at the end: %+v", row)
	}
}
