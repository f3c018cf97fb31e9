package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// slow answers rightly after a second, whatever becomes of ctx.
func slow(_ context.Context, r eval.Request, _ int) (string, error) {
	time.Sleep(time.Second)
	return string(r.Shown.Answer), nil
}

func TestPauseAndResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(slow)
		s := newShelf(questions(5)...)
		r := start(t, plan(s, m))
		if got := r.Progress().State; got != eval.Waiting {
			t.Errorf("state %v, want waiting", got)
		}
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()

		time.Sleep(2500 * time.Millisecond)
		r.Pause()
		p := r.Progress()
		if p.State != eval.Paused || p.InFlight != 3 {
			t.Errorf("at the pause: %+v", p)
		}
		if _, known := p.ETA(); known {
			t.Error("a paused run has a time left")
		}
		time.Sleep(time.Hour)
		at := m.asked()
		if p = r.Progress(); p.InFlight != 0 || p.Counts.Predictions != at || p.State != eval.Paused {
			t.Errorf("after an hour: %+v, %d calls", p, at)
		}
		r.Resume()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if p = r.Progress(); p.State != eval.Done || m.total != 20 || p.CallsLeft != 0 {
			t.Errorf("at the end: %+v, %d calls", p, m.total)
		}
	})
}

func TestPauseBeforeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(slow)
		r := start(t, plan(newShelf(questions(1)...), m))
		r.Pause()
		ended := make(chan error, 1)
		go func() { ended <- r.Run(t.Context()) }()
		synctest.Wait()
		if p := r.Progress(); p.State != eval.Paused || m.asked() != 0 {
			t.Errorf("%+v, %d calls", p, m.asked())
		}
		r.Resume()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestCancelKeepsCallsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(slow)
		s := newShelf(questions(5)...)
		p := plan(s, m)
		r := start(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		time.Sleep(2500 * time.Millisecond)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		// The canary, three, and the three in flight at the cancel.
		if got := r.Progress(); got.State != eval.Cancelled || m.total != 7 || got.Counts != s.counts() || len(s.facts) != m.total {
			t.Errorf("%+v, %d calls, %d facts", got, m.total, len(s.facts))
		}

		// To go on repeats no call, and asks all that is left.
		p.Counts = s.counts()
		r = start(t, p)
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for k, n := range m.calls {
			if n != 1 {
				t.Errorf("%v was asked %d times", k, n)
			}
		}
		if got := r.Progress(); len(s.facts) != 20 || got.Counts != s.counts() || got.Counts.Questions != 5 {
			t.Errorf("%+v, %d facts", got, len(s.facts))
		}
	})
}

func TestCancelAbortsAfterGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(func(ctx context.Context, _ eval.Request, _ int) (string, error) {
			return "", sleepUnlessEarly(ctx, time.Hour)
		})
		s := newShelf(questions(5)...)
		p := plan(s, m)
		p.Retry = engine.Retry{Max: 5, Base: time.Minute}
		p.Grace = 2 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		r := start(t, p)
		if err := r.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(began); took != 3*time.Second || m.total != 1 || len(s.facts) != 0 {
			t.Errorf("took %v, %d calls, %d facts", took, m.total, len(s.facts))
		}
		if got := r.Progress(); got.State != eval.Cancelled || got.InFlight != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestCancelWhileWaitingToRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(func(context.Context, eval.Request, int) (string, error) {
			return "", &eval.Failure{Kind: eval.FailureTransient, Message: "503"}
		})
		s := newShelf(questions(5)...)
		p := plan(s, m)
		p.Retry = engine.Retry{Max: 5, Base: time.Hour}
		ctx, cancel := context.WithCancel(t.Context())
		r := start(t, p)
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		synctest.Wait()
		if got := r.Progress(); got.Retrying != 1 || got.LastFailure != "transient: 503" {
			t.Errorf("%+v", got)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || len(s.facts) != 0 {
			t.Errorf("error %v, %d facts", err, len(s.facts))
		}
	})
}

// A question that an outdated reading had ended is completed once the stored
// answer reads as right.
func TestRescoredQuestionIsCompleted(t *testing.T) {
	s := newShelf(question(4, "B"))
	key := eval.Key{Run: 1}
	s.facts[key] = eval.Fact{Prediction: eval.Prediction{Key: key, Text: "B"}}
	m := newModel(right)
	p := plan(s, m)
	if err := start(t, p).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m.total != 3 || m.calls[key] != 0 {
		t.Errorf("%d calls: %v", m.total, m.calls)
	}
}

func TestProgressNeverBlocksWorkers(t *testing.T) {
	s := newShelf(questions(500)...)
	m := newModel(right)
	p := plan(s, m)
	r := start(t, p)
	if err := r.Run(t.Context()); err != nil { // nobody reads Changed
		t.Fatal(err)
	}
	<-r.ChangeMarks()
	if got := r.Progress(); got.State != eval.Done || got.Counts.Predictions != 2000 || got.Counts.Questions != 500 {
		t.Errorf("the late reader sees %+v", got)
	}
	select {
	case <-r.ChangeMarks():
		t.Error("a second mark without a change")
	default:
	}
}

func TestProgressEstimates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(slow)
		r := start(t, plan(newShelf(questions(30)...), m))
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		time.Sleep(500 * time.Millisecond)
		if p := r.Progress(); p.CallsLeft != 120 {
			t.Errorf("at the start: %d calls left, want 120", p.CallsLeft)
		}
		time.Sleep(20 * time.Second)
		p := r.Progress()
		if p.Rate < 2.7 || p.Rate > 3.3 || p.CallsLeft != 120-p.Counts.Predictions {
			t.Errorf("rate %v, %d left of %d stored", p.Rate, p.CallsLeft, p.Counts.Predictions)
		}
		if left, known := p.ETA(); !known || left < 18*time.Second || left > 24*time.Second {
			t.Errorf("time left %v, %v", left, known)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

func TestRetryWait(t *testing.T) {
	check := func(n int, random float64, want time.Duration) {
		t.Helper()
		y := engine.Retry{Base: time.Second, Cap: 10 * time.Second, Rand: func() float64 { return random }}
		if got := y.DrawDelay(n); got != want {
			t.Errorf("Wait(%d) = %v, want %v", n, got, want)
		}
	}
	check(0, 0, 500*time.Millisecond)
	check(0, 0.5, 750*time.Millisecond)
	check(2, 0, 2*time.Second)
	check(4, 0, 5*time.Second)
	check(400, 0, 5*time.Second)
}

func BenchmarkRunner(b *testing.B) {
	s := newShelf(questions(b.N)...)
	p := plan(s, newModel(right))
	p.Run.Config.Strategy = eval.Vanilla
	p.Concurrency = 64
	r, err := engine.NewRunner(p)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if err := r.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
}
