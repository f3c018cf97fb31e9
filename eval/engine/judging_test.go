package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/engine"
)

// judge answers by a function and counts its calls.
type judge struct {
	name  string
	mu    sync.Mutex
	calls map[eval.Key]int
	total int
	reply func(ctx context.Context, j eval.JudgeQuestion, n int) (eval.Extraction, error)
}

func newJudge(name string, f func(ctx context.Context, j eval.JudgeQuestion, n int) (eval.Extraction, error)) *judge {
	return &judge{name: name, calls: map[eval.Key]int{}, reply: f}
}

func (j *judge) Name() string { return j.name }

func (j *judge) Judge(ctx context.Context, in eval.JudgeQuestion) (eval.Judgment, error) {
	j.mu.Lock()
	n := j.calls[in.Prediction.Key]
	j.calls[in.Prediction.Key]++
	j.total++
	j.mu.Unlock()
	e, err := j.reply(ctx, in, n)
	return eval.Judgment{Extraction: e, Raw: "raw", Call: eval.Call{Usage: eval.Usage{Prompt: 100, Completion: 1}}}, err
}

func (j *judge) asked() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.total
}

// reads has a judge read the prediction as "right", "wrong", or a status.
func reads(what string, in eval.JudgeQuestion) eval.Extraction {
	switch what {
	case "right":
		return eval.Extraction{Choice: in.Shown.Answer, Status: eval.Found, Method: "judge"}
	case "wrong":
		i := slices.IndexFunc(in.Shown.Options, func(o eval.Option) bool { return o.Letter != in.Shown.Answer })
		return eval.Extraction{Choice: in.Shown.Options[i].Letter, Status: eval.Found, Method: "judge"}
	case "none":
		return eval.Extraction{Status: eval.None, Method: "judge"}
	}
	return eval.Extraction{Status: eval.Missing, Method: "judge"}
}

// always reads every prediction in the same way.
func always(name, what string) *judge {
	return newJudge(name, func(_ context.Context, in eval.JudgeQuestion, _ int) (eval.Extraction, error) {
		return reads(what, in), nil
	})
}

// judgedBy is a plan whose run has these judges.
func judgedBy(s *shelf, m eval.Model, judges ...*judge) engine.Plan {
	p := plan(s, m)
	p.Judgments = s
	for _, j := range judges {
		p.Judges = append(p.Judges, j)
		p.Run.Config.Settings.Judges = append(p.Run.Config.Settings.Judges, eval.JudgeSetup{Judge: j.name})
	}
	return p
}

func muttering(context.Context, eval.Request, int) (string, error) { return "hm", nil }

// finished runs a plan and holds what was counted against what is stored.
func finished(t *testing.T, s *shelf, p engine.Plan) eval.Progress {
	t.Helper()
	r := start(t, p)
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := r.Progress()
	if want := s.recount(p); got.Counts != want {
		t.Errorf("counted %+v, counted anew %+v", got.Counts, want)
	}
	if got.State != eval.Done || got.InFlight != 0 || got.Retrying != 0 {
		t.Errorf("at the end: %+v", got)
	}
	return got
}

func TestJudgeDecidesBeforeTheNextPass(t *testing.T) {
	check := func(name string, passes, judged int, config func(*engine.Plan), by ...string) {
		t.Helper()
		var judges []*judge
		for i, what := range by {
			judges = append(judges, always(fmt.Sprint("judge", i), what))
		}
		m, s := newModel(muttering), newShelf(question(4, "B"))
		p := judgedBy(s, m, judges...)
		if config != nil {
			config(&p)
		}
		got := finished(t, s, p)
		if m.total != passes || got.Counts.Questions != 1 {
			t.Errorf("%s: %d passes asked, want %d; %+v", name, m.total, passes, got.Counts)
		}
		for _, j := range judges {
			if j.total != judged {
				t.Errorf("%s: %s was asked %d times, want %d", name, j.name, j.total, judged)
			}
		}
		for i, j := range got.Judges {
			if j.Judge != judges[i].name || j.Counts.Judged != judged || j.Counts.CountWaiting(got.Counts) != 0 {
				t.Errorf("%s: progress %+v", name, j)
			}
		}
	}
	all := func(p *engine.Plan) { p.Run.Config.AllPasses = true }
	undecided := func(p *engine.Plan) { p.Run.Config.Settings.Judges = nil }
	check("found and wrong ends", 1, 1, nil, "wrong")
	check("found and right continues", 4, 4, nil, "right")
	check("none ends nothing", 4, 4, nil, "none")
	check("missing ends nothing", 4, 4, nil, "missing")
	check("all passes", 4, 4, all, "wrong")
	check("the first decides: wrong", 1, 1, nil, "wrong", "right")
	check("the first decides: right", 4, 4, nil, "right", "wrong")
	check("a judge outside the configuration decides nothing", 4, 4, undecided, "wrong")

	// What the rules read is no judge's business.
	j := always("judge", "wrong")
	s := newShelf(question(4, "B"))
	finished(t, s, judgedBy(s, newModel(right), j))
	if j.total != 0 {
		t.Errorf("the judge was asked %d times about what the rules read", j.total)
	}
}

func TestJudgmentsAreFacts(t *testing.T) {
	j := always("gpt", "right")
	s := newShelf(questions(1)...)
	p := judgedBy(s, newModel(muttering), j)
	p.Run.Config.Strategy = eval.Vanilla
	got := finished(t, s, p)
	k := eval.Key{Run: 1}
	one := s.judgments[k][0]
	if one.Key != k || one.Judge != "gpt" || one.Raw != "raw" || one.At.IsZero() || one.Extraction.Choice != "B" {
		t.Errorf("judgment %+v", one)
	}
	c := eval.JudgeCounts{Judged: 1, Usage: eval.Usage{Prompt: 100, Completion: 1}}
	c.Statuses[eval.Found] = 1
	if got.Judges[0].Counts != c {
		t.Errorf("counts %+v, want %+v", got.Judges[0].Counts, c)
	}
}

func TestJudgeFails(t *testing.T) {
	lost := &eval.Failure{Kind: eval.FailureTransient, Message: "503"}
	down := newJudge("gpt", func(_ context.Context, in eval.JudgeQuestion, n int) (eval.Extraction, error) {
		if in.Attempt != n {
			t.Errorf("attempt %d of call %d", in.Attempt, n)
		}
		switch in.Sample.Ordinal {
		case 0:
			return eval.Extraction{Status: eval.Found, Choice: "B"}, lost
		case 1:
			return eval.Extraction{}, errors.New("content filter")
		case 2:
			panic("judge bug")
		}
		return reads("right", in), nil
	})
	s, m := newShelf(questions(4)...), newModel(muttering)
	p := judgedBy(s, m, down)
	p.Retry = engine.Retry{Max: 2, Base: time.Microsecond}
	p.Hold = engine.Hold{After: 1000}
	got := finished(t, s, p)
	if m.total != 16 || down.total != 4*(3+1+1+1) {
		t.Errorf("%d answers, %d calls of the judge", m.total, down.total)
	}
	if c := got.Judges[0].Counts; c.Judged != 4 || c.Failures != 12 || c.Usage.Prompt != 4*100*3 {
		t.Errorf("counts %+v", c)
	}
	for i, want := range []string{"503", "content filter", "judge bug"} {
		j := s.judgments[eval.Key{Run: 1, Sample: eval.Ordinal(i)}][0]
		if j.HasReply() || j.Extraction != (eval.Extraction{}) || !strings.Contains(j.Failure.Message, want) {
			t.Errorf("question %d: %+v", i, j)
		}
	}

	// The next session asks again what an outage took, and nothing else; the
	// rest is for whoever wants failures retried.
	up := always("gpt", "right")
	p.Judges, p.Counts, p.Judged = []eval.Judge{up}, s.counts(), got.Judges
	got = finished(t, s, p)
	if up.total != 4 || m.total != 16 {
		t.Errorf("%d answers, %d calls of the judge", m.total, up.total)
	}
	p.Counts, p.Judged, p.FailedOnly = s.counts(), got.Judges, true
	again := finished(t, s, p)
	if up.total != 12 || m.total != 16 {
		t.Errorf("%d answers, %d calls of the judge", m.total, up.total)
	}
	if c := again.Judges[0].Counts; c.Judged != 16 || c.Failures != 0 || c.Statuses[eval.Found] != 16 {
		t.Errorf("counts %+v", c)
	}
}

// A wrong key of the judge costs one call, whatever waits for it.
func TestJudgeCanary(t *testing.T) {
	bad := newJudge("gpt", func(ctx context.Context, _ eval.JudgeQuestion, _ int) (eval.Extraction, error) {
		return eval.Extraction{}, errors.Join(sleepUnlessEarly(ctx, 10*time.Millisecond),
			&eval.Failure{Kind: eval.FailureConfiguration, Message: "JUDGE_KEY is wrong"})
	})
	s := newShelf(questions(50)...)
	p := judgedBy(s, newModel(func(_ context.Context, r eval.Request, _ int) (string, error) {
		if r.Sample.Ordinal == 0 { // the model's canary
			return string(r.Shown.Answer), nil
		}
		return "hm", nil
	}), bad)
	p.Concurrency = 16
	r := start(t, p)
	err := r.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "ask judge gpt") || !strings.Contains(err.Error(), "JUDGE_KEY") {
		t.Errorf("error %v", err)
	}
	if got := r.Progress(); bad.total != 1 || got.State != eval.Failed || len(s.judgments) != 0 || got.Counts != s.recount(p) {
		t.Errorf("%d calls of the judge, %+v", bad.total, got)
	}
}

// Without a model, judges read what is stored: of a file all passes that it
// has.
func TestJudgeOnly(t *testing.T) {
	s := newShelf(questions(10)...)
	for i := range s.samples {
		for p := range eval.Pass(i % 5) {
			k := eval.Key{Run: 1, Sample: eval.Ordinal(i), Pass: p}
			s.facts[k] = eval.Fact{Prediction: eval.Prediction{Key: k, Text: "hm"}}
		}
	}
	k := eval.Key{Run: 1, Sample: 9}
	s.judgments[k] = []eval.Judgment{{Key: k, Judge: "gpt", Extraction: eval.Extraction{Status: eval.Missing}}}
	j := always("gpt", "wrong")
	p := judgedBy(s, nil, j)
	p.Model, p.Recorder = nil, nil
	p.Run.Config = eval.Config{Strategy: eval.Vanilla, Origin: eval.Imported}
	p.Counts, p.Judged = s.recount(p), []eval.JudgeProgress{{Judge: "before"}}
	first := start(t, p).Progress()
	if first.CallsLeft != 20 || !first.JudgesOnly || first.Judges[0].Asked || !first.Judges[1].Asked {
		t.Errorf("at first %+v", first)
	}
	p.Judged = nil
	got := finished(t, s, p)
	if j.total != 19 || j.calls[k] != 0 || got.Judges[0].Counts.Judged != 19 {
		t.Errorf("%d calls, %+v", j.total, got)
	}
}

// A question that an outdated reading had ended is pending, and another
// session completes it: of the rules, or of the judge.
func TestOutdatedReadings(t *testing.T) {
	s := newShelf(question(4, "B"))
	m := newModel(muttering)
	p := judgedBy(s, m, always("gpt", "wrong"))
	if got := finished(t, s, p); m.total != 1 || got.Counts.Questions != 1 {
		t.Fatalf("%d passes, %+v", m.total, got.Counts)
	}
	// The judge is read otherwise.
	k := eval.Key{Run: 1}
	s.judgments[k][0].Extraction.Choice = "B"
	p.Counts = s.recount(p)
	if p.Counts.Questions != 0 {
		t.Errorf("still counted as complete: %+v", p.Counts)
	}
	p.Judges, p.Judgments = nil, nil // stored judgments count without the judge, too
	p.Model = newModel(right)
	got := finished(t, s, p)
	if got.Counts.Predictions != 4 || got.Counts.Questions != 1 {
		t.Errorf("the judge's reading changed: %+v", got.Counts)
	}

	// The rules read the answer that a judge had read as wrong.
	s = newShelf(question(4, "B"))
	p = judgedBy(s, newModel(muttering), always("gpt", "wrong"))
	finished(t, s, p)
	p.Reader = better{}
	p.Model = newModel(right)
	p.Counts = s.recount(p)
	if p.Counts.Questions != 0 {
		t.Errorf("still counted as complete: %+v", p.Counts)
	}
	if got := finished(t, s, p); got.Counts.Predictions != 4 || got.Counts.Questions != 1 {
		t.Errorf("the rules changed: %+v", got.Counts)
	}
}

// better reads what letters does, and "hm" as B.
type better struct{ letters }

func (better) Version() string { return "2" }
func (b better) Read(kind eval.Kind, options []eval.Option, text string) eval.Extraction {
	if text == "hm" {
		text = "B"
	}
	return b.letters.Read(kind, options, text)
}
