package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"concord/eval/openai/openaitest"
)

// killedAtOnce is the concurrency of the run that is killed.
const killedAtOnce = 8

// concord eval is killed at random moments, and started again, until it comes
// to its end: the server counts that only calls in flight at a kill are asked
// again, of the model and of the judge together.
func TestKilledEvalAsksOnlyCallsInFlightAgain(t *testing.T) {
	kills, questions := 50, 1500
	if testing.Short() {
		kills, questions = 5, 200
	}
	r := newRig(t, openaitest.Options{
		Latency: 2 * time.Millisecond, Jitter: 8 * time.Millisecond, Seed: 1, Answer: halfUnreadable,
	}, rigRows(questions, "")...)
	r.patient()
	args := []string{"eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--strategy", "circular", "--judge", "judge", "--concurrency", "8"}
	again := 0
	for i := range kills {
		before := r.server.CallCounts()
		r.kill(args, time.Duration(5+rand.IntN(40))*time.Millisecond)
		repeated := repeats(before, r.server.CallCounts())
		if again += repeated; repeated > killedAtOnce {
			t.Fatalf("after kill %d, %d calls were asked again", i, repeated)
		}
	}
	before := r.server.CallCounts()
	s := r.eval(args[5:]...)
	repeated := repeats(before, r.server.CallCounts())
	if again += repeated; repeated > killedAtOnce {
		t.Errorf("after the last kill, %d calls were asked again", repeated)
	}
	if s.Made || s.State != "done" || s.Questions != questions || s.Predictions != 4*questions || s.Errors != 0 {
		t.Errorf("in the end: %+v", s)
	}
	answered, asked := r.asked("vlm")
	judged, looked := r.asked("judge")
	if len(asked) != 4*questions || len(looked) != s.Missing || s.Judges[0].Judged != s.Missing || s.Found+s.Missing != s.Predictions {
		t.Errorf("%d questions and %d replies were asked about, %+v", len(asked), len(looked), s)
	}
	if more := answered + judged - len(asked) - len(looked); more != again || again > kills*killedAtOnce {
		t.Errorf("%d calls were made again, %d of them counted", more, again)
	}
	if a := r.accuracy("circular", "--judge", "judge"); a.Accuracy.K != questions || a.Accuracy.N != questions || a.Pending != 0 {
		t.Errorf("every answer is right: %+v", a)
	}
	t.Logf("%d kills: %d of %d calls were made again", kills, again, answered+judged)
}

// patient has calls wait: on a busy machine one may be held up for seconds,
// and given up it would be asked again, though not because of a kill.
func (r *rig) patient() {
	r.write("concord.toml", strings.Replace(r.read("concord.toml"), `timeout = "2s"`, `timeout = "1m"`, 1))
}

// kill runs a command and kills it a while after its first call.
func (r *rig) kill(args []string, after time.Duration) {
	r.tb.Helper()
	cmd := r.child(args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	before, _ := r.server.TotalCalls()
	if err := cmd.Start(); err != nil {
		r.tb.Fatal(err)
	}
	ended := make(chan struct{})
	var waited error
	go func() { waited = cmd.Wait(); close(ended) }()
	for total := before; total == before; total, _ = r.server.TotalCalls() {
		select {
		case <-ended:
			r.tb.Fatalf("the child ended before it was killed: %v %s", waited, errs.String())
		case <-time.After(time.Millisecond):
		}
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	<-ended
	// What the killed one asked is counted before the next begins; the server may not
	// have read all of it yet.
	for quiet := 0; quiet < 20; quiet++ {
		if now, _ := r.server.Concurrency(); now > 0 {
			quiet = 0
		}
		time.Sleep(time.Millisecond)
	}
}

// repeats is how many calls of those between two counts had been made before.
func repeats(before, after map[openaitest.Ask]int) int {
	n := 0
	for ask, count := range after {
		if before[ask] > 0 {
			n += count - before[ask]
		} else {
			n += count - 1
		}
	}
	return n
}

// halfUnreadable answers every question rightly, but says it so in every other
// one that no rule reads it; the judge does.
func halfUnreadable(q *openaitest.Request) openaitest.Response {
	n, right, _ := rigAsk(q)
	if q.Model == "vlm" && n%2 == 1 {
		return openaitest.Response{Text: "Hard to say, number " + strings.Repeat("I", n%7)}
	}
	return openaitest.Response{Text: right}
}
