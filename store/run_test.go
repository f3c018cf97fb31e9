package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestRunRoundTrip(t *testing.T) {
	s := openTest(t, Options{})
	r, ctx := s.Runs(), t.Context()
	c := eval.Config{
		Dataset: "d", Model: "m", Strategy: eval.Circular, Modality: eval.GreyImage, Origin: eval.Imported,
		AllPasses: true, Rules: "mmbench", Synthetic: true, File: "m.xlsx",
	}
	_, err := r.FindRun(c)
	wantErr(t, err, eval.ErrNotFound)
	run := got[eval.Run](t)(r.CreateRun(ctx, c))
	same(t, run, eval.Run{ID: 1, Config: c, Created: clock()})
	same(t, got[eval.Run](t)(r.FindRun(c)), run)
	same(t, got[eval.Run](t)(r.CreateRun(ctx, c)), run)
	same(t, got[eval.Run](t)(r.Run(1)), run)
	c.AllPasses = false
	other := got[eval.Run](t)(r.CreateRun(ctx, c))
	same(t, got[[]eval.Run](t)(r.List()), []eval.Run{run, other})
	wantErr(t, second(r.Run(3)), eval.ErrNotFound)
	wantErr(t, second(r.Counts(3)), eval.ErrNotFound)
	wantErr(t, r.Record(ctx, fact(key(3, 0, 0), "x", eval.Found)), eval.ErrNotFound)
	_, err = r.RecordAll(ctx, []eval.Fact{fact(key(1, 0, 0), "x", eval.Found), fact(key(3, 0, 0), "x", eval.Found)})
	wantErr(t, err, eval.ErrNotFound)
	wantErr(t, second(r.Prediction(key(1, 0, 0))), eval.ErrNotFound)
}

func TestPredictionRoundTrip(t *testing.T) {
	s := openTest(t, Options{})
	run := addRun(t, s, "m")
	full := eval.Prediction{
		Key: key(run.ID, 1<<20, 3), Text: "\x1b[31m\xff\x00 B", Finish: "stop",
		Shown: &eval.Shown{Options: []eval.Option{{Letter: "A", Text: "x"}}, Answer: "A"},
		Usage: eval.Usage{Prompt: 1, Completion: 2, Reasoning: 3}, Latency: 1234567 * time.Microsecond, At: clock(),
	}
	empty := eval.Prediction{Key: key(run.ID, 1<<20, 4)}
	failed := eval.Prediction{Key: key(run.ID, 1<<20, 5), Failure: &eval.Failure{}}
	want := []eval.Prediction{full, empty, failed}
	for _, p := range want {
		must(t, s.Runs().Record(t.Context(), eval.Fact{Prediction: p}))
		same(t, got[eval.Prediction](t)(s.Runs().Prediction(p.Key)), p)
	}
	same(t, all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{})), want)
	same(t, all(t, s.Runs().Predictions(t.Context(), run.ID, empty.Key)), want[1:])
	same(t, got[[]eval.Prediction](t)(s.Runs().LatestPredictions(run.ID, 2)), []eval.Prediction{failed, empty})
	other := addRun(t, s, "other")
	same(t, len(all(t, s.Runs().Predictions(t.Context(), other.ID, eval.Key{}))), 0)
	must(t, s.Runs().Record(t.Context(), fact(key(other.ID, 0, 0), "x", eval.Found)))
	same(t, got[[]eval.Prediction](t)(s.Runs().LatestPredictions(run.ID, 99))[0], failed)
	same(t, len(got[[]eval.Prediction](t)(s.Runs().LatestPredictions(other.ID, 99))), 1)
}

func TestRecordKeepsWhatItHas(t *testing.T) {
	s := openTest(t, Options{})
	r, ctx := s.Runs(), t.Context()
	run := addRun(t, s, "m")
	k := key(run.ID, 0, 0)
	counts := func(want eval.Counts) {
		t.Helper()
		want.Reader = "concord@1"
		same(t, got[eval.Counts](t)(r.Counts(run.ID)), want)
	}
	must(t, r.Record(ctx, failure(k, "limit")))
	wantErr(t, r.Record(ctx, failure(k, "limit")), eval.ErrRecorded)
	counts(eval.Counts{Predictions: 1, Failures: 1})
	must(t, r.Record(ctx, failure(k, "timeout")))
	counts(eval.Counts{Predictions: 1, Failures: 1})
	answer := fact(k, "B", eval.Found)
	answer.Closes = true
	must(t, r.Record(ctx, answer))
	found := eval.Counts{Predictions: 1, Questions: 1}
	found.Statuses[eval.Found] = 1
	counts(found)
	wantErr(t, r.Record(ctx, fact(k, "C", eval.Found)), eval.ErrRecorded)
	wantErr(t, r.Record(ctx, failure(k, "late")), eval.ErrRecorded)
	counts(found)
	same(t, got[eval.Prediction](t)(r.Prediction(k)).Text, "B")
	attempts := got[[]eval.Prediction](t)(r.ReplacedFailures(k))
	same(t, []string{attempts[0].Failure.Message, attempts[1].Failure.Message}, []string{"limit", "timeout"})
	wantErr(t, r.Record(ctx, fact(key(run.ID, 1, 0), "x", eval.Status(200))), ErrInvalid)
}

func TestRecordAllIsIdempotent(t *testing.T) {
	s := openTest(t, Options{})
	r, ctx := s.Runs(), t.Context()
	run := addRun(t, s, "m")
	var facts []eval.Fact
	for i := range 100 {
		facts = append(facts, fact(key(run.ID, 99-i, 0), "text", eval.Found))
	}
	facts = append(facts, failure(key(run.ID, 100, 0), "no"), fact(key(run.ID, 5, 0), "second of one key", eval.None))
	if n := got[int](t)(r.RecordAll(ctx, facts)); n != 101 {
		t.Errorf("added %d", n)
	}
	for i := range facts { // read from the file again, later
		facts[i].Prediction.At = clock().Add(time.Hour)
	}
	if n := got[int](t)(r.RecordAll(ctx, facts)); n != 0 {
		t.Errorf("added %d again", n)
	}
	if n := got[int](t)(r.RecordAll(ctx, []eval.Fact{fact(key(run.ID, 100, 0), "yes", eval.Missing)})); n != 1 {
		t.Errorf("added %d over a failure", n)
	}
	c := got[eval.Counts](t)(r.Counts(run.ID))
	if c.Predictions != 101 || c.Failures != 0 || c.Statuses[eval.Found] != 100 || c.Statuses[eval.Missing] != 1 {
		t.Errorf("%+v", c)
	}
	same(t, got[eval.Prediction](t)(r.Prediction(key(run.ID, 5, 0))).Text, "text")
	if n := got[int](t)(r.RecordAll(ctx, nil)); n != 0 {
		t.Error("added nothing")
	}
}

func TestCountsKnowTheirReader(t *testing.T) {
	s := openTest(t, Options{})
	r, ctx := s.Runs(), t.Context()
	run := addRun(t, s, "m")
	must(t, r.Record(ctx, fact(key(run.ID, 0, 0), "x", eval.Found)))
	newer := fact(key(run.ID, 1, 0), "x", eval.None)
	newer.Reader = "concord@2"
	must(t, r.Record(ctx, newer))
	if c := got[eval.Counts](t)(r.Counts(run.ID)); c.Reader != "" || c.Predictions != 2 {
		t.Errorf("mixed: %+v", c)
	}
	again := eval.Counts{Predictions: 2, Questions: 2, Reader: "concord@2"}
	again.Statuses[eval.None] = 2
	was := got[eval.Counts](t)(r.Counts(run.ID))
	must(t, r.SetCounts(ctx, run.ID, was, again))
	same(t, got[eval.Counts](t)(r.Counts(run.ID)), again)
	fewer := again
	fewer.Predictions = 1
	wantErr(t, r.SetCounts(ctx, run.ID, again, fewer), ErrChanged)
	wantErr(t, r.SetCounts(ctx, 9, again, again), eval.ErrNotFound)

	// A judgment that closes its question changes no number of predictions.
	must(t, s.Judgments().RecordJudgment(ctx, judged(key(run.ID, 1, 0), "gpt", eval.Found), true))
	wantErr(t, r.SetCounts(ctx, run.ID, again, again), ErrChanged)
	same(t, got[eval.Counts](t)(r.Counts(run.ID)).Questions, again.Questions+1)
}

func TestQuestions(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(600))
	run, other := addRun(t, s, "m"), addRun(t, s, "n")
	ctx := t.Context()
	for _, k := range []eval.Key{
		key(run.ID, 0, 1), key(run.ID, 0, 0), key(run.ID, 300, 2), key(run.ID, 599, 0),
		key(run.ID, 700, 0), key(other.ID, 1, 0),
	} {
		must(t, s.Runs().Record(ctx, fact(k, k.String(), eval.Found)))
	}
	read := func() (passes string, n int, errs []error) {
		for q, err := range s.Runs().Questions(ctx, run) {
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if int(q.Sample.Ordinal) < n {
				t.Fatalf("ordinal %d at %d", q.Sample.Ordinal, n)
			}
			for _, p := range q.Predictions {
				passes += fmt.Sprintf("%d.%d ", q.Sample.Ordinal, p.Pass)
			}
			n++
		}
		return passes, n, errs
	}
	if passes, n, errs := read(); passes != "0.0 0.1 300.2 599.0 " || n != 600 || errs != nil {
		t.Errorf("%q of %d, %v", passes, n, errs)
	}
	must(t, s.file.Apply(t.Context(), 0, func(tx *file.Tx) error {
		return errors.Join(
			tx.Table(record.TablePredictions).Put(record.PredictionKey(key(run.ID, 0, 1)), []byte{record.RecordVersion, 9}),
			tx.Table(record.TableSamples).Put(record.SampleKey("d", 300), nil))
	}))
	if passes, n, errs := read(); passes != "0.0 599.0 " || n != 599 || len(errs) != 2 {
		t.Errorf("%q of %d, %v", passes, n, errs)
	}
	wantErr(t, s.Runs().Record(ctx, fact(key(run.ID, 0, 1), "x", eval.Found)), ErrCorrupt)
	run.Config.Dataset = "none"
	for _, err := range s.Runs().Questions(ctx, run) {
		wantErr(t, err, eval.ErrNotFound)
	}
}

// Facts that come from many goroutines at once share commits; none is lost,
// each of several claimants of one key but the first is told, and the counts
// are exact.
func TestRecordTogether(t *testing.T) {
	s := openTest(t, Options{})
	run := addRun(t, s, "m")
	const workers, each = 16, 40
	var wg sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				// Two workers claim each key.
				k := key(run.ID, (w/2)*each+i, 0)
				err := s.Runs().Record(context.Background(), fact(k, fmt.Sprint(w), eval.Found))
				if errors.Is(err, eval.ErrRecorded) {
					mu.Lock()
					refused++
					mu.Unlock()
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	c := got[eval.Counts](t)(s.Runs().Counts(run.ID))
	if want := workers * each / 2; c.Predictions != want || c.Statuses[eval.Found] != want || refused != want {
		t.Errorf("%+v, %d refused, want %d", c, refused, want)
	}
	if n := len(all(t, s.Runs().Predictions(t.Context(), run.ID, eval.Key{}))); n != c.Predictions {
		t.Errorf("%d stored, %d counted", n, c.Predictions)
	}
}

// A call whose context ends during its commit tells what came of it.
func TestRecordAfterCancel(t *testing.T) {
	s := openTest(t, Options{})
	run := addRun(t, s, "m")
	recorded := 0
	for i := range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		err := s.Runs().Record(ctx, fact(key(run.ID, i, 0), "x", eval.Found))
		if err == nil {
			recorded++
		} else {
			wantErr(t, err, context.Canceled)
		}
	}
	if c := got[eval.Counts](t)(s.Runs().Counts(run.ID)); c.Predictions != recorded {
		t.Errorf("%d stored, %d acknowledged", c.Predictions, recorded)
	}
}
