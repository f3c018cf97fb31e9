package engine_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// torn is a source that breaks off.
type torn struct{ *shelf }

func (s torn) Questions(ctx context.Context, r eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for q, err := range s.shelf.Questions(ctx, r) {
			if q.Sample.Ordinal == 5 {
				err = errors.New("bad record")
			}
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

func TestBrokenSourceEndsTheRun(t *testing.T) {
	s := newShelf(questions(10)...)
	p := plan(s, newModel(right))
	p.Source = torn{s}
	r := start(t, p)
	err := r.Run(t.Context())
	if got := r.Progress(); err == nil || got.State != eval.Failed || !errors.Is(got.Err, err) || got.Counts != s.counts() {
		t.Errorf("%v: %+v", err, got)
	}
}

// A question that cannot be asked, for want of its picture, is no canary: a
// wrong key costs one call all the same.
func TestUnaskedQuestionsAreNoCanary(t *testing.T) {
	s := newShelf(questions(100)...)
	asked := 0
	p := plan(s, newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
		if r.Sample.Ordinal < 10 {
			return "", &eval.Failure{Kind: eval.FailureSample, Message: "no image", Unasked: true}
		}
		asked++ // by one worker at a time
		time.Sleep(time.Millisecond)
		return "", &eval.Failure{Kind: eval.FailureConfiguration, Message: "wrong key"}
	}))
	p.Concurrency = 16
	if err := start(t, p).Run(t.Context()); err == nil || asked != 1 {
		t.Errorf("%d calls, %v", asked, err)
	}
	if c := s.counts(); c.Failures != 40 {
		t.Errorf("stored %+v", c)
	}
}

func TestPlanSaysWhatIsMissing(t *testing.T) {
	s := newShelf()
	for _, spoil := range []func(*engine.Plan){
		func(p *engine.Plan) { p.Run.ID = 0 },
		func(p *engine.Plan) { p.Run.Config.Strategy = eval.StrategyUnset },
		func(p *engine.Plan) { p.Model = nil },
		func(p *engine.Plan) { p.Source = nil },
	} {
		p := plan(s, newModel(right))
		spoil(&p)
		if _, err := engine.NewRunner(p); err == nil {
			t.Errorf("a runner for %+v", p)
		}
	}
}

// Whoever presses keys at random neither loses nor repeats a call.
func TestRandomPausesAndCancels(t *testing.T) {
	s := newShelf(questions(300)...)
	m := newModel(func(_ context.Context, r eval.Request, n int) (string, error) {
		if n == 0 && (int(r.Sample.Ordinal)+int(r.Pass))%7 == 0 {
			return "", &eval.Failure{Kind: eval.FailureTransient, Message: "503"}
		}
		return string(r.Shown.Answer), nil
	})
	random := rand.New(rand.NewPCG(1, 2))
	for session := 0; ; session++ {
		p := plan(s, m)
		p.Concurrency, p.Retry = 8, engine.Retry{Max: 1, Base: time.Microsecond}
		r := start(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = r.Run(ctx) })
		for range random.IntN(20) {
			r.Pause()
			r.Resume()
			time.Sleep(time.Duration(random.IntN(200)) * time.Microsecond)
		}
		if session < 20 {
			cancel()
		}
		wg.Wait()
		cancel()
		if got := r.Progress(); got.Counts != s.counts() || got.InFlight != 0 || got.Retrying != 0 {
			t.Fatalf("session %d: %+v, stored %+v", session, got, s.counts())
		} else if got.State == eval.Done {
			break
		}
	}
	if c := s.counts(); c.Predictions != 1200 || c.Questions != 300 || c.Failures != 0 {
		t.Errorf("stored %+v", c)
	}
	for k := range s.facts {
		// A call that was to be retried when the session ended is made anew.
		if n := m.calls[k]; n < 1 || n > 2 {
			t.Errorf("%v was asked %d times", k, n)
		}
	}
}

// Questions on which an endpoint always fails take up all workers, and hold nothing up:
// they fail, and every other question is answered.
func TestSomeQuestionsAlwaysFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
			time.Sleep(20 * time.Millisecond)
			if r.Sample.Ordinal%10 == 7 {
				return "", &eval.Failure{Kind: eval.FailureTransient, Message: "500"}
			}
			return string(r.Shown.Answer), nil
		})
		s := newShelf(questions(300)...)
		p := plan(s, m)
		p.Run.Config.Strategy = eval.Vanilla
		p.Retry = engine.Retry{Max: 4, Base: time.Second, Cap: 30 * time.Second}
		began := time.Now()
		if err := start(t, p).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if c := s.counts(); c.Failures != 30 || c.Predictions != 300 {
			t.Errorf("%+v", c)
		}
		took := time.Since(began)
		if took > 3*time.Minute {
			t.Errorf("it took %v", took)
		}
		t.Logf("it took %v", took)
	})
}
