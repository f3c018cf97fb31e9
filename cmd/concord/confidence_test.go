package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
	"concord/eval/stat"
)

// A judge whose endpoint gives no log probabilities is told of with what to do, after
// one call, and reads once it is not asked for them any more.
func TestJudgeWithoutLogProbs(t *testing.T) {
	t.Parallel()
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		if _, asked := q.Params()["logprobs"]; asked {
			return openaitest.Response{Fault: openaitest.NoLogProbs}
		}
		return halfUnreadable(q)
	}}, rigRows(8, "")...)
	asking := strings.Replace(r.read("concord.toml"), "[models.judge]", "[models.judge]\nlogprobs = true", 1)
	r.write("concord.toml", asking)
	r.eval("--modality", "text")
	got := r.concord("judge", "--dataset", "d", "--judge", "judge")
	if total, _ := r.asked("judge"); got.code == 0 || total != 1 || !strings.Contains(got.err, "take logprobs out of its section in concord.toml") {
		t.Errorf("%d calls, exit status %d: %s", total, got.code, got.err)
	}
	r.configure("")
	r.done("judge", "--dataset", "d", "--judge", "judge")
	if total, _ := r.asked("judge"); total != 1+4 {
		t.Errorf("%d calls", total)
	}
}

// A judge's confidence comes from its endpoint into the report, whether its replies are
// streamed or not; it is as sure of every fifth reading, which is wrong, as of the others.
func TestConfidenceReport(t *testing.T) {
	t.Parallel()
	const answers = 200
	r := newRig(t, openaitest.Options{Answer: func(q *openaitest.Request) openaitest.Response {
		n, right, wrong := rigAsk(q)
		if n%5 == 0 {
			right = wrong
		}
		return openaitest.Response{Text: right, Sure: 0.7 + float64(n%25)/100}
	}}, rigRows(answers, "")...)
	var rows, labels strings.Builder
	labels.WriteString("sample,annotator,choice\n")
	for i := range answers {
		fmt.Fprintf(&rows, "{\"id\":%d,\"prediction\":\"It could be many things.\"}\n", i)
		fmt.Fprintf(&labels, "%d,ann,%c\n", i, 'A'+i%4)
	}
	r.write("otter.jsonl", rows.String())
	r.done("import", "predictions", r.path("otter.jsonl"), "--dataset", "d", "--model", "otter")
	r.done("queue", "create", "q", "--dataset", "d", "--from", "unparsable", "--overlap", "1")
	r.write("labels.csv", labels.String())
	r.done("import", "labels", r.path("labels.csv"), "--queue", "q")
	r.done("judge", "--dataset", "d", "--judge", "judge2") // which is not asked for it
	doubted := []string{"queue", "create", "doubted", "--dataset", "d", "--from", "all", "--sample", "8", "--order", "confidence"}
	if got := r.concord(doubted...); got.code == 0 || !strings.Contains(got.err, "logprobs = true") {
		t.Errorf("exit status %d: %s", got.code, got.err)
	}
	asking := strings.Replace(r.read("concord.toml"), "[models.judge]", "[models.judge]\nlogprobs = true\nstream = true", 1)
	r.write("concord.toml", asking)
	r.done("judge", "--dataset", "d", "--judge", "judge")
	got := decode[struct {
		Notes []string
		Rows  []struct {
			Judge, Part string
			Confidence  struct{ Value float64 }
			Agreement   struct {
				K, N             int
				Value, Low, High float64
			}
			Error *stat.Estimate `json:"calibration_error"`
			Brier *stat.Estimate
		}
	}](t, r.done("report", "confidence", "--queue", "q", "--json"))
	if len(got.Rows) != 1+10+2 || !strings.Contains(strings.Join(got.Notes, "\n"), "No confidence is known of: judge2.") {
		t.Fatalf("%+v", got)
	}
	all, told, calibrated := got.Rows[0], got.Rows[11], got.Rows[12]
	if all.Part != "all" || all.Agreement.K != 160 || all.Agreement.N != answers || math.Abs(all.Confidence.Value-0.82) > 1e-9 {
		t.Errorf("%+v", all)
	}
	for _, bin := range got.Rows[1:11] {
		if bin.Judge != "judge" || bin.Agreement.N != 20 || bin.Agreement.Low >= bin.Agreement.Value || bin.Error != nil {
			t.Errorf("%+v", bin)
		}
	}
	if n := told.Agreement.N; n < 70 || n > 130 || n != calibrated.Agreement.N || calibrated.Brier.Value > told.Brier.Value+0.02 {
		t.Errorf("held out: %+v, calibrated %+v", told, calibrated)
	}
	r.done(doubted...)
	for _, it := range queueItems(t, r, "doubted") {
		if it.Key.Sample%25 != 0 {
			t.Errorf("%v was drawn, of which the judge is surer", it.Key)
		}
	}
	text := r.done("report", "confidence", "--queue", "q")
	if !strings.Contains(text, "held-out, calibrated") || !strings.Contains(text, "error by chance") {
		t.Error(text)
	}
}
