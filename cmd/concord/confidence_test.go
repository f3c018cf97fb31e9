package main

import (
	"strings"
	"testing"

	"concord/eval/openai/openaitest"
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
	asking = strings.Replace(asking, "[models.vlm]", "[models.vlm]\nlogprobs = true", 1) // which is for judges
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
