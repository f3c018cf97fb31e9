package home

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/tui/job"
)

var clock = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// bench is a project in memory, as the screen reads and steers it.
type bench struct {
	mu        sync.Mutex
	rows      []Row
	queues    []Queue
	datasets  []eval.Dataset
	latest    []Answer
	failures  []Answer
	choices   Choices
	existing  *Existing
	refused   error // what Estimate says
	broken    error // what Start says
	unpriced  bool
	complete  bool // nothing is left to ask in runs that are gone on with
	reads     int
	estimates []Spec
	begun     []Spec
	retried   []eval.RunID
	called    []string
	jobs      []job.Row
	steered   []string
}

func (b *bench) ListJobs(context.Context) ([]job.Row, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]job.Row(nil), b.jobs...), nil
}

func (b *bench) steer(what string, id job.ID) error {
	b.steered = append(b.steered, fmt.Sprint(what, " ", id))
	return nil
}

func (b *bench) PauseJob(id job.ID) error                     { return b.steer("pause", id) }
func (b *bench) ResumeJob(_ context.Context, id job.ID) error { return b.steer("resume", id) }
func (b *bench) CancelJob(id job.ID) error                    { return b.steer("cancel", id) }
func (b *bench) RetryJob(_ context.Context, id job.ID) error  { return b.steer("retry", id) }

func (b *bench) Runs(context.Context) ([]Row, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads++
	return append([]Row(nil), b.rows...), nil
}

func (b *bench) Datasets(context.Context) ([]eval.Dataset, error) {
	return append([]eval.Dataset(nil), b.datasets...), nil
}

func (b *bench) Queues(context.Context, annotate.Annotator) ([]Queue, error) {
	return append([]Queue(nil), b.queues...), nil
}

func (b *bench) LatestAnswers(_ context.Context, _ annotate.Annotator, _ eval.RunID, n int) ([]Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Answer(nil), b.latest[:min(n, len(b.latest))]...), nil
}

func (b *bench) FailedAnswers(_ context.Context, _ annotate.Annotator, _ eval.RunID, n int) ([]Answer, error) {
	return append([]Answer(nil), b.failures[:min(n, len(b.failures))]...), nil
}

func (b *bench) FormChoices(context.Context) (Choices, error) { return b.choices, nil }

func (b *bench) Estimate(ctx context.Context, s Spec) (Estimate, error) {
	b.estimates = append(b.estimates, s)
	if b.refused != nil {
		return Estimate{}, b.refused
	}
	if b.complete && s.Resume != 0 {
		return Estimate{Existing: &Existing{Run: s.Resume, Same: true}}, nil
	}
	e := Estimate{
		CallsLow: 1176, CallsHigh: 4377, PromptTokens: 2_845_050, CompletionTokens: 87_540,
		CostLow: 1.91, CostHigh: 7.12, Priced: !b.unpriced, Time: 7*time.Minute + 18*time.Second,
		Assumed: []string{
			"an image takes 765 tokens", "an answer takes 20 tokens", "20 % of the answers are left to the judges",
		},
	}
	if b.unpriced {
		e.CostLow, e.CostHigh, e.Time = 0, 0, 0
	}
	if len(s.Judges) > 0 {
		e.JudgeCallsHigh = 875
	}
	if x := b.existing; x != nil && !s.New && s.Resume == 0 {
		e.Existing = x
	}
	return e, ctx.Err()
}

func (b *bench) Start(_ context.Context, s Spec) (eval.RunID, error) {
	b.begun = append(b.begun, s)
	if b.broken != nil {
		return 0, b.broken
	}
	id := eval.RunID(len(b.rows) + 1)
	b.rows = append(b.rows, Row{
		Run: eval.Run{ID: id, Config: eval.Config{
			Dataset: s.Dataset, Model: s.Model, Strategy: s.Strategy, Modality: s.Modality, Origin: eval.Asked,
		}},
		Live: true, Progress: eval.Progress{Run: id, State: eval.Running, Total: 1176},
	})
	return id, nil
}

func (b *bench) Retry(id eval.RunID) error {
	b.retried = append(b.retried, id)
	return nil
}

func (b *bench) Judge(_ context.Context, id eval.RunID, judges []string) error {
	if b.broken != nil {
		return b.broken
	}
	b.called = append(b.called, fmt.Sprint(id, judges))
	return nil
}

func (b *bench) Pause(eval.RunID) error  { return nil }
func (b *bench) Resume(eval.RunID) error { return nil }
func (b *bench) Cancel(eval.RunID) error { return errors.New("not here") }

func counts(q, found, none, refused, ambiguous, missing, failed int) eval.Counts {
	c := eval.Counts{
		Questions: q, Failures: failed, Reader: "concord@3",
		Usage: eval.Usage{Prompt: 612_480, Completion: 20_114, Reasoning: 4_020},
	}
	c.Statuses[eval.Found], c.Statuses[eval.None], c.Statuses[eval.Refused] = found, none, refused
	c.Statuses[eval.Ambiguous], c.Statuses[eval.Missing] = ambiguous, missing
	c.Predictions = found + none + refused + ambiguous + missing + failed
	return c
}

func judged(name string, found, none, missing, failed, fallback int) eval.JudgeProgress {
	c := eval.JudgeCounts{Judged: found + none + missing, Failures: failed, Fallback: fallback}
	c.Statuses[eval.Found], c.Statuses[eval.None], c.Statuses[eval.Missing] = found-fallback, none, missing+fallback
	c.Usage = eval.Usage{Prompt: 20_000, Completion: 300}
	return eval.JudgeProgress{Judge: name, Counts: c}
}

// settled are the settings of a run of our own.
func settled() eval.Settings {
	extract := eval.PromptRef{Name: "extract-choice", Language: "en", Version: "1", Hash: strings.Repeat("9ab4c0de", 8)}
	return eval.Settings{
		Endpoint: "https://api.example.com/v1", Name: "otter-7b-2026-01", Params: `{"max_tokens":512,"temperature":0}`,
		Prompts: []eval.PromptRef{
			{Name: "choice", Language: "en", Version: "2", Hash: strings.Repeat("3fa9c1d2", 8)},
			{Name: "choice", Language: "zh", Version: "file", Hash: strings.Repeat("77e01b2c", 8)},
		},
		Edge: 1024, Fallback: true, Seed: 42,
		Judges: []eval.JudgeSetup{
			{
				Judge: "gpt-judge", Endpoint: "https://judge.example.com/v1", Name: "gpt-4o-2024-11-20",
				Params: `{"temperature":0}`, Prompts: []eval.PromptRef{extract}, Pseudo: "Z",
			},
			{Judge: "qwen-judge", Endpoint: "http://localhost:8000/v1", Name: "qwen-judge", Prompts: []eval.PromptRef{extract}},
		},
	}
}

func asked(model string, s eval.Strategy) eval.Config {
	return eval.Config{
		Dataset: "mmbench_dev", Model: model, Strategy: s, Modality: eval.WithImage, Origin: eval.Asked,
		Rules: "concord", Settings: settled(),
	}
}

// project is a project with runs in every state.
func project() *bench {
	b := &bench{}
	running := eval.Progress{
		State: eval.Running, Total: 1176, Counts: counts(824, 2890, 31, 14, 22, 108, 7), InFlight: 16, Retrying: 2,
		CallsLeft: 1305, Rate: 14.2, Started: clock, LastFailure: "transient: 429 too many requests",
		Judges: []eval.JudgeProgress{judged("gpt-judge", 101, 48, 3, 2, 3), judged("qwen-judge", 77, 60, 0, 0, 0)},
		Cost:   3.4119, Priced: true, Budget: 5,
	}
	holding := running
	holding.State, holding.Until, holding.Rate = eval.Holding, clock.Add(42*time.Second), 0
	holding.Why, holding.InFlight = "the endpoint answers 503 service unavailable", 0
	spent := running
	spent.State, spent.Why, spent.Cost, spent.InFlight, spent.Retrying = eval.Paused, "the budget of 5.00 is spent", 5.003, 0, 0
	failed := eval.Progress{
		State: eval.Failed, Total: 1176, Err: errors.New("configuration: 401 unauthorized: set OPENAI_API_KEY"),
		Started: clock, Ended: clock.Add(time.Second), Counts: counts(0, 0, 0, 0, 0, 0, 1),
	}
	row := func(id eval.RunID, c eval.Config, p eval.Progress, live bool) Row {
		p.Run = id
		return Row{Run: eval.Run{ID: id, Config: c}, Progress: p, Live: live}
	}
	textOnly := asked("heron", eval.Vanilla)
	textOnly.Modality = eval.TextOnly
	b.rows = []Row{
		row(1, asked("otter-7b", eval.Circular), running, true),
		row(2, asked("lynx-vl-preview-instruct-2026-02-14", eval.Circular), holding, true),
		row(3, textOnly, spent, true),
		row(4, asked("wrong-key", eval.Vanilla), failed, true),
		row(5, eval.Config{
			Dataset: "mmbench_dev", Model: "llava-v1.5-13b", Strategy: eval.Circular, Modality: eval.WithImage,
			Origin: eval.Imported, File: "llava.xlsx",
		}, eval.Progress{Total: 1176, Counts: counts(1176, 4200, 20, 3, 11, 143, 0)}, false),
	}
	b.queues = []Queue{{Queue: annotate.Queue{
		Name: "unparsable", Rule: annotate.Rule{Dataset: "mmbench_dev", From: annotate.FromUnparsable, Rules: "concord", Rate: 1},
		Stratum: annotate.Random, Overlap: 1, Growing: true, Population: 175, Items: 175,
	}, Labelled: 60, Annotators: 2}}
	for i := range 40 {
		a := Answer{
			Key: eval.Key{Run: 1, Sample: eval.Ordinal(820 - i)}, Sample: eval.SampleID(fmt.Sprint(1820 - i)),
			Visibility: blind.AllVisible, Text: "The shape left of the circle is the square,\nso the answer is (A).",
			Reading: eval.Extraction{Choice: "A", Status: eval.Found},
		}
		switch i % 7 {
		case 2:
			a = Answer{Key: a.Key, Sample: a.Sample, Visibility: blind.TextHidden}
		case 4:
			a.Text, a.Reading = "I cannot tell \x1b[31mfrom here", eval.Extraction{Status: eval.Missing}
		}
		b.latest = append(b.latest, a)
	}
	for i, text := range []string{
		"429 too many requests", "the answer was cut off: finish_reason length\x1b]0;x\a", "content filter: sexual",
	} {
		b.failures = append(b.failures, Answer{
			Key: eval.Key{Run: 1, Sample: eval.Ordinal(700 - i), Pass: eval.Pass(i)}, Sample: eval.SampleID(fmt.Sprint(1700 - i)),
			Visibility: blind.AllVisible, Failure: text, Kind: eval.FailureTransient + eval.FailureKind(min(i, 1)), Attempts: 1 + i,
		})
	}
	b.choices = Choices{
		Datasets: []DatasetChoice{
			{Name: "mmbench_dev", Samples: 1176, Pictures: 1176, Kinds: []eval.Kind{eval.KindChoice}},
			{Name: "mme", Samples: 2374, Pictures: 2374, Kinds: []eval.Kind{eval.KindYesNo}},
			{Name: "a_dataset_with_a_very_long_name_20260214_filtered", Samples: 12, Kinds: []eval.Kind{eval.KindChoice, eval.KindOpen}},
			{Name: "half", Samples: 100, Why: "its import has not finished: concord import dataset continues"},
		},
		Models: []job.ModelChoice{
			{Name: "gpt-4o", Endpoint: "https://api.openai.com/v1", Why: "OPENAI_API_KEY is not set: export OPENAI_API_KEY=…"},
			{Name: "otter-7b", Endpoint: "https://api.example.com/v1", Price: eval.Price{Prompt: 2.5, Completion: 10}},
			{Name: "qwen2-vl-7b", Endpoint: "http://localhost:8000/v1"},
			{Name: "gpt-judge", Endpoint: "https://judge.example.com/v1", Price: eval.Price{Prompt: 0.15, Completion: 0.6}},
		},
		Defaults: Spec{Concurrency: 16, Budget: 5},
	}
	return b
}
