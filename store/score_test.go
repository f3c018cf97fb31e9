package store

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"concord/eval"
	"concord/store/record"
)

// scored is a judge's score, as if it had replied so; 0 for a reply without.
func scored(k eval.Key, judge string, value int) eval.Score {
	return eval.Score{Key: k, Judge: judge, Value: value, Raw: string(rune('0' + value)), Call: eval.Call{At: clock(), Usage: eval.Usage{Prompt: 1}}}
}

func TestScores(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	run, other := addRun(t, s, "a").ID, addRun(t, s, "b").ID
	ctx, scores := t.Context(), s.Scores()
	put := func(all ...eval.Score) {
		t.Helper()
		for _, one := range all {
			must(t, scores.RecordScore(ctx, one))
		}
	}
	first := []eval.Score{scored(key(run, 1, 0), "gpt", 4), scored(key(run, 0, 0), "gpt", 0), scored(key(other, 0, 0), "gpt", 1)}
	put(first...)
	again := scored(key(run, 0, 0), "gpt", 5)
	down := scored(key(run, 2, 0), "gpt", 0)
	down.Failure = &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
	long := scored(key(run, 1, 0), "gpt-4", 2)
	put(again, down, long)

	same(t, all(t, scores.Calls(ctx, run)), []eval.Score{first[1], again, first[0], long, down})
	same(t, got[[]eval.Score](t)(scores.OfPrediction(key(run, 0, 0))), []eval.Score{first[1], again})
	same(t, len(got[[]eval.Score](t)(scores.OfPrediction(key(run, 2, 0)))), 0)

	gpt := eval.ScoreCounts{Values: [eval.TopScore + 1]int{4: 1, 5: 1}, Failures: 1, Usage: eval.Usage{Prompt: 4}}
	four := eval.ScoreCounts{Values: [eval.TopScore + 1]int{2: 1}, Usage: eval.Usage{Prompt: 1}}
	same(t, got[[]eval.ScoreProgress](t)(scores.Counts(run)), []eval.ScoreProgress{{Judge: "gpt", Counts: gpt}, {Judge: "gpt-4", Counts: four}})

	for _, bad := range []eval.Score{scored(key(run, 0, 0), "gpt", 6), scored(key(run, 0, 0), "gpt", -1), scored(key(run, 0, 0), "", 1)} {
		wantErr(t, scores.RecordScore(ctx, bad), ErrInvalid)
	}
	wantErr(t, scores.RecordScore(ctx, scored(key(9, 2, 0), "gpt", 3)), eval.ErrNotFound)
	same(t, len(got[[]eval.Score](t)(scores.OfPrediction(key(run, 2, 0)))), 0)
}

func TestRecordScore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, Options{})
	addDataset(t, s, "d", samples(40))
	run := addRun(t, s, "a").ID
	ctx := t.Context()
	down := scored(key(run, 0, 0), "gpt", 0)
	down.Failure = &eval.Failure{Kind: eval.FailureTransient, Message: "busy"}
	four := scored(key(run, 0, 0), "gpt", 4)
	for _, one := range []eval.Score{down, four, four, down} { // none is left out
		must(t, s.Scores().RecordScore(ctx, one))
	}
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			if err := s.Scores().RecordScore(ctx, scored(key(run, i, 0), "gpt", 1)); err != nil {
				t.Error(err)
			}
			if err := s.Scores().RecordScore(ctx, scored(key(9, i, 0), "gpt", 1)); err == nil {
				t.Error("a score of no run was taken")
			}
		})
	}
	group.Wait()
	must(t, s.Close())

	s = openAt(t, path, Options{})
	same(t, len(all(t, s.Scores().Calls(ctx, run))), 44)
	want := eval.ScoreCounts{Values: [eval.TopScore + 1]int{1: 40}, Usage: eval.Usage{Prompt: 44}}
	same(t, got[[]eval.ScoreProgress](t)(s.Scores().Counts(run)), []eval.ScoreProgress{{Judge: "gpt", Counts: want}})
}

func TestCaptions(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(2))
	addDataset(t, s, "e", samples(1))
	ctx, captions := t.Context(), s.Captions()
	says := func(d eval.DatasetName, o eval.Ordinal, text string) eval.Caption {
		return eval.Caption{Dataset: d, Sample: o, Model: "llava", Text: text, Call: eval.Call{Prompt: "p", Usage: eval.Usage{Completion: 9}, At: clock()}}
	}
	put := func(want int, all ...eval.Caption) {
		t.Helper()
		same(t, got[int](t)(captions.Put(ctx, all)), want)
	}
	dog, cat, other := says("d", 1, "a dog"), says("d", 1, "a cat"), says("e", 0, "a fish")
	put(2, dog, other)
	put(0, dog, other)
	put(1, cat)
	put(1, dog) // it stands no longer
	failed := says("d", 0, "")
	failed.Failure = &eval.Failure{Kind: eval.FailureSample, Message: "no image"}
	must(t, captions.RecordCaption(ctx, failed))
	must(t, captions.RecordCaption(ctx, dog))
	same(t, got[[]eval.Caption](t)(captions.OfSample("d", 1)), []eval.Caption{dog, cat, dog, dog})
	same(t, all(t, captions.All(ctx, "d")), []eval.Caption{failed, dog, cat, dog, dog})
	same(t, all(t, captions.All(ctx, "e")), []eval.Caption{other})
	wantErr(t, captions.RecordCaption(ctx, says("d", 2, "x")), eval.ErrNotFound)
	wantErr(t, second(captions.Put(ctx, []eval.Caption{cat, says("f", 0, "x")})), eval.ErrNotFound)
	same(t, len(got[[]eval.Caption](t)(captions.OfSample("d", 1))), 4)
}

func TestDetections(t *testing.T) {
	s := openTest(t, Options{})
	addDataset(t, s, "d", samples(3))
	ctx, detections := t.Context(), s.Detections()
	found := func(o eval.Ordinal, labels ...string) eval.Detected {
		d := eval.Detected{Dataset: "d", Sample: o, Objects: []eval.Detection{}, At: clock()}
		for i, l := range labels {
			d.Objects = append(d.Objects, eval.Detection{Label: l, Confidence: 0.5, X2: float64(i)})
		}
		return d
	}
	put := func(want int, all ...eval.Detected) {
		t.Helper()
		same(t, got[int](t)(detections.Put(ctx, all)), want)
	}
	dog, none := found(0, "dog", "sofa"), found(1)
	put(2, dog, none)
	put(0, dog, none)
	put(1, found(0, "cat"))
	put(1, dog)
	same(t, got[[]eval.Detection](t)(detections.OfSample("d", 0)), dog.Objects)
	nothing := got[[]eval.Detection](t)(detections.OfSample("d", 1))
	same(t, nothing != nil && len(nothing) == 0, true)
	same(t, got[[]eval.Detection](t)(detections.OfSample("d", 2)) == nil, true)
	same(t, slices.Collect(func(yield func(int) bool) {
		for _, d := range all(t, detections.All(ctx, "d")) {
			yield(len(d.Objects))
		}
	}), []int{2, 1, 2, 0})
	wantErr(t, second(detections.Put(ctx, []eval.Detected{found(3)})), eval.ErrNotFound)
}

func TestSixthSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, Options{})
	addDataset(t, s, "d", samples(1))
	run := addRun(t, s, "a").ID
	must(t, s.Close())
	older(t, path, 5, record.TableScores, record.TableScorers, record.TableCaptions, record.TableDetections)
	wantErr(t, second(Open(path, Options{ReadOnly: true})), ErrOlderSchema)
	s = openAt(t, path, Options{})
	must(t, s.Scores().RecordScore(t.Context(), scored(key(run, 0, 0), "gpt", 3)))
}
