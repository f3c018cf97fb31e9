package store

import (
	"fmt"
	"testing"
	"time"

	"concord/eval"
)

// judged is what the judge says of a prediction.
func judged(k eval.Key, judge string, status eval.Status) eval.Judgment {
	j := eval.Judgment{Key: k, Judge: judge, Raw: "raw", Call: eval.Call{Setup: "s", Finish: "stop", At: clock(), Usage: eval.Usage{Prompt: 10}}}
	if j.Extraction.Status = status; status == eval.Found {
		j.Extraction.Choice = "A"
	}
	return j
}

func unjudged(k eval.Key, judge, message string) eval.Judgment {
	j := judged(k, judge, eval.StatusUnset)
	j.Raw, j.Finish = "", ""
	j.Failure = &eval.Failure{Kind: eval.FailureTransient, Message: message, After: time.Second, Status: 503}
	return j
}

func judgedRun(t testing.TB, s *Store, judges ...string) eval.Run {
	t.Helper()
	c := eval.Config{Dataset: "d", Model: "m", Strategy: eval.Circular, Origin: eval.Asked, Rules: "concord"}
	for _, j := range judges {
		c.Settings.Judges = append(c.Settings.Judges, eval.JudgeSetup{Judge: j})
	}
	return got[eval.Run](t)(s.Runs().CreateRun(t.Context(), c))
}

func TestRecordJudgment(t *testing.T) {
	s := openTest(t, Options{})
	run := judgedRun(t, s, "gpt")
	j, ctx := s.Judgments(), t.Context()
	k := key(run.ID, 0, 0)
	must(t, s.Runs().Record(ctx, fact(k, "??", eval.Missing)))
	counts := func(want eval.JudgeCounts) {
		t.Helper()
		same(t, got[[]eval.JudgeProgress](t)(j.Counts(run.ID)), []eval.JudgeProgress{{Judge: "gpt", Counts: want}})
	}
	down, up := unjudged(k, "gpt", "down"), judged(k, "gpt", eval.Found)
	must(t, j.RecordJudgment(ctx, down, false))
	must(t, j.RecordJudgment(ctx, down, false))
	counts(eval.JudgeCounts{Failures: 1, Usage: eval.Usage{Prompt: 20}})
	same(t, len(got[[]eval.Judgment](t)(j.OfPrediction(k))), 0)
	same(t, got[eval.Counts](t)(s.Runs().Counts(run.ID)).Questions, 0)

	must(t, j.RecordJudgment(ctx, up, true))
	c := eval.JudgeCounts{Judged: 1, Usage: eval.Usage{Prompt: 30}}
	c.Statuses[eval.Found] = 1
	counts(c)
	same(t, got[[]eval.Judgment](t)(j.OfPrediction(k)), []eval.Judgment{up})
	same(t, got[[]eval.Judgment](t)(j.Attempts(k)), []eval.Judgment{down, down, up})
	same(t, len(all(t, j.Calls(ctx, run.ID))), 3)
	run1 := got[eval.Counts](t)(s.Runs().Counts(run.ID))
	same(t, run1.Questions, 1)
	same(t, run1.Reader, "concord@1")

	// A fallback takes the place of a reply that does not parse.
	random := judged(k, "gpt", eval.Found)
	random.Extraction.Method = eval.Fallback
	must(t, j.RecordJudgment(ctx, random, false))
	c.Statuses[eval.Found], c.Statuses[eval.Missing] = 0, 1
	c.Fallback, c.Usage.Prompt = 1, 40
	counts(c)

	wantErr(t, j.RecordJudgment(ctx, judged(key(99, 0, 0), "gpt", eval.Found), false), eval.ErrNotFound)
	wantErr(t, j.RecordJudgment(ctx, judged(k, "gpt", eval.Status(9)), false), ErrInvalid)
	wantErr(t, j.RecordJudgment(ctx, judged(k, "", eval.Found), false), ErrInvalid)
}

// What a file says of a run's passes may open or close its questions: only a
// new count knows.
func TestImportedJudgmentsOutdateCounts(t *testing.T) {
	s := openTest(t, Options{})
	run := judgedRun(t, s, "gpt", "qwen")
	k := key(run.ID, 0, 0)
	must(t, s.Runs().Record(t.Context(), fact(k, "??", eval.Missing)))
	reader := func(judge, want string) {
		t.Helper()
		got[int](t)(s.Judgments().Put(t.Context(), []eval.Judgment{judged(k, judge, eval.Found)}))
		same(t, got[eval.Counts](t)(s.Runs().Counts(run.ID)).Reader, want)
	}
	reader("qwen", "concord@1")
	reader("gpt", "")
}

// The results of a batch and the errors of an earlier one come in any order,
// and more than once: a failed call never takes the place of a reading.
func TestImportedFailuresOfJudges(t *testing.T) {
	s := openTest(t, Options{})
	run := judgedRun(t, s)
	k := key(run.ID, 0, 0)
	must(t, s.Runs().Record(t.Context(), fact(k, "??", eval.Missing)))
	put := func(want int, j eval.Judgment) {
		t.Helper()
		same(t, got[int](t)(s.Judgments().Put(t.Context(), []eval.Judgment{j})), want)
	}
	put(1, unjudged(k, "gpt", "down"))
	put(0, unjudged(k, "gpt", "down"))
	put(1, unjudged(k, "gpt", "still down"))
	put(1, judged(k, "gpt", eval.Found))
	put(0, unjudged(k, "gpt", "down"))
	put(0, unjudged(k, "gpt", "late"))
	put(0, judged(k, "gpt", eval.Found))
	c := got[[]eval.JudgeProgress](t)(s.Judgments().Counts(run.ID))[0].Counts
	if c.Judged != 1 || c.Failures != 0 {
		t.Errorf("%+v", c)
	}
}

func TestQuestionsWithJudgments(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(600)) // more than a chunk
	run, other := judgedRun(t, s, "gpt"), addRun(t, s, "other")
	ctx := t.Context()
	for i := range 600 {
		must(t, s.Runs().Record(ctx, fact(key(run.ID, i, 0), "??", eval.Missing)))
	}
	same(t, len(all(t, s.Runs().Questions(ctx, run))[7].Judgments), 0)
	for i := 0; i < 600; i += 2 {
		k := key(run.ID, i, 0)
		must(t, s.Judgments().RecordJudgment(ctx, unjudged(k, "gpt", "down"), false))
		must(t, s.Judgments().RecordJudgment(ctx, judged(k, "gpt", eval.None), false))
		must(t, s.Judgments().RecordJudgment(ctx, unjudged(k, "qwen", "down"), false))
	}
	for i, q := range all(t, s.Runs().Questions(ctx, run)) {
		k := key(run.ID, i, 0)
		var want []eval.Judgment
		if i%2 == 0 {
			want = []eval.Judgment{judged(k, "gpt", eval.None), unjudged(k, "qwen", "down")}
		}
		same(t, q.Judgments, want)
	}
	for _, q := range all(t, s.Runs().Questions(ctx, other)) {
		same(t, len(q.Judgments), 0)
	}
}

func TestFailures(t *testing.T) {
	s := openTest(t, Options{})
	run, other := addRun(t, s, "m"), addRun(t, s, "n")
	ctx := t.Context()
	for i := range 300 {
		must(t, s.Runs().Record(ctx, failure(key(run.ID, i, 0), fmt.Sprint("no ", i))))
	}
	must(t, s.Runs().Record(ctx, failure(key(other.ID, 0, 0), "other")))
	must(t, s.Runs().Record(ctx, fact(key(run.ID, 299, 0), "x", eval.Found)))
	got[int](t)(s.Runs().RecordAll(ctx, []eval.Fact{fact(key(run.ID, 297, 0), "x", eval.Found), failure(key(run.ID, 300, 1), "last")}))
	var messages []string
	for _, p := range got[[]eval.Prediction](t)(s.Runs().FailedPredictions(ctx, run.ID, 3)) {
		messages = append(messages, p.Failure.Message)
	}
	same(t, messages, []string{"last", "no 298", "no 296"})
	same(t, len(got[[]eval.Prediction](t)(s.Runs().FailedPredictions(ctx, run.ID, 9999))), maxLatest)
	same(t, len(got[[]eval.Prediction](t)(s.Runs().FailedPredictions(ctx, 99, 3))), 0)
}

func TestTexts(t *testing.T) {
	s := openTest(t, Options{})
	hash := got[string](t)(s.Texts().Put(t.Context(), "abc"))
	same(t, hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
	same(t, got[string](t)(s.Texts().Put(t.Context(), "abc")), hash)
	same(t, string(got[[]byte](t)(s.Texts().Text(hash))), "abc")
	wantErr(t, second(s.Texts().Text("00"+hash[2:])), eval.ErrNotFound)
	wantErr(t, second(s.Texts().Text("abc")), ErrInvalid)
}

func TestSettings(t *testing.T) {
	s := openTest(t, Options{})
	r, ctx := s.Runs(), t.Context()
	plain := eval.Config{Dataset: "d", Model: "m", Strategy: eval.Circular, Origin: eval.Asked}
	asked := plain
	asked.Settings = eval.Settings{
		Endpoint: "https://x/v1", Name: "m-1", Params: "{}", Shots: 2, Seed: 3, Fallback: true,
		Prompts:   []eval.PromptRef{{Name: "choice", Hash: "h"}},
		Exemplars: []eval.Exemplar{{Sample: "s", Options: []eval.Option{{Letter: "A", Text: "t"}}, Answer: "A"}},
		Judges:    []eval.JudgeSetup{{Judge: "gpt", Prompts: []eval.PromptRef{{Name: "extract-choice"}}, Pseudo: "Z"}},
	}
	warmer := asked
	warmer.Settings.Params = `{"temperature":1}`
	runs := make([]eval.Run, 3)
	for i, c := range []eval.Config{plain, asked, warmer} {
		runs[i] = got[eval.Run](t)(r.CreateRun(ctx, c))
		same(t, runs[i].Config, c)
		same(t, got[eval.Run](t)(r.FindRun(c)), runs[i])
		same(t, got[eval.Run](t)(r.Run(eval.RunID(i+1))), runs[i])
	}
	same(t, got[[]eval.Run](t)(r.SimilarRuns(ctx, asked)), runs[1:])
	other := asked
	other.Modality = eval.TextOnly
	same(t, len(got[[]eval.Run](t)(r.SimilarRuns(ctx, other))), 0)
}

// Judgments beside what was read out of columns are those beside the texts, less their own.
func TestJudgmentsBesideColumns(t *testing.T) {
	s, run := readable(t, Options{Cache: t.TempDir()})
	j, ctx, rules := s.Judgments(), t.Context(), firstLetter{"1"}
	for i := range 40 {
		k := key(run.ID, 15*i, 0)
		must(t, j.RecordJudgment(ctx, unjudged(k, "gpt", "down"), false))
		must(t, j.RecordJudgment(ctx, judged(k, "gpt", eval.Found), false))
		must(t, j.RecordJudgment(ctx, judged(k, "claude", eval.Missing), false))
	}
	want := all(t, s.Runs().Questions(ctx, run))
	for range 2 {
		have := all(t, j.JoinToQuestions(ctx, s.Runs().Readings(ctx, run, rules), run.ID))
		same(t, len(have), len(want))
		for i := range have {
			for n := range want[i].Judgments {
				dropTexts(&want[i].Judgments[n])
			}
			same(t, have[i].Judgments, want[i].Judgments)
		}
	}
	same(t, len(want[15].Judgments), 2)
}
