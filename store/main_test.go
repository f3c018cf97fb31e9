package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
)

// Some tests need a second process: the test binary is run again with one of
// these in the environment.
const (
	childEnv  = "CONCORD_STORE_CHILD"
	childFile = "CONCORD_STORE_FILE"
)

func TestMain(m *testing.M) {
	path := os.Getenv(childFile)
	switch os.Getenv(childEnv) {
	case "open":
		_, err := Open(path, Options{})
		_, errRead := Open(path, Options{ReadOnly: true})
		fmt.Println(errors.Is(err, ErrLocked), errors.Is(errRead, ErrLocked))
		return
	case "write":
		crashChild(path)
		return
	}
	os.Exit(m.Run())
}

// clock is a time that tests can compare: it survives storage unchanged.
func clock() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.UTC) }

func openTest(t testing.TB, o Options) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "p.db"), o)
}

func openAt(t testing.TB, path string, o Options) *Store {
	t.Helper()
	if o.Now == nil {
		o.Now = clock
	}
	s, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func got[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func all[T any](t testing.TB, seq iter.Seq2[T, error]) []T {
	t.Helper()
	out, err := file.Collect(seq)
	must(t, err)
	return out
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

// samples are n plain samples of two options each.
func samples(n int) []dataset.Item {
	items := make([]dataset.Item, n)
	for i := range items {
		items[i].Sample = eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(fmt.Sprint(i)), Kind: eval.KindChoice,
			Question: fmt.Sprintf("what is in image %d?", i),
			Options:  []eval.Option{{Letter: "A", Text: "a cat"}, {Letter: "B", Text: "a dog"}},
			Answer:   "B", Taxonomy: []string{"perception", "objects"},
		}
	}
	return items
}

func addDataset(t testing.TB, s *Store, name eval.DatasetName, items []dataset.Item) {
	t.Helper()
	d := eval.Dataset{Name: name, Samples: len(items), Hash: "h"}
	ctx := context.Background()
	must(t, s.Datasets().BeginDataset(ctx, d))
	for len(items) > 0 {
		n := min(len(items), 5000)
		must(t, s.Datasets().PutSamples(ctx, name, items[:n]))
		items = items[n:]
	}
	must(t, s.Datasets().FinishDataset(ctx, d))
}

func addRun(t testing.TB, s *Store, model string) eval.Run {
	t.Helper()
	return got[eval.Run](t)(s.Runs().CreateRun(context.Background(), eval.Config{
		Dataset: "d", Model: model, Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Replayed,
		Rules: "concord",
	}))
}

func key(run eval.RunID, o int, p int) eval.Key {
	return eval.Key{Run: run, Sample: eval.Ordinal(o), Pass: eval.Pass(p)}
}

func item(run eval.RunID, o int, p int) annotate.ItemKey { return annotate.NewItemKey(key(run, o, p)) }

// fact is a prediction that is read as status.
func fact(k eval.Key, text string, status eval.Status) eval.Fact {
	f := eval.Fact{Prediction: eval.Prediction{Key: k, Text: text, At: clock()}, Reader: "concord@1"}
	if f.Reading.Status = status; status == eval.Found {
		f.Reading.Choice = "A"
	}
	return f
}

func failure(k eval.Key, message string) eval.Fact {
	f := fact(k, "", eval.StatusUnset)
	f.Prediction.Failure = &eval.Failure{Kind: eval.FailureTransient, Message: message}
	return f
}

// addQueue makes a queue of the first n samples of a run, in pass 0.
func addQueue(t testing.TB, s *Store, name annotate.QueueName, run eval.RunID, n int) {
	t.Helper()
	items := make([]annotate.QueueItem, n)
	for i := range items {
		items[i] = annotate.QueueItem{Key: item(run, i, 0), Inclusion: 0.5}
	}
	q := annotate.Queue{
		Name: name, Stratum: annotate.Random, Overlap: 3, Growing: true,
		Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rate: 0.5},
	}
	must(t, s.Queues().CreateQueue(context.Background(), q, items))
}

func label(q annotate.QueueName, who annotate.Annotator, n int, k annotate.ItemKey, c eval.Choice) annotate.Act {
	return annotate.Act{
		Queue: q, Annotator: who, N: uint32(n), Item: k, Kind: annotate.Labelled, At: clock(),
		Reading: annotate.Reading{Kind: annotate.PickedOption, Choice: c},
	}
}
