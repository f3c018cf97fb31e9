package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// letters reads an answer that is an option's letter; it panics on "boom".
type letters struct{}

func (letters) Name() string    { return "letters" }
func (letters) Version() string { return "1" }
func (letters) Read(kind eval.Kind, options []eval.Option, text string) eval.Extraction {
	if text == "boom" {
		panic("boom")
	}
	if kind == eval.KindOpen {
		return eval.Extraction{}
	}
	for _, o := range options {
		if string(o.Letter) == text {
			return eval.Extraction{Choice: o.Letter, Status: eval.Found}
		}
	}
	return eval.Extraction{Status: eval.Missing}
}

// model answers by a function and counts its calls.
type model struct {
	mu     sync.Mutex
	calls  map[eval.Key]int
	total  int
	flying int
	most   int
	answer func(ctx context.Context, r eval.Request, n int) (string, error)
}

func newModel(f func(ctx context.Context, r eval.Request, n int) (string, error)) *model {
	return &model{calls: map[eval.Key]int{}, answer: f}
}

func (m *model) Answer(ctx context.Context, r eval.Request) (eval.Reply, error) {
	m.mu.Lock()
	n := m.calls[r.Key()]
	m.calls[r.Key()]++
	m.total++
	m.flying++
	m.most = max(m.most, m.flying)
	m.mu.Unlock()
	defer func() { m.mu.Lock(); m.flying--; m.mu.Unlock() }()
	text, err := m.answer(ctx, r, n)
	return eval.Reply{Text: text, Finish: "stop"}, err
}

// asked is how many calls were made so far.
func (m *model) asked() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}

// sleepUnlessEarly waits as a call over the network does.
func sleepUnlessEarly(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func question(n int, answer eval.Choice) eval.Sample {
	s := eval.Sample{Kind: eval.KindChoice, Answer: answer}
	for i := range n {
		l := eval.Choice(rune('A' + i))
		s.Options = append(s.Options, eval.Option{Letter: l, Text: "text " + string(l)})
	}
	return s
}

func questions(count int) []eval.Sample {
	out := make([]eval.Sample, count)
	for i := range out {
		out[i] = question(4, "B")
	}
	return out
}

func plan(s *shelf, m eval.Model) engine.Plan {
	return engine.Plan{
		Run:   eval.Run{ID: 1, Config: eval.Config{Model: "m", Strategy: eval.Circular}},
		Model: m, Reader: letters{}, Source: s, Recorder: s,
		Total: len(s.samples), Terms: engine.Terms{Concurrency: 3}, Counts: s.counts(),
	}
}

func start(t *testing.T, p engine.Plan) *engine.Runner {
	t.Helper()
	r, err := engine.NewRunner(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func right(_ context.Context, r eval.Request, _ int) (string, error) {
	return string(r.Shown.Answer), nil
}

func TestEarlyStop(t *testing.T) {
	check := func(name string, want int, configure func(*engine.Plan), sample eval.Sample, replies ...string) {
		t.Helper()
		m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
			switch reply := replies[min(int(r.Pass), len(replies)-1)]; reply {
			case "right":
				return string(r.Shown.Answer), nil
			case "wrong":
				i := slices.IndexFunc(r.Shown.Options, func(o eval.Option) bool { return o.Letter != r.Shown.Answer })
				return string(r.Shown.Options[i].Letter), nil
			case "fail":
				return "", errors.New("content filter")
			default:
				return reply, nil
			}
		})
		s := newShelf(sample)
		p := plan(s, m)
		if configure != nil {
			configure(&p)
		}
		r := start(t, p)
		if err := r.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m.total != want {
			t.Errorf("%s: %d calls, want %d", name, m.total, want)
		}
		stored := s.counts()
		if got := r.Progress(); got.Counts != stored || got.State != eval.Done || got.InFlight != 0 {
			t.Errorf("%s: progress %+v, stored %+v", name, got, stored)
		}
	}
	vanilla := func(p *engine.Plan) { p.Run.Config.Strategy = eval.Vanilla }
	all := func(p *engine.Plan) { p.Run.Config.AllPasses = true }
	b, noTruth := question(4, "B"), question(4, "")

	check("all right", 4, nil, b, "right")
	check("first wrong", 1, nil, b, "wrong")
	check("third wrong", 3, nil, b, "right", "right", "wrong")
	check("unread ends nothing", 4, nil, b, "??")
	check("wrong after unread", 2, nil, b, "??", "wrong")
	check("failure ends nothing", 4, nil, b, "right", "fail", "right")
	check("wrong after failure", 2, nil, b, "fail", "wrong")
	check("no ground truth", 4, nil, noTruth, "A")
	check("all passes", 4, all, b, "wrong")
	check("vanilla", 1, vanilla, b, "right")
	check("two options", 2, nil, question(2, "A"), "right")
	check("yes/no", 1, nil, eval.Sample{Kind: eval.KindYesNo, Answer: eval.Yes}, "yes")
	check("open", 1, nil, eval.Sample{Kind: eval.KindOpen}, "once upon a time")
}

func TestWorkersAskInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(func(ctx context.Context, r eval.Request, _ int) (string, error) {
			return string(r.Shown.Answer), sleepUnlessEarly(ctx, time.Second)
		})
		s := newShelf(questions(7)...)
		began := time.Now()
		r := start(t, plan(s, m))
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		// The canary is alone for a second; then 27 calls over 3 workers, a
		// question's four in a row.
		if m.total != 28 || m.most != 3 {
			t.Errorf("%d calls, %d at once; want 28, 3", m.total, m.most)
		}
		if took := time.Since(began); took != 12*time.Second {
			t.Errorf("took %v, want 12s", took)
		}
		for _, f := range s.facts {
			if f.Prediction.Latency != time.Second || f.Prediction.At.IsZero() || f.Reader != "letters@1" {
				t.Errorf("fact %+v", f)
			}
		}
	})
}

func TestCanary(t *testing.T) {
	bad := &eval.Failure{Kind: eval.FailureConfiguration, Message: "OPENAI_API_KEY is wrong"}
	m := newModel(func(context.Context, eval.Request, int) (string, error) {
		return "", fmt.Errorf("chat: %w", bad)
	})
	s := newShelf(questions(50)...)
	p := plan(s, m)
	p.Concurrency = 16
	r := start(t, p)
	err := r.Run(t.Context())
	var f *eval.Failure
	if !errors.As(err, &f) || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("error %v", err)
	}
	if got := r.Progress(); m.total != 1 || len(s.facts) != 0 || got.State != eval.Failed || got.Err == nil {
		t.Errorf("%d calls, %d facts, %+v", m.total, len(s.facts), got)
	}
	if err := r.Run(t.Context()); !errors.Is(err, engine.ErrStarted) {
		t.Errorf("second Run: %v", err)
	}
}

func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := &eval.Failure{Kind: eval.FailureTransient, Message: "429"}
		m := newModel(func(_ context.Context, r eval.Request, n int) (string, error) {
			if r.Attempt != n {
				t.Errorf("attempt %d of call %d", r.Attempt, n)
			}
			switch {
			case r.Sample.Ordinal == 0 && n < 2, r.Sample.Ordinal == 1:
				return "", lost
			case r.Sample.Ordinal == 2:
				return "", errors.New("content filter")
			case r.Sample.Ordinal == 3 && n == 0:
				return "", context.DeadlineExceeded
			}
			return string(r.Shown.Answer), nil
		})
		s := newShelf(questions(4)...)
		p := plan(s, m)
		p.Run.Config.Strategy = eval.Vanilla
		p.Retry = engine.Retry{Max: 2, Base: time.Second, Rand: func() float64 { return 0 }}
		began := time.Now()
		if err := start(t, p).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{3, 3, 1, 2} {
			if got := m.calls[eval.Key{Run: 1, Sample: eval.Ordinal(i)}]; got != want {
				t.Errorf("question %d: %d calls, want %d", i, got, want)
			}
		}
		// The canary waits 0.5 s and 1 s; question 1 then does the same.
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("took %v", took)
		}
		if c := s.counts(); c.Predictions != 4 || c.Failures != 2 || c.Questions != 3 {
			t.Errorf("counts %+v", c)
		}

		// Again: only the outage, and, when failures are to be retried, what the
		// filter held back; the answers take their places.
		for retried, plain := range []bool{true, false} {
			again := newModel(right)
			p.Model, p.Counts, p.FailedOnly = again, s.counts(), !plain
			r := start(t, p)
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if again.total != 1 {
				t.Errorf("%d calls, want 1", again.total)
			}
			if got := r.Progress().Counts; got != s.counts() || got.Predictions != 4 || got.Failures != 1-retried || got.Questions != 4 {
				t.Errorf("counts %+v", got)
			}
		}
	})
}

func TestPanics(t *testing.T) {
	m := newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
		switch r.Sample.Ordinal {
		case 0:
			panic("model bug")
		case 1:
			return "boom", nil
		}
		return string(r.Shown.Answer), nil
	})
	s := newShelf(questions(3)...)
	p := plan(s, m)
	p.Run.Config.Strategy = eval.Vanilla
	if err := start(t, p).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"model bug", "", ""} {
		f := s.facts[eval.Key{Run: 1, Sample: eval.Ordinal(i)}].Prediction.Failure
		switch {
		case want == "" && f != nil, want != "" && (f == nil || f.Kind != eval.FailureSample || !strings.Contains(f.Message, want)):
			t.Errorf("question %d: failure %v, want %q", i, f, want)
		}
	}
	// What was paid for is kept, whatever the rules make of it.
	if f := s.facts[eval.Key{Run: 1, Sample: 1}]; f.Prediction.Text != "boom" || f.Reading.Status != eval.Missing {
		t.Errorf("the answer that the reader panics over: %+v", f)
	}
	if got := s.recount(p); got != s.counts() {
		t.Errorf("counted anew %+v, want %+v", got, s.counts())
	}
}

func TestFailingStorageEndsTheRun(t *testing.T) {
	s := newShelf(questions(20)...)
	s.fail = errors.New("disk full")
	m := newModel(right)
	r := start(t, plan(s, m))
	if err := r.Run(t.Context()); !errors.Is(err, s.fail) {
		t.Errorf("error %v", err)
	}
	if got := r.Progress(); got.State != eval.Failed || got.Counts.Predictions != 0 {
		t.Errorf("progress %+v", got)
	}
}
