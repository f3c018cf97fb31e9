package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// reader reads an answer that is an option's letter.
type reader struct{}

func (reader) Name() string    { return "concord" }
func (reader) Version() string { return "1" }
func (reader) Read(_ eval.Kind, options []eval.Option, text string) eval.Extraction {
	for _, o := range options {
		if string(o.Letter) == text {
			return eval.Extraction{Choice: o.Letter, Status: eval.Found}
		}
	}
	return eval.Extraction{Status: eval.Missing}
}

// flaky is a model and a judge that fail now and then, and whose answers hang
// on the sample and the pass alone.
type flaky struct {
	mu    sync.Mutex
	asked map[eval.Key]int
	read  map[eval.Key]int
}

func (f *flaky) Answer(_ context.Context, r eval.Request) (eval.Reply, error) {
	f.mu.Lock()
	f.asked[r.Key()]++
	n := f.asked[r.Key()]
	f.mu.Unlock()
	u := eval.Usage{Prompt: 100, Completion: 10}
	switch mark := (int(r.Sample.Ordinal)*3 + int(r.Pass)) % 11; {
	case mark == 0 && n == 1:
		return eval.Reply{Usage: u}, &eval.Failure{Kind: eval.FailureTransient, Message: "503"}
	case mark == 1 && n == 1:
		return eval.Reply{Usage: u}, errors.New("content filter")
	case mark < 6:
		return eval.Reply{Text: "hm", Usage: u}, nil
	}
	return eval.Reply{Text: string(r.Shown.Answer), Reasoning: "A or B?", Usage: u}, nil
}

func (f *flaky) Name() string { return "gpt" }

func (f *flaky) Judge(_ context.Context, j eval.JudgeQuestion) (eval.Judgment, error) {
	k := j.Prediction.Key
	f.mu.Lock()
	f.read[k]++
	n := f.read[k]
	f.mu.Unlock()
	out := eval.Judgment{Raw: "A", Call: eval.Call{Setup: "s", Usage: eval.Usage{Prompt: 50, Completion: 1}}}
	if n == 1 && int(k.Sample)%5 == 0 {
		return out, errors.New("content filter")
	}
	out.Extraction = eval.Extraction{Status: eval.Found, Choice: "A", Method: "judge"}
	return out, nil
}

// A run that is cancelled again and again asks for nothing twice that is
// stored, and its totals are at every time what a new count gives.
func TestRunOverStore(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	addDataset(t, s, "d", samples(300))
	run := judgedRun(t, s, "gpt")
	f := &flaky{asked: make(map[eval.Key]int), read: make(map[eval.Key]int)}
	random := rand.New(rand.NewPCG(1, 2))
	for session := 0; ; session++ {
		p := engine.Plan{
			Run: run, Model: f, Judges: []eval.Judge{f}, Judgments: s.Judgments(), Reader: reader{},
			Source: s.Runs(), Recorder: s.Runs(), Total: 300, FailedOnly: session > 20,
			Counts: got[eval.Counts](t)(s.Runs().Counts(run.ID)), Judged: got[[]eval.JudgeProgress](t)(s.Judgments().Counts(run.ID)),
			Terms: engine.Terms{Concurrency: 8, Retry: engine.Retry{Max: 1, Base: time.Microsecond}},
		}
		r := got[*engine.Runner](t)(engine.NewRunner(p))
		ctx, cancel := context.WithCancel(t.Context())
		if session < 20 {
			time.AfterFunc(time.Duration(random.IntN(4000))*time.Microsecond, cancel)
		}
		if err := r.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		end := r.Progress()
		stored := got[eval.Counts](t)(s.Runs().Counts(run.ID))
		end.Counts.Reader, stored.Reader = "", ""
		same(t, end.Counts, stored)
		if len(end.Judges) > 0 && end.Judges[0].Counts != (eval.JudgeCounts{}) {
			end.Judges[0].Asked = false // of what is stored, nobody is
			same(t, end.Judges, got[[]eval.JudgeProgress](t)(s.Judgments().Counts(run.ID)))
		}
		recounted(t, s, run, stored)
		if session > 40 {
			t.Fatalf("calls are left: %+v", end)
		}
		// What failed behind a pass that a judge has read as wrong since then is
		// of no use any more.
		if session > 20 && end.Counts.Usage == p.Counts.Usage && end.Judges[0].Counts == p.Judged[0].Counts {
			same(t, stored.Questions, 300)
			same(t, end.Judges[0].Counts.Failures, 0)
			same(t, len(got[[]eval.Prediction](t)(s.Runs().FailedPredictions(t.Context(), run.ID, 99))), stored.Failures)
			break
		}
	}
	for k, n := range f.read {
		if n > 2 {
			t.Errorf("%v was judged %d times", k, n)
		}
	}
	p := got[eval.Prediction](t)(s.Runs().Prediction(key(run.ID, 2, 0)))
	same(t, p.Reasoning, "A or B?")
}

// recounted holds a run's totals, less its usage, against a new count.
func recounted(t *testing.T, s *Store, run eval.Run, want eval.Counts) {
	t.Helper()
	var c eval.Counts
	var judge eval.JudgeCounts
	for _, q := range all(t, s.Runs().Questions(t.Context(), run)) {
		c.Add(eval.CountsOfQuestion(run.Config, &q, reader{}))
		for i := range q.Judgments {
			judge.CountJudgment(&q.Judgments[i], nil)
		}
	}
	c.Usage = want.Usage
	same(t, c, want)
	for _, have := range got[[]eval.JudgeProgress](t)(s.Judgments().Counts(run.ID)) {
		judge.Usage = have.Counts.Usage
		same(t, judge, have.Counts)
	}
}
