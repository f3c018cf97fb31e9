package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// latencies keeps the facts of a run.
type latencies struct {
	ledger
	all []eval.Fact
}

func (l *latencies) Record(ctx context.Context, f eval.Fact) error {
	err := l.ledger.Record(ctx, f)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, f)
	return err
}

// run has the real engine ask so many questions, each of them once and once more.
func (r *rig) run(questions int) (p eval.Progress, facts []eval.Fact) {
	r.t.Helper()
	l := &latencies{ledger: ledger{samples: questions, facts: make(map[eval.Key]int)}}
	runner, err := engine.NewRunner(engine.Plan{
		Run: eval.Run{ID: 1, Config: eval.Config{Model: "m", Strategy: eval.Vanilla}}, Model: r.model, Reader: unread{}, Source: l, Recorder: Recorder{l, r.holder},
		Total: questions, Workers: r.holder.Workers, Terms: engine.Terms{Concurrency: 1, Now: time.Now, Retry: engine.Retry{Max: 1, Base: time.Millisecond}},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.holder.SetResize(runner.SetConcurrency)
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	if err := runner.Run(ctx); err != nil {
		r.t.Fatal(err)
	}
	return runner.Progress(), l.all
}

func (w *atWork) said() string {
	var out strings.Builder
	for len(w.lines) > 0 {
		out.WriteString(<-w.lines + "\n")
	}
	return out.String()
}

// slowly answers after so many milliseconds.
func slowly(ms time.Duration) chatter {
	return func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
		time.Sleep(ms * time.Millisecond)
		return echo(ctx, c)
	}
}

// One of two endpoints gives no answers: its calls go to the other, whichever worker was
// there first, and no question fails.
func TestWorkerWhoseEndpointIsAwayIsSetAside(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]eval.Failure{
		"refused": {Kind: eval.FailureTransient, Message: "connection refused"},
		"page":    {Kind: eval.FailureTransient, Message: "a web page", Status: 200, Sign: eval.SignUnusable},
		"key":     {Kind: eval.FailureConfiguration, Message: "bad key", Status: 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "127.0.0.1:0")
			var calls atomic.Int32
			bad := join(t, r.url(), "bad", func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
				if calls.Add(1) == 1 && f.Kind == eval.FailureConfiguration {
					return echo(ctx, c) // else it leaves
				}
				failure := f
				return eval.Reply{}, &failure
			})
			time.AfterFunc(6*time.Second, func() { join(t, r.url(), "good", slowly(5)) })
			began := time.Now()
			p, _ := r.run(300)
			if p.State != eval.Done || p.Counts.Failures != 0 || p.Counts.Predictions != 300 || time.Since(began) > 20*time.Second {
				t.Errorf("%v after %v: %d predictions, %d failures", p.State, time.Since(began), p.Counts.Predictions, p.Counts.Failures)
			}
			if n := calls.Load(); n > 20 {
				t.Errorf("%d calls to an endpoint that gives no answers", n)
			}
			if said := bad.said(); !strings.Contains(said, "its endpoint does not answer ("+f.Message+")") {
				t.Error(said)
			}
			said := strings.Join(r.holder.TakeLines(), "\n")
			if strings.Count(said, "worker bad: its endpoint does not answer ("+f.Message+"); its calls go to others") != 1 || !strings.Contains(said, "calls wait until one does") {
				t.Error(said)
			}
			for _, w := range p.Workers {
				if w.Name == "bad" && (w.State != unheard || w.Failed == 0 || w.Answered > 1) {
					t.Errorf("%+v", w)
				}
			}
		})
	}
}

// The endpoint of the only worker is away for a while: the run waits, and no attempt is used up.
func TestEndpointThatComesBack(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	began, calls := time.Now(), atomic.Int32{}
	w := join(t, r.url(), "w", func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
		if calls.Add(1); time.Since(began) < 5*time.Second {
			return eval.Reply{}, &eval.Failure{Kind: eval.FailureTransient, Message: "connection refused"}
		}
		return echo(ctx, c)
	})
	p, _ := r.run(20)
	if p.Counts.Failures != 0 || p.Counts.Predictions != 20 || p.LastFailure != "" {
		t.Errorf("%+v %s", p.Counts, p.LastFailure)
	}
	if said := w.said(); !strings.Contains(said, "answers again") {
		t.Error(said)
	}
	eventually(t, "the holder says so", func() bool {
		return strings.Contains(strings.Join(r.holder.TakeLines(), "\n"), "worker w: its endpoint answers again")
	})
}

// A question on which every endpoint fails ends as a failure that may pass, soon after its
// attempts.
func TestQuestionThatFailsEverywhere(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	var mu sync.Mutex
	calls := 0
	f := func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
		if c.Turns[0].Text == "question 7" {
			mu.Lock()
			defer mu.Unlock()
			calls++
			return eval.Reply{}, &eval.Failure{Kind: eval.FailureTransient, Status: 500, Message: "broken"}
		}
		return slowly(5)(ctx, c)
	}
	join(t, r.url(), "a", f)
	join(t, r.url(), "b", f)
	began := time.Now()
	p, _ := r.run(200)
	if p.Counts.Failures != 1 || p.Counts.Predictions != 200 || calls > 8 || time.Since(began) > 20*time.Second {
		t.Errorf("%d failures of %d, %d calls, %v", p.Counts.Failures, p.Counts.Predictions, calls, time.Since(began))
	}
}

// What a fact says of a call's time is the worker's measure, without the wait for a worker.
func TestLatencyIsTheWorkers(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	time.AfterFunc(2*time.Second, func() { join(t, r.url(), "w", slowly(30)) })
	_, facts := r.run(3)
	for _, f := range facts {
		if l := f.Prediction.Latency; l < 30*time.Millisecond || l > time.Second {
			t.Errorf("%v: %v", f.Prediction.Key, l)
		}
	}
}

// What a worker gives back as it leaves is out at once: none of its own pulls is given it.
func TestLeavingWorkersCallsAreOutAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	for i := range 5 {
		taken := make(chan bool, 4)
		leaving := join(t, r.url(), fmt.Sprint("leaving", i), func(ctx context.Context, _ eval.Chat) (eval.Reply, error) {
			taken <- true
			<-ctx.Done()
			return eval.Reply{}, ctx.Err()
		})
		replies := make(chan error, 1)
		go func() {
			_, err := r.answer(ask(eval.Ordinal(i), "one"))
			replies <- err
		}()
		<-taken
		leaving.stop()
		if err := <-leaving.ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		began := time.Now()
		next := join(t, r.url(), fmt.Sprint("next", i), echo)
		rec := Recorder{&stored{facts: make(map[eval.Key]int)}, r.holder}
		if err := <-replies; err != nil || time.Since(began) > 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		_ = rec.Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}}})
		next.stop()
		if err := <-next.ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
