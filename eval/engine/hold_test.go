package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// outage is an endpoint that does not answer while it is down.
type outage struct {
	*model
	down atomic.Bool
}

func newOutage() *outage {
	o := &outage{}
	o.model = newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
		if o.down.Load() {
			return "", &eval.Failure{Kind: eval.FailureTransient, Message: "connection refused"}
		}
		time.Sleep(time.Second)
		return string(r.Shown.Answer), nil
	})
	return o
}

func outagePlan(s *shelf, o *outage) engine.Plan {
	p := plan(s, o)
	p.Run.Config.Strategy = eval.Vanilla
	p.Retry = engine.Retry{Max: 4, Base: time.Second, Cap: 4 * time.Second}
	return p
}

func TestHoldsBeforeASilentEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutage()
		s := newShelf(questions(100)...)
		r := start(t, outagePlan(s, o))
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		time.Sleep(10500 * time.Millisecond)
		o.down.Store(true)
		time.Sleep(20 * time.Second)
		at := o.asked()
		p := r.Progress()
		if p.State != eval.Holding || !strings.Contains(p.Why, "ask m") || !strings.Contains(p.Why, "connection refused") || !p.Until.After(time.Now()) {
			t.Errorf("after the fall: %+v", p)
		}
		if _, known := p.ETA(); known {
			t.Error("a run that holds still has a time left")
		}
		// Tries at growing distances, one at a time: 30 s, 1 min, 2, 4, 8, 10, 10 ...
		time.Sleep(time.Hour)
		if n := o.asked() - at; n < 8 || n > 10 {
			t.Errorf("%d calls in an hour of silence", n)
		}
		if p = r.Progress(); p.State != eval.Holding || time.Until(p.Until) > 10*time.Minute {
			t.Errorf("after an hour: %+v", p)
		}
		o.down.Store(false)
		time.Sleep(time.Until(p.Until) + 1500*time.Millisecond)
		if p = r.Progress(); p.State != eval.Running || p.Why != "" || !p.Until.IsZero() {
			t.Errorf("after the first answer: %+v", p)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for k, n := range o.calls {
			if n > 5 {
				t.Errorf("%v was asked %d times", k, n)
			}
		}
		// What ran out of retries waits for the next session.
		p = r.Progress()
		if p.Counts != s.counts() || p.Counts.Predictions != 100 || p.Counts.Failures == 0 || p.Counts.Failures > 3 {
			t.Errorf("at the end: %+v", p.Counts)
		}
	})
}

// An endpoint that is down from the start is not asked by every worker first.
func TestHoldsBeforeTheFirstAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutage()
		o.down.Store(true)
		s := newShelf(questions(100)...)
		p := outagePlan(s, o)
		p.Concurrency = 64
		r := start(t, p)
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		time.Sleep(30 * time.Second)
		if p := r.Progress(); p.State != eval.Holding || o.asked() != 4 {
			t.Errorf("%d calls, %+v", o.asked(), p)
		}
		o.down.Store(false)
		if err := <-done; err != nil || s.counts().Failures != 0 {
			t.Errorf("%v, %+v", err, s.counts())
		}
	})
}

func TestPauseAndCancelWhileHolding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := newOutage()
		o.down.Store(true)
		r := start(t, outagePlan(newShelf(questions(100)...), o))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		time.Sleep(time.Minute)
		if p := r.Progress(); p.State != eval.Holding {
			t.Fatalf("%+v", p)
		}
		r.Pause()
		at := o.asked()
		time.Sleep(time.Hour)
		if p := r.Progress(); p.State != eval.Paused || p.Why != "" || o.asked() != at {
			t.Errorf("paused: %+v, %d calls since", p, o.asked()-at)
		}
		r.Resume()
		if p := r.Progress(); p.State != eval.Holding || p.Why == "" {
			t.Errorf("resumed: %+v", p)
		}
		time.Sleep(time.Hour)
		if o.asked() == at {
			t.Error("no try after the pause")
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if p := r.Progress(); p.State != eval.Cancelled || p.Why != "" {
			t.Errorf("cancelled: %+v", p)
		}
	})
}

// A judge that is down holds the run, too; when it is back, nothing is lost.
func TestHoldsBeforeASilentJudge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		j := newJudge("gpt", func(_ context.Context, in eval.Judging, _ int) (eval.Extraction, error) {
			if time.Since(began) < time.Hour {
				return eval.Extraction{}, &eval.Failure{Kind: eval.FailureTransient, Message: "503"}
			}
			return reads("right", in), nil
		})
		s := newShelf(questions(20)...)
		p := judgedBy(s, newModel(muttering), j)
		p.Retry = engine.Retry{Max: 20, Base: time.Second, Cap: time.Second}
		r := start(t, p)
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		time.Sleep(30 * time.Minute)
		if p := r.Progress(); p.State != eval.Holding || !strings.Contains(p.Why, "judge gpt") {
			t.Errorf("%+v", p)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if c := r.Progress().Judges[0].Counts; c.Judged != 80 || c.Failures != 0 || j.asked() > 120 {
			t.Errorf("%+v after %d calls", c, j.asked())
		}
	})
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		check := func(after, took time.Duration, calls int, failed bool) {
			t.Helper()
			m := newModel(func(_ context.Context, r eval.Request, n int) (string, error) {
				if n == 0 {
					return "", &eval.Failure{Kind: eval.FailureTransient, Message: "429", After: after}
				}
				return string(r.Shown.Answer), nil
			})
			s := newShelf(questions(1)...)
			p := plan(s, m)
			p.Run.Config.Strategy = eval.Vanilla
			p.Retry = engine.Retry{Max: 3, Base: time.Second, Rand: func() float64 { return 0 }}
			began := time.Now()
			if err := start(t, p).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(began); d != took || m.total != calls || (s.counts().Failures == 1) != failed {
				t.Errorf("after %v: took %v, %d calls, %+v", after, d, m.total, s.counts())
			}
		}
		check(0, 500*time.Millisecond, 2, false)
		check(20*time.Second, 20*time.Second, 2, false)
		check(10*time.Minute, 10*time.Minute, 2, false)
		check(11*time.Minute, 0, 1, true)
	})
}

// A model that does not listen to its context holds nobody up.
func TestDeafModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
			if r.Sample.Ordinal > 0 {
				<-release
			}
			return string(r.Shown.Answer), nil
		})
		s := newShelf(questions(9)...)
		p := plan(s, m)
		p.Grace = 2 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		r := start(t, p)
		if err := r.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(began); took > 3300*time.Millisecond {
			t.Errorf("took %v", took)
		}
		got := r.Progress()
		close(release)
		synctest.Wait()
		if after := r.Progress(); after.InFlight != 0 || after.State != eval.Cancelled || after.Counts != got.Counts || len(s.facts) != 4 || after.Counts != s.counts() {
			t.Errorf("%+v, later %+v, %d facts", got, after, len(s.facts))
		}
	})
}
