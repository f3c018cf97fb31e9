package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// A refusal of key or address after calls got through is asked again, since a
// gateway may have made it; some in a row end the run, as does one at its begin.
func TestRefusalsMidway(t *testing.T) {
	check := func(refused func(n int) bool, status, most int, ends bool) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Int64
			m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
				if i := int(n.Add(1)); refused(i) {
					return "", &eval.Failure{Kind: eval.FailureConfiguration, Status: status, Message: "refused"}
				}
				return string(r.Shown.Answer), nil
			})
			s := newShelf(questions(100)...)
			p := plan(s, m)
			p.Run.Config.Strategy = eval.Vanilla
			p.Retry = engine.Retry{Max: 4, Base: time.Second}
			err := start(t, p).Run(t.Context())
			if (err != nil) != ends || m.total > most || s.counts().Failures > 0 {
				t.Errorf("status %d: %v after %d calls, %+v", status, err, m.total, s.counts())
			}
			if !ends && s.counts().Predictions != 100 {
				t.Errorf("status %d: %+v", status, s.counts())
			}
		})
	}
	check(func(n int) bool { return n%5 == 0 }, 401, 130, false)
	check(func(n int) bool { return n%5 == 0 }, 302, 130, false)
	check(func(n int) bool { return n > 50 }, 401, 66, true)
	check(func(n int) bool { return n > 50 }, 402, 66, true)
	check(func(n int) bool { return n == 51 }, 429, 66, true) // no credit left
	check(func(n int) bool { return n == 1 }, 401, 1, true)
}
