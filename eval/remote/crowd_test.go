package remote

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"concord/eval"
	"concord/eval/engine"
)

// ledger is a source and a recorder in memory, which counts what is recorded twice.
type ledger struct {
	samples int
	mu      sync.Mutex
	facts   map[eval.Key]int
}

func (l *ledger) Questions(context.Context, eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for i := range l.samples {
			s := eval.Sample{Ordinal: eval.Ordinal(i), ID: eval.SampleID(strconv.Itoa(i)), Kind: eval.KindOpen, Question: fmt.Sprint("question ", i)}
			if !yield(eval.Question{Sample: s}, nil) {
				return
			}
		}
	}
}

func (l *ledger) Record(_ context.Context, f eval.Fact) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.facts[f.Prediction.Key]++; l.facts[f.Prediction.Key] > 1 {
		return eval.ErrRecorded
	}
	return nil
}

// unread reads nothing.
type unread struct{}

func (unread) Name() string                                              { return "unread" }
func (unread) Version() string                                           { return "1" }
func (unread) Read(eval.Kind, []eval.Option, string) (e eval.Extraction) { return e }

// A hundred workers crash, answer over slow links, give results twice and fail now and
// then: the real engine has every question answered, and none stored twice.
func TestACrowdOfWorkers(t *testing.T) {
	questions, crowd, crashes := 1500, 25, 8
	if n, err := strconv.Atoi(os.Getenv("CONCORD_WORKERS")); err == nil {
		questions, crowd, crashes = n, 100, 30
	} else if testing.Short() {
		t.Skip("takes as long as calls of a crash are away; CONCORD_WORKERS=20000 for a hundred workers")
	}
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	l := &ledger{samples: questions, facts: make(map[eval.Key]int)}
	calls, doubled := make([]atomic.Int32, questions), atomic.Int32{}
	answer := func(slow time.Duration) chatter {
		return func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
			var i int
			if _, err := fmt.Sscanf(c.Turns[0].Text, "question %d", &i); err != nil {
				return eval.Reply{}, err
			}
			calls[i].Add(1)
			select {
			case <-ctx.Done():
				return eval.Reply{}, ctx.Err()
			case <-time.After(slow + time.Duration(rand.IntN(30))*time.Millisecond): //nolint:gosec // jitter
			}
			if rand.IntN(50) == 0 { //nolint:gosec // likewise
				return eval.Reply{}, &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
			}
			return eval.Reply{Text: c.Turns[0].Text}, nil
		}
	}
	workers := make([]*atWork, crowd)
	for i := range workers {
		workers[i] = join(t, r.url(), fmt.Sprint("w", i), answer(eval.Either(i%5 == 0, 200*time.Millisecond, 5*time.Millisecond)))
	}
	// Whoever listens gives each fifth result a second time, and one for nothing.
	if _, err := r.nc.Subscribe(r.subject("result"), func(m *nats.Msg) {
		if rand.IntN(5) == 0 { //nolint:gosec // likewise
			doubled.Add(1)
			again := *m
			again.Reply = ""
			r.holder.takeResultOnce(&again)
			r.holder.takeResultOnce(&nats.Msg{Subject: m.Subject, Data: encodeMessage(Result{ID: "none/1"})})
		}
	}); err != nil {
		t.Fatal(err)
	}
	p := engine.Plan{
		Run: eval.Run{ID: 1, Config: eval.Config{Model: "m", Strategy: eval.Vanilla}}, Model: r.model, Reader: unread{}, Source: l, Recorder: Recorder{l, r.holder},
		Total: questions, Workers: r.holder.Workers,
		Terms: engine.Terms{Concurrency: 1, Now: time.Now, Retry: engine.Retry{Max: 8, Base: time.Millisecond, Cap: 10 * time.Millisecond}},
	}
	runner, err := engine.NewRunner(p)
	if err != nil {
		t.Fatal(err)
	}
	r.holder.SetResize(runner.SetConcurrency)
	ended := make(chan error, 1)
	began := time.Now()
	go func() { ended <- runner.Run(t.Context()) }()
	for i := range crashes {
		for l.count() < (i+1)*questions/(crashes+2) {
			time.Sleep(time.Millisecond)
		}
		k := rand.IntN(crowd) //nolint:gosec // likewise
		workers[k].nc.Close() // as kill -9 does
		workers[k].stop()
		workers[k] = join(t, r.url(), fmt.Sprint("again", i), answer(5*time.Millisecond))
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	progress := runner.Progress()
	if progress.State != eval.Done || progress.Counts.Predictions != questions || progress.Counts.Failures != 0 || len(l.facts) != questions {
		t.Errorf("%v: %d predictions, %d failures, %d facts", progress.State, progress.Counts.Predictions, progress.Counts.Failures, len(l.facts))
	}
	for k, n := range l.facts {
		if n != 1 {
			t.Errorf("%v is recorded %d times", k, n)
		}
	}
	made := 0
	for i := range calls {
		made += int(calls[i].Load())
	}
	eventually(t, "nothing is left in the queue", func() bool { return r.waiting() == 0 })
	gave := slices.DeleteFunc(progress.Workers, func(w eval.WorkerProgress) bool { return w.Answered == 0 })
	t.Logf("%d questions by %d workers, of whom %d crashed, in %.1f s: %d calls, %d results given twice; %d workers gave answers",
		questions, crowd, crashes, time.Since(began).Seconds(), made, doubled.Load(), len(gave))
}

// A full disk ends the run, and both ends say why: the call is not acknowledged before.
func TestFullDiskEndsTheRunAtBothEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	w := join(t, r.url(), "w", echo)
	full := Recorder{&stored{err: errors.New("no space left on device")}, r.holder}
	runner, err := engine.NewRunner(engine.Plan{
		Run: eval.Run{ID: 1, Config: eval.Config{Model: "m", Strategy: eval.Vanilla}}, Model: r.model, Reader: unread{},
		Source: &ledger{samples: 2}, Recorder: full, Total: 2, Terms: engine.Terms{Concurrency: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err = runner.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Fatal(err)
	}
	if n := r.waiting(); n == 0 {
		t.Error("a call is acknowledged whose fact is not stored")
	}
	r.holder.Close("the run has ended: "+err.Error(), false)
	for line := range w.lines {
		if strings.Contains(line, "the holder has left") {
			if !strings.Contains(line, "no space left") {
				t.Error(line)
			}
			break
		}
	}
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.facts)
}
