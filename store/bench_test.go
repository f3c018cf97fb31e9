package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
)

// benchText is an answer of the mean length of recorded ones, 215 characters.
var benchText = strings.Repeat("The answer is B. ", 13)[:215]

// Record at the concurrency of a busy run: what one writer commits together.
func BenchmarkRecord64(b *testing.B) {
	s := openTest(b, Options{})
	run := addRun(b, s, "m")
	var next atomic.Int64
	b.ResetTimer()
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if err := s.Runs().Record(context.Background(), fact(key(run.ID, int(i), 0), benchText, eval.Found)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "facts/s")
}

func benchFacts(run eval.RunID, from, n int) []eval.Fact {
	facts := make([]eval.Fact, n)
	for i := range facts {
		facts[i] = fact(key(run, from+i, 0), benchText, eval.Found)
	}
	return facts
}

// An import of 100,000 predictions, less the reading of the file.
func BenchmarkRecordAll100k(b *testing.B) {
	for b.Loop() {
		s := openTest(b, Options{})
		run := addRun(b, s, "m")
		for from := 0; from < 100_000; from += 4096 {
			if _, err := s.Runs().RecordAll(context.Background(), benchFacts(run.ID, from, min(4096, 100_000-from))); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// million builds a project of 1,000,000 predictions: 10 runs of 100,000
// samples, and a queue of 10,000 of them.
func million(b *testing.B) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "million.db")
	s := got[*Store](b)(Open(path, Options{NoSync: true}))
	const n = 100_000
	addDataset(b, s, "d", samples(n))
	for r := range 10 {
		run := addRun(b, s, fmt.Sprint("m", r))
		for from := 0; from < n; from += 10_000 {
			got[int](b)(s.Runs().RecordAll(context.Background(), benchFacts(run.ID, from, 10_000)))
		}
	}
	addQueue(b, s, "q", 5, 10_000)
	must(b, s.file.DB().Sync())
	must(b, s.Close())
	return path
}

// The look-ups behind screens, on a project of a million predictions.
func BenchmarkMillion(b *testing.B) {
	path := million(b)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			must(b, got[*Store](b)(Open(path, Options{})).Close())
		}
	})
	b.Run("first-frame", func(b *testing.B) {
		for b.Loop() {
			s := got[*Store](b)(Open(path, Options{}))
			got[[]eval.Dataset](b)(s.Datasets().List())
			for _, run := range got[[]eval.Run](b)(s.Runs().List()) {
				got[eval.Counts](b)(s.Runs().Counts(run.ID))
			}
			for _, q := range got[[]annotate.Queue](b)(s.Queues().List()) {
				got[map[annotate.Annotator]Tally](b)(s.Acts().Tallies(q.Name))
			}
			must(b, s.Close())
		}
	})
	b.Run("scan-questions", func(b *testing.B) {
		s := openAt(b, path, Options{})
		for b.Loop() {
			n := 0
			for _, err := range s.Runs().Questions(context.Background(), got[eval.Run](b)(s.Runs().Run(3))) {
				must(b, err)
				n++
			}
			b.ReportMetric(float64(n), "questions/op")
		}
	})
	b.Run("item-while-writing", func(b *testing.B) { benchItem(b, path) })
}

// benchItem opens items while 64 workers record as fast as they can.
func benchItem(b *testing.B, path string) {
	s := openAt(b, path, Options{})
	run := addRun(b, s, fmt.Sprint("live", rand.Int64()))
	ctx, stop := context.WithCancel(context.Background())
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for ctx.Err() == nil {
				_ = s.Runs().Record(ctx, fact(key(run.ID, int(next.Add(1)), 0), benchText, eval.Found))
			}
		})
	}
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for range b.N {
		time.Sleep(time.Millisecond) // a person
		start := time.Now()
		_, err := s.Queues().Item(ctx, "q", rand.IntN(10_000))
		times = append(times, time.Since(start))
		must(b, err)
	}
	b.StopTimer()
	stop()
	wg.Wait()
	slices.Sort(times)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(times[len(times)*999/1000].Microseconds()), "p99.9-µs")
	b.ReportMetric(float64(times[len(times)-1].Microseconds()), "max-µs")
	b.ReportMetric(float64(next.Load())/b.Elapsed().Seconds(), "facts/s")
}

// Labels of one person, committed by the hundred and one by one.
func BenchmarkAppend(b *testing.B) {
	for _, batch := range []int{1, 100} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			s := openTest(b, Options{NoSync: true})
			const n = 20_000
			addDataset(b, s, "d", samples(n))
			run := addRun(b, s, "m")
			for from := 0; from < n; from += 10_000 {
				got[int](b)(s.Runs().RecordAll(context.Background(), benchFacts(run.ID, from, 10_000)))
			}
			items := make([]annotate.QueueItem, n)
			for i := range items {
				items[i] = annotate.QueueItem{Key: item(run.ID, i, 0), Inclusion: 1}
			}
			must(b, s.Queues().CreateQueue(context.Background(), annotate.Queue{
				Name: "q", Stratum: annotate.Random, Overlap: 1000, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rate: 1},
			}, items))
			acts := make([]annotate.Act, batch)
			next := 0
			b.ResetTimer()
			for b.Loop() {
				for i := range acts {
					who := annotate.Annotator(fmt.Sprint("p", next/n))
					acts[i] = label("q", who, next%n+1, item(run.ID, next%n, 0), "A")
					next++
				}
				must(b, s.Acts().Append(context.Background(), acts))
			}
			b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "acts/s")
		})
	}
}

// Checking everybody's chain of acts, of which people have done so many.
func BenchmarkChains(b *testing.B) {
	for _, n := range []int{100_000, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := openTest(b, Options{NoSync: true})
			const items = 10_000
			addDataset(b, s, "d", samples(items))
			run := addRun(b, s, "m")
			got[int](b)(s.Runs().RecordAll(context.Background(), benchFacts(run.ID, 0, items)))
			rows := make([]annotate.QueueItem, items)
			for i := range rows {
				rows[i] = annotate.QueueItem{Key: item(run.ID, i, 0), Inclusion: 1}
			}
			must(b, s.Queues().CreateQueue(context.Background(), annotate.Queue{
				Name: "q", Stratum: annotate.Random, Overlap: 1000, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rate: 1},
			}, rows))
			for from := 0; from < n; from += 1000 {
				acts := make([]annotate.Act, 1000)
				for i := range acts {
					k := from + i
					acts[i] = label("q", annotate.Annotator(fmt.Sprint("p", k/items)), k%items+1, item(run.ID, k%items, 0), "A")
				}
				must(b, s.Acts().Append(context.Background(), acts))
			}
			for b.Loop() {
				all, damage, err := s.Acts().CheckChains(context.Background(), nil)
				if err != nil || len(damage) > 0 || len(all) != n/items || !all[0].IsWhole() {
					b.Fatal(all, damage, err)
				}
			}
			b.ReportMetric(float64(n), "acts/op")
		})
	}
}
