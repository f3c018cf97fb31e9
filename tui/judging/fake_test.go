package judging

import (
	"context"
	"errors"
	"fmt"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/eval"
	"concord/eval/stat"
	"concord/tui/job"
)

var clock = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// bench is a project in memory with one comparison, as the screen reads and
// steers it.
type bench struct {
	rows    []job.Row
	look    Look
	looks   int
	choices Choices
	refused error // what Estimate says
	broken  error // what Start says
	live    bool  // the order is at work
	idle    bool  // nothing is left to ask
	begun   []Spec
	steered []string
}

func (b *bench) ListJobs(context.Context) ([]job.Row, error) {
	return append([]job.Row(nil), b.rows...), nil
}

func (b *bench) ReadComparison(_ context.Context, _ annotate.Annotator, c eval.Comparison, _ int) (Look, error) {
	b.looks++
	out := b.look
	out.Of, out.At = c, clock
	return out, nil
}

func (b *bench) FormChoices(context.Context) (Choices, error) { return b.choices, nil }

func (b *bench) Estimate(ctx context.Context, s Spec) (Estimate, error) {
	if b.refused != nil {
		return Estimate{}, b.refused
	}
	n := 840 * len(s.Models) * s.Repeats
	if s.Shuffled {
		n /= 2
	}
	e := Estimate{
		Tally: eval.Tally{Wanted: n, Stored: 60, Unparsed: 2, Failed: 1}, Calls: n - 63, PromptTokens: 632 * n, CompletionTokens: 60 * n,
		Cost: 0.00175 * float64(n), Priced: s.Judge != "free-judge", Live: b.live,
		LeftOut: []LeftOut{{Why: "the model has no answer", Votes: 4}, {Why: "without the image, which is not there", Votes: 750, Asked: true}},
		Assumed: []string{"answers: 60 tokens each", "text: 4 characters a token"},
	}
	if s.Criteria {
		e.Stale = 12
	}
	if b.idle {
		e.Calls, e.Tally.Stored = 0, n-3
	}
	return e, ctx.Err()
}

func (b *bench) Start(_ context.Context, s Spec) (job.ID, error) {
	b.begun = append(b.begun, s)
	return "votes/1/2", b.broken
}

func (b *bench) steer(what string, id job.ID) error {
	b.steered = append(b.steered, fmt.Sprint(what, " ", id))
	return nil
}

func (b *bench) PauseJob(id job.ID) error                     { return b.steer("pause", id) }
func (b *bench) ResumeJob(_ context.Context, id job.ID) error { return b.steer("resume", id) }
func (b *bench) CancelJob(id job.ID) error                    { return b.steer("cancel", id) }
func (b *bench) RetryJob(context.Context, job.ID) error       { return errors.New("no such judge") }

// project is a comparison at work, with replies that could not be read.
func project() *bench {
	b := &bench{}
	ballot := eval.Ballot{Judge: "gpt-judge", Criteria: true, Input: eval.SeesImage, Repeat: 1}
	row := job.Row{
		ID: "votes/1/2", Work: eval.Voting, Dataset: "mllm_bench", Asked: "gpt-judge", Model: "qwen-vl-chat", Anchor: "llava-v1.5-13b",
		Comparison: eval.Comparison{A: 1, B: 2, Ballot: ballot},
		Tally:      eval.Tally{Wanted: 840, Stored: 611, Unparsed: 12, Failed: 3, Usage: eval.Usage{Prompt: 412_000, Completion: 21_000}},
		Live:       true, Shares: 2, Cost: 1.04, Priced: true, NoRetry: "it is still at work",
		Progress: eval.Progress{
			State: eval.Running, Rate: 18.4, InFlight: 8, Retrying: 1, CallsLeft: 1894, Cost: 1.04, Priced: true, Budget: 5, Started: clock,
			LastFailure: `transient: endpoint "lab", model "gpt-4o": HTTP status 429: too many requests`,
			Job:         eval.Job{Work: eval.Voting, Comparisons: []eval.Comparison{{A: 1, B: 2}, {A: 1, B: 5}, {A: 1, B: 2, Ballot: ballot}}, LeftOut: []eval.LeftOut{{Reason: "no_answer", Facts: 4}, {Reason: "without_picture", Facts: 750, Asked: true}}},
		},
	}
	row.Votes.Votes[eval.Answer1], row.Votes.Votes[eval.Answer2], row.Votes.Votes[eval.SituationOne] = 320, 271, 20
	b.rows = []job.Row{row}
	b.look = Look{
		Model: 280, Anchor: 311, Unable: 20, Orders: 2,
		Results: Results{Win: 108, Lose: 121, Tie: 60, SituationOne: 7, SituationTwo: 1, Unable: 3, N: 300, Incomplete: 11},
		WinRate: stat.NewRate(108, 300), Same: stat.NewRate(241, 300), First: stat.NewRate(30, 300),
		Second: stat.NewRate(12, 300), Other: stat.NewRate(17, 300), MoreReplies: 9,
		Unparsed: []Reply{
			{Sample: "16", Visibility: blind.AllVisible, Raw: "Both have something to them,\nand \x1b[31mI would not choose.", Earlier: []string{"Hm.", "Let me see\x1b]0;x\a."}},
			{Sample: "16", Visibility: blind.AllVisible, Swapped: true, Raw: "答案1 更好"},
			{Sample: "201", Visibility: blind.TextHidden},
		},
		Failures: []Reply{{Sample: "7", Visibility: blind.AllVisible, Failure: "content filter: sexual\x1b[2J", Kind: eval.FailureSample}},
	}
	b.choices = Choices{
		Datasets: []DatasetChoice{
			{Name: "mmbench_dev", Samples: 1176, Why: "it takes answers of two models, one of them the anchor"},
			{Name: "mllm_bench", Samples: 420, Criteria: 419, Detections: 45, Anchor: 1, Models: []ModelChoice{
				{Run: 2, Name: "qwen-vl-chat", Model: "qwen-vl-chat", Answers: 420},
				{Run: 1, Name: "llava-v1.5-13b", Model: "llava-v1.5-13b", Answers: 420},
				{Run: 5, Name: "otter-7b (run 5)", Model: "otter-7b", Answers: 418},
				{Run: 6, Name: "otter-7b (run 6)", Model: "otter-7b", Answers: 420},
			}},
			{Name: "bare", Samples: 12, Models: []ModelChoice{{Run: 8, Name: "a", Model: "a"}, {Run: 9, Name: "b", Model: "b"}}},
		},
		Judges: []job.ModelChoice{
			{Name: "gpt-4o", Endpoint: "https://api.openai.com/v1", Why: "OPENAI_API_KEY is not set: export OPENAI_API_KEY=…"},
			{Name: "gpt-judge", Endpoint: "https://judge.example.com/v1", Price: eval.Price{Prompt: 2.5, Completion: 10}},
			{Name: "free-judge", Endpoint: "http://localhost:8000/v1"},
		},
		Defaults: Spec{Concurrency: 16},
	}
	return b
}
