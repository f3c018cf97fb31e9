package replay_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/replay"
)

func TestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := replay.Model{
			Answers: func(id eval.SampleID, p eval.Pass) (eval.Reply, bool) {
				return eval.Reply{Text: "B", Finish: "stop"}, id == "7" && p == 1
			},
			Delay: replay.Delay{Fixed: time.Second, Jitter: 100 * time.Millisecond, Seed: 1},
		}
		began := time.Now()
		reply, err := m.Answer(t.Context(), eval.Request{Sample: eval.Sample{ID: "7"}, Pass: 1})
		if err != nil || reply.Text != "B" || reply.Finish != "stop" {
			t.Errorf("reply %+v, %v", reply, err)
		}
		if took := time.Since(began); took != m.Delay.Of("7", 1) {
			t.Errorf("took %v", took)
		}

		_, err = m.Answer(t.Context(), eval.Request{Sample: eval.Sample{ID: "7"}, Pass: 2})
		var f *eval.Failure
		if !errors.As(err, &f) || f.Kind != eval.FailureSample {
			t.Errorf("a missing record gives %v", err)
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err = m.Answer(ctx, eval.Request{Sample: eval.Sample{ID: "7"}, Pass: 1}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cut short: %v", err)
		}
	})
}

func TestDelay(t *testing.T) {
	d := replay.Delay{Fixed: time.Second, Jitter: time.Second, Seed: 3}
	seen := map[time.Duration]bool{}
	for p := range eval.Pass(20) {
		got := d.Of("a", p)
		if got != d.Of("a", p) || got < time.Second || got >= 2*time.Second {
			t.Errorf("delay of pass %d: %v", p, got)
		}
		seen[got] = true
	}
	if len(seen) < 20 {
		t.Errorf("only %d different delays", len(seen))
	}
	if got := (replay.Delay{}).Of("a", 0); got != 0 {
		t.Errorf("zero delay: %v", got)
	}
}
