package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// A rest that one call is asked to take, of minutes or hours, holds up neither
// the others nor the call itself while others get through.
func TestRestWhileCallsGetThrough(t *testing.T) {
	for _, after := range []time.Duration{5 * time.Minute, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(func(_ context.Context, r eval.Request, n int) (string, error) {
				time.Sleep(time.Second)
				if r.Sample.Ordinal%10 == 5 && n == 0 {
					return "", &eval.Failure{Kind: eval.FailureTransient, Message: "429", Status: 429, After: after}
				}
				return string(r.Shown.Answer), nil
			})
			s := newShelf(questions(200)...)
			p := plan(s, m)
			p.Run.Config.Strategy = eval.Vanilla
			p.Retry = engine.Retry{Max: 4, Base: time.Second}
			began := time.Now()
			if err := start(t, p).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(began); d > 3*time.Minute || s.counts().Failures != 0 {
				t.Errorf("after %v: took %v, %+v", after, d, s.counts())
			}
		})
	}
}

// An endpoint whose answers all say nothing is told before they fill a run; one
// that says nothing now and then is not.
func TestEmptyAnswers(t *testing.T) {
	for _, says := range []func(n int) bool{func(int) bool { return false }, func(n int) bool { return n%7 == 6 }} {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
				if says(int(r.Sample.Ordinal)) {
					return string(r.Shown.Answer), nil
				}
				return " ", nil
			})
			s := newShelf(questions(300)...)
			p := plan(s, m)
			p.Run.Config.Strategy = eval.Vanilla
			p.Concurrency = 64
			err := start(t, p).Run(t.Context())
			var f *eval.Failure
			switch {
			case says(6):
				if err != nil || len(s.facts) != 300 {
					t.Errorf("%v, %d facts", err, len(s.facts))
				}
			case !errors.As(err, &f) || f.Kind != eval.FailureConfiguration || !strings.Contains(f.Message, "the first 8 answers say nothing") || m.total != 8:
				t.Errorf("%v after %d calls", err, m.total)
			}
		})
	}
}
