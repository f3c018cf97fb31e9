package demo_test

import (
	"context"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"concord/eval"
	"concord/eval/demo"
	"concord/eval/engine"
	"concord/eval/extract"
)

// project is the one project that the tests play.
var project = sync.OnceValues(demo.BuildProject)

func rules(t *testing.T) eval.Reader {
	t.Helper()
	r, err := extract.FindRules("concord")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The default rules leave something to review, and misread nothing: what a
// newcomer's label meets is either silence or the intended reading.
func TestRulesOnRecordedAnswers(t *testing.T) {
	p, err := project()
	if err != nil {
		t.Fatal(err)
	}
	r := rules(t)
	for _, m := range p.Models {
		all, silent := 0, 0
		for i := range p.Samples {
			s := &p.Samples[i]
			for k := range eval.Pass(s.PassCount()) {
				reply, _ := m.RecordedReply(s.ID, k)
				meant, _ := m.Meant(s.ID, k)
				e := r.Read(s.Kind, s.ShowInPass(k).Options, reply.Text)
				all++
				switch {
				case !e.IsFound():
					silent++
				case e.Choice != meant.Choice:
					t.Errorf("%s %s.%d: %q of %v is read as %s by %s, means %s %s",
						m.Name, s.ID, k, reply.Text, s.ShowInPass(k).Options, e.Choice, e.Method, meant.Status, meant.Choice)
				}
			}
		}
		share := float64(silent) / float64(all)
		t.Logf("%s: %d of %d unparsable: %.3f", m.Name, silent, all, share)
		if share < 0.10 || share > 0.25 {
			t.Errorf("%s: %.3f of the answers are unparsable", m.Name, share)
		}
	}
}

// sheet keeps what a run records; nothing is stored when it starts.
type sheet struct {
	samples []eval.Sample
	mu      sync.Mutex
	facts   []eval.Fact
}

func (s *sheet) Questions(context.Context, eval.Run) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		for _, sample := range s.samples {
			if !yield(eval.Question{Sample: sample}, nil) {
				return
			}
		}
	}
}

func (s *sheet) Record(_ context.Context, f eval.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.facts = append(s.facts, f)
	return nil
}

// player answers as a model of the demo does, after its delay.
type player struct{ *demo.Model }

func (p *player) Answer(_ context.Context, r eval.Request) (eval.Reply, error) {
	time.Sleep(p.Speed.ReplyDelay(0, r.Sample.ID, r.Pass))
	reply, ok := p.RecordedReply(r.Sample.ID, r.Pass)
	if !ok {
		return eval.Reply{}, &eval.Failure{Kind: eval.FailureSample, Message: "nothing is recorded"}
	}
	return reply, nil
}

func TestDelay(t *testing.T) {
	s := demo.Speed{Fixed: time.Second, Jitter: time.Second}
	seen := map[time.Duration]bool{}
	for p := range eval.Pass(20) {
		got := s.ReplyDelay(3, "a", p)
		if got != s.ReplyDelay(3, "a", p) || got < time.Second || got >= 2*time.Second {
			t.Errorf("delay of pass %d: %v", p, got)
		}
		seen[got] = true
	}
	if len(seen) < 20 {
		t.Errorf("only %d different delays", len(seen))
	}
	if got := (demo.Speed{}).ReplyDelay(0, "a", 0); got != 0 {
		t.Errorf("zero delay: %v", got)
	}
}

func TestPlaysForAboutAMinute(t *testing.T) {
	p, err := project()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Models {
		synctest.Test(t, func(t *testing.T) {
			s := &sheet{samples: p.Samples}
			r, err := engine.NewRunner(engine.Plan{
				Run:    eval.Run{ID: 1, Config: eval.Config{Model: m.Name, Strategy: eval.Circular}},
				Model:  &player{m},
				Reader: rules(t), Source: s, Recorder: s,
				Total: len(p.Samples), Terms: engine.Terms{Concurrency: m.Speed.Concurrency},
			})
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if err := r.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			took, got := time.Since(began), r.Progress()
			t.Logf("%s: %d calls in %v, %d unparsable", m.Name, len(s.facts), took.Round(time.Second), got.Counts.CountUnparsed())
			if took < 50*time.Second || took > 70*time.Second {
				t.Errorf("%s: took %v", m.Name, took)
			}
			if got.Counts.Questions != len(p.Samples) || got.Counts.Failures != 0 || got.Counts.Predictions != len(s.facts) {
				t.Errorf("%s: %+v", m.Name, got.Counts)
			}
		})
	}
}
