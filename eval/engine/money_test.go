package engine_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// paid answers with a usage, failed calls too.
type paid struct {
	*model
	usage eval.Usage
}

func (m paid) Answer(ctx context.Context, r eval.Request) (eval.Reply, error) {
	reply, err := m.model.Answer(ctx, r)
	reply.Usage = m.usage
	return reply, err
}

func cost(t *testing.T, p eval.Progress, want float64, priced bool) {
	t.Helper()
	if math.Abs(p.Cost-want) > 1e-9 || p.Priced != priced {
		t.Errorf("cost %v, priced %v; want %v, %v", p.Cost, p.Priced, want, priced)
	}
}

func TestCost(t *testing.T) {
	m := paid{newModel(func(_ context.Context, r eval.Request, n int) (string, error) {
		switch {
		case r.Sample.Ordinal == 0 && n < 2, r.Sample.Ordinal == 1:
			return "", &eval.Failure{Kind: eval.FailureTransient, Message: "503"}
		case r.Sample.Ordinal == 2:
			return "hm", nil
		}
		return string(r.Shown.Answer), nil
	}), eval.Usage{Prompt: 1000, Completion: 100}}
	s := newShelf(questions(4)...)
	j := always("gpt", "right") // 100 and 1 tokens a call
	p := judgedBy(s, m, j)
	p.Run.Config.Strategy = eval.Vanilla
	p.Retry = engine.Retry{Max: 2, Base: time.Microsecond}
	p.Price = eval.Price{Prompt: 1, Completion: 10}                              // 0.002 a call
	p.JudgePrices = map[string]eval.Price{"gpt": {Prompt: 10, Completion: 1000}} // 0.002 a call
	got := finished(t, s, p)
	// Eight calls of the model, of which four left no fact, and one of the judge.
	cost(t, got, 9*0.002, true)
	if want := (eval.Usage{Prompt: 4000, Completion: 400}); got.Counts.Usage != want {
		t.Errorf("usage %+v, want %+v", got.Counts.Usage, want)
	}

	// In another session, what is stored counts, and what left no fact does not.
	p.Counts, p.Judged = got.Counts, got.Judges
	cost(t, start(t, p).Progress(), 5*0.002, true)
	p.JudgePrices = nil
	cost(t, start(t, p).Progress(), 4*0.002, false)
	p.Judges, p.Judged = nil, nil
	cost(t, start(t, p).Progress(), 4*0.002, true)
	p.Price = eval.Price{}
	cost(t, start(t, p).Progress(), 0, false)
}

func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := paid{newModel(slow), eval.Usage{Prompt: 1_000_000}}
		s := newShelf(questions(100)...)
		p := plan(s, m)
		p.Run.Config.Strategy = eval.Vanilla
		p.Price, p.Budget = eval.Price{Prompt: 1}, 10 // a call costs 1
		r := start(t, p)
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		at := func(calls int, state eval.State, why bool) {
			t.Helper()
			time.Sleep(time.Minute)
			got := r.Progress()
			// What is under way when the budget is reached is paid, too.
			if n := m.asked(); n < calls || n > calls+2 || got.State != state || (got.Why != "") != why || got.Counts != s.recount(p) || got.InFlight != 0 {
				t.Errorf("%d calls, want about %d; %+v", n, calls, got)
			}
		}
		at(10, eval.Paused, true)
		r.Resume()
		at(10, eval.Paused, true)
		r.SetBudget(20)
		at(10, eval.Paused, true)
		r.Resume()
		at(20, eval.Paused, true)
		r.SetBudget(0)
		r.Resume()
		if err := <-done; err != nil {
			t.Fatal(err)
		}

		// A run that has cost its budget pauses before the first call.
		p.Counts, p.Budget, p.Total = s.recount(p), 50, 200
		s.samples = append(s.samples, questions(100)...)
		for i := range s.samples {
			s.samples[i].Ordinal = eval.Ordinal(i)
		}
		r = start(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- r.Run(ctx) }()
		at(100, eval.Paused, true)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestFailedOnly(t *testing.T) {
	lost := &eval.Failure{Kind: eval.FailureSample, Message: "content filter"}
	first := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
		switch {
		case r.Sample.Ordinal == 0 && r.Pass == 1:
			return "", lost
		case r.Sample.Ordinal < 3:
			return "hm", nil
		}
		return string(r.Shown.Answer), nil
	})
	j := newJudge("gpt", func(_ context.Context, in eval.JudgeQuestion, _ int) (eval.Extraction, error) {
		if in.Sample.Ordinal == 1 && in.Prediction.Pass == 0 {
			return eval.Extraction{}, lost
		}
		return reads("right", in), nil
	})
	s := newShelf(questions(5)...)
	p := judgedBy(s, first, j)
	finished(t, s, p)
	delete(s.judgments, eval.Key{Run: 1, Sample: 2})      // never judged
	delete(s.facts, eval.Key{Run: 1, Sample: 3, Pass: 3}) // never asked
	delete(s.judgments, eval.Key{Run: 1, Sample: 0})      // never judged, of a question that is taken up

	m, again := newModel(muttering), always("gpt", "right")
	p.Model, p.Judges, p.Counts, p.FailedOnly = m, []eval.Judge{again}, s.recount(p), true
	p.Judged = []eval.JudgeProgress{{Judge: "gpt", Counts: eval.JudgeCounts{Failures: 1}}}
	if left := start(t, p).Progress().CallsLeft; left != 2 {
		t.Errorf("%d calls left, want 2", left)
	}
	finished(t, s, p)
	if m.total != 1 || m.calls[eval.Key{Run: 1, Pass: 1}] != 1 {
		t.Errorf("asked %v", m.calls)
	}
	// The failed judgment, and what the answer that came now calls for.
	if again.total != 2 || again.calls[eval.Key{Run: 1, Sample: 1}] != 1 || again.calls[eval.Key{Run: 1, Pass: 1}] != 1 {
		t.Errorf("judged %v", again.calls)
	}
}
