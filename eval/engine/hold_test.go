package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
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
		time.Sleep(45 * time.Second)
		at := o.asked()
		p := r.Progress()
		if p.State != eval.Holding || !strings.Contains(p.Why, "ask m") || !strings.Contains(p.Why, "connection refused") || !p.Until.After(time.Now()) {
			t.Errorf("after the fall: %+v", p)
		}
		if _, known := p.ETA(); known {
			t.Error("a run that holds still has a time left")
		}
		// Tries, one at a time: twice a second at first, and then at growing
		// distances: 30 s, 1 min, 2, 4, 8, 10, 10 ...
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
			if n > 5+24 { // its own, and those that tried the endpoint
				t.Errorf("%v was asked %d times", k, n)
			}
		}
		// What ran out of retries waits for the next session.
		p = r.Progress()
		if p.Counts != s.counts() || p.Counts.Predictions != 100 || p.Counts.Failures == 0 || p.Counts.Failures > 6 {
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
		if p := r.Progress(); p.State != eval.Holding || o.asked() > 28 {
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
		j := newJudge("gpt", func(_ context.Context, in eval.JudgeQuestion, _ int) (eval.Extraction, error) {
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

// Replies that are no answer from the first call on mean a wrong address, and
// end the run before anything is stored.
func TestUnusableRepliesEndTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(func(context.Context, eval.Request, int) (string, error) {
			return "", &eval.Failure{Kind: eval.FailureTransient, Sign: eval.SignUnusable, Message: "malformed reply"}
		})
		s := newShelf(questions(3000)...)
		p := plan(s, m)
		p.Concurrency = 64
		p.Retry = engine.Retry{Max: 4, Base: time.Second}
		r := start(t, p)
		err := r.Run(t.Context())
		var f *eval.Failure
		if !errors.As(err, &f) || f.Kind != eval.FailureConfiguration || !strings.Contains(f.Message, "base URL") || !strings.Contains(f.Message, "malformed reply") {
			t.Errorf("error %v", err)
		}
		if m.total > 4 || len(s.facts) != 0 || r.Progress().State != eval.Failed {
			t.Errorf("%d calls, %d facts, %v", m.total, len(s.facts), r.Progress().State)
		}
	})
}

// Once a call got through, replies that are no answer are an outage like any
// other.
func TestUnusableRepliesLaterHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
			time.Sleep(100 * time.Millisecond)
			if d := time.Since(began); d > time.Second && d < time.Minute {
				return "", &eval.Failure{Kind: eval.FailureTransient, Sign: eval.SignUnusable, Message: "a web page"}
			}
			return string(r.Shown.Answer), nil
		})
		s := newShelf(questions(100)...)
		p := plan(s, m)
		p.Run.Config.Strategy = eval.Vanilla
		p.Retry = engine.Retry{Max: 4, Base: time.Second, Cap: time.Second}
		if err := start(t, p).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c := s.counts(); c.Predictions != 100 || c.Failures > 6 {
			t.Errorf("%+v", c)
		}
	})
}

// While some calls get through, no hold lasts ten seconds.
func TestHoldsAreShortWhileCallsGetThrough(t *testing.T) {
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			dice := rand.New(rand.NewPCG(seed, 1))
			var mu sync.Mutex
			m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
				time.Sleep(20 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				if dice.Float64() < 0.6 {
					return "", &eval.Failure{Kind: eval.FailureTransient, Message: "502"}
				}
				return string(r.Shown.Answer), nil
			})
			s := newShelf(questions(300)...)
			p := plan(s, m)
			p.Run.Config.Strategy = eval.Vanilla
			p.Retry = engine.Retry{Max: 4, Base: 100 * time.Millisecond, Cap: time.Second}
			r := start(t, p)
			done := make(chan error, 1)
			go func() { done <- r.Run(t.Context()) }()
			var held, longest time.Duration
			for ended := false; !ended; {
				select {
				case err := <-done:
					ended = true
					if err != nil {
						t.Error(err)
					}
				case <-time.After(100 * time.Millisecond):
					held += 100 * time.Millisecond
					if r.Progress().State != eval.Holding {
						held = 0
					}
					longest = max(longest, held)
				}
			}
			if longest > 10*time.Second {
				t.Errorf("seed %d: held for %v", seed, longest)
			}
		})
	}
}

// A name that does not resolve ends the work where its terms say so, and else
// waits visibly.
func TestUnresolvedName(t *testing.T) {
	check := func(patience, least, most time.Duration) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			m := newModel(func(context.Context, eval.Request, int) (string, error) {
				return "", &eval.Failure{Kind: eval.FailureTransient, Sign: eval.SignUnresolved, Message: "host not found"}
			})
			p := plan(newShelf(questions(10)...), m)
			p.Retry = engine.Retry{Max: 4, Base: time.Second}
			p.Unresolved = patience
			r := start(t, p)
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			began := time.Now()
			go func() {
				time.Sleep(30 * time.Second)
				if p := r.Progress(); p.State != eval.Holding || !strings.Contains(p.Why, "host not found") || p.Until.IsZero() {
					t.Errorf("while it waits: %+v", p)
				}
			}()
			err := r.Run(ctx)
			if took := time.Since(began); took < least || took > most {
				t.Errorf("patience %v: %v after %v", patience, err, took)
			}
			if patience > 0 && (err == nil || !strings.Contains(err.Error(), "no address for 1m0s")) {
				t.Errorf("error %v", err)
			}
		})
	}
	check(time.Minute, time.Minute, 65*time.Second)
	check(0, time.Hour, time.Hour)
}

// What an endpoint asks for is shown, with the time.
func TestRetryAfterIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(func(_ context.Context, r eval.Request, n int) (string, error) {
			if r.Sample.Ordinal == 5 && n == 0 {
				return "", &eval.Failure{Kind: eval.FailureTransient, Message: "429", After: 40 * time.Second}
			}
			if r.Sample.Ordinal > 5 {
				time.Sleep(time.Minute)
			}
			return string(r.Shown.Answer), nil
		})
		p := plan(newShelf(questions(9)...), m)
		p.Run.Config.Strategy = eval.Vanilla
		p.Retry = engine.Retry{Max: 4, Base: time.Second}
		r := start(t, p)
		go func() {
			time.Sleep(10 * time.Second)
			if p := r.Progress(); p.State != eval.Holding || !strings.Contains(p.Why, "asked to wait 40s (429)") || time.Until(p.Until) != 30*time.Second {
				t.Errorf("%+v", p)
			}
		}()
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
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
