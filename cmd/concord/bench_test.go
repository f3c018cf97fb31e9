package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/session"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/server"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui"
)

const (
	benchPredictions = 1_000_000
	benchItems       = 20_000
)

// currentRules names the default rules in today's version: totals of an earlier one would be counted
// anew while something else is measured.
func currentRules() string {
	s, err := extract.BuiltInSet(extract.Default)
	if err != nil {
		panic(err) // it is built in
	}
	return eval.ReaderID(s)
}

// benchProject is a project of a million predictions, of which a queue holds
// some, and a run that is still to be asked.
func benchProject(b *testing.B) (path string, next eval.Run) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "p.db")
	st, err := store.Open(path, store.Options{})
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	must(err)
	ctx := b.Context()
	d := eval.Dataset{Name: "d", Samples: benchPredictions, Hash: "h"}
	must(st.Datasets().BeginDataset(ctx, d))
	config := eval.Config{Dataset: "d", Model: "million", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported}
	run, err := st.Runs().CreateRun(ctx, config)
	must(err)
	text := strings.Repeat("The image shows a street with two cars and a dog. ", 4)
	var queued []annotate.QueueItem
	for from := 0; from < benchPredictions; from += 20_000 {
		var items []dataset.Item
		var facts []eval.Fact
		for i := from; i < from+20_000; i++ {
			items = append(items, dataset.Item{Sample: eval.Sample{
				Ordinal: eval.Ordinal(i), ID: eval.SampleID("sample-" + strconv.Itoa(i)), Kind: eval.KindChoice, Question: "What is there?", Answer: "A",
				Options: []eval.Option{{Letter: "A", Text: "a horse"}, {Letter: "B", Text: "a boat"}, {Letter: "C", Text: "a tree"}},
			}})
			k := eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}
			facts = append(facts, eval.Fact{Prediction: eval.Prediction{Key: k, Text: text}, Reading: eval.Extraction{Status: eval.Missing}, Reader: currentRules(), Closes: true})
			if i%(benchPredictions/benchItems) == 0 {
				queued = append(queued, annotate.QueueItem{Index: len(queued), Key: annotate.NewItemKey(k), Inclusion: 0.02})
			}
		}
		must(st.Datasets().PutSamples(ctx, "d", items))
		_, err := st.Runs().RecordAll(ctx, facts)
		must(err)
	}
	must(st.Datasets().FinishDataset(ctx, d))
	must(st.Queues().CreateQueue(ctx, annotate.Queue{
		Name: "q", Rule: annotate.Rule{Dataset: "d", Runs: []eval.RunID{run.ID}, From: annotate.FromUnparsable, Rules: currentRules(), Rate: 0.02, Order: annotate.ByDisagreement},
		Stratum: annotate.Random, Overlap: 1, Population: benchPredictions,
	}, queued))
	config.Model, config.Origin = "running", eval.Replayed
	next, err = st.Runs().CreateRun(ctx, config)
	must(err)
	must(st.Close())
	return path, next
}

// BenchmarkFirstFrame is the time from opening the project of a million
// predictions to a view that shows its runs; the claim is 150 ms.
func BenchmarkFirstFrame(b *testing.B) {
	path, _ := benchProject(b)
	b.ResetTimer()
	for b.Loop() {
		st, err := store.Open(path, store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		p := newPlayer(b, benchModel(b.Context(), st, path, session.NewJournal(st.Acts(), nil), tui.Start{}), 80, 24)
		p.until("million")
		b.StopTimer()
		p.rest()
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func benchModel(ctx context.Context, st *store.Store, path string, j *session.Journal, s tui.Start) tea.Model {
	a := newTestApp(cli.Streams{Out: io.Discard, Err: io.Discard}, path)
	h, err := server.OpenState(ctx, a, st, nil, nil)
	if err != nil {
		panic(err) // it starts nothing
	}
	v := h.OpenConnection(server.ScreenOptions{As: "ann", Start: s})
	v.Saved.Journal = j
	return tui.New(ctx, v.NewAppDeps(ctx))
}

// BenchmarkNextItem is the time from a label's key to a view of the next
// item, on a project of a million predictions while a run writes as fast as
// it can; the claim is 16 ms. The worst and the 99th percentile are printed.
func BenchmarkNextItem(b *testing.B) {
	path, run := benchProject(b)
	st, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	journal := session.NewJournal(st.Acts(), nil)
	ctx, cancel := context.WithCancel(b.Context())
	written := benchWriters(ctx, st, run)
	p := newPlayer(b, benchModel(ctx, st, path, journal, tui.Start{Tab: tui.TabReview, Queue: "q"}), 80, 24)
	p.until("sample-0")
	p.rest()
	var took []time.Duration
	start, before := time.Now(), written.Load()
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		want := fmt.Sprintf("sample-%d", (i+1)*(benchPredictions/benchItems))
		began := time.Now()
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1")})
		p.until(want)
		took = append(took, time.Since(began))
		b.StopTimer()
		p.rest()
		b.StartTimer()
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "worst-ms")
	b.ReportMetric(float64(written.Load()-before)/time.Since(start).Seconds(), "written/s")
	cancel()
	if err := journal.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // writers see the end
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPalette is the time from a key in the palette to a view of what it
// finds, on the same project, while samples are searched for the key before;
// the claim is 16 ms.
func BenchmarkPalette(b *testing.B) {
	path, _ := benchProject(b)
	st, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := newPlayer(b, benchModel(b.Context(), st, path, session.NewJournal(st.Acts(), nil), tui.Start{}), 80, 24)
	p.until("million")
	p.send(tea.KeyMsg{Type: tea.KeyCtrlP})
	p.until("Go to, or do")
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		r := "sample-0"[i%8]
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(r)}})
		p.until("sample-0"[:i%8+1] + "▏")
		if i%8 == 7 {
			p.send(tea.KeyMsg{Type: tea.KeyCtrlU})
			p.until("a part of its name")
		}
	}
	b.StopTimer()
	p.rest()
	if err := st.Close(); err != nil {
		b.Fatal(err)
	}
}

// benchWriters record the run's predictions as an evaluation does.
func benchWriters(ctx context.Context, st *store.Store, run eval.Run) *atomic.Int64 {
	var next, done atomic.Int64
	for range 16 {
		go func() {
			for ctx.Err() == nil {
				k := eval.Key{Run: run.ID, Sample: eval.Ordinal(next.Add(1) - 1)}
				f := eval.Fact{
					Prediction: eval.Prediction{Key: k, Text: "Answer: A"}, Reading: eval.Extraction{Status: eval.Found, Choice: "A"},
					Reader: currentRules(), Closes: true,
				}
				if st.Runs().Record(ctx, f) == nil {
					done.Add(1)
				}
			}
		}()
	}
	return &done
}

// BenchmarkImport100k imports 100,000 predictions with their questions from
// JSON lines into a new project, as the command does; the claim is 10 s.
func BenchmarkImport100k(b *testing.B) {
	var lines strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&lines, `{"id":"%d","question":"What is in image %d?","options":{"A":"a horse","B":"a boat","C":"a tree"},`+
			`"answer":"A","category":"c%d","prediction":"The image shows a street with two cars. %s So the answer is B."}`+"\n",
			i, i, i%7, strings.Repeat("There is a dog. ", 8))
	}
	file := filepath.Join(b.TempDir(), "p.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		project := filepath.Join(b.TempDir(), "p.db")
		var errs strings.Builder
		code := runProgram(b.Context(), []string{"import", "predictions", file, "--dataset", "d", "--model", "m", "-p", project},
			cli.Streams{Out: io.Discard, Err: &errs})
		if code != cli.ExitDone {
			b.Fatalf("exit status %d: %s", code, errs.String())
		}
	}
}
