package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"concord/eval/dataset"

	"concord/annotate"
	"concord/annotate/session"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/view"
	"concord/eval"
	"concord/eval/engine"
	"concord/store"
)

// The child works on a run and labels a queue, and says each thing that it
// was told is done:
//
//	call KEY      before the model is asked
//	ack KEY       Record has returned
//	progress N    the run's progress counts N predictions
//	saved N       the journal says that N acts are saved
//
// The parent kills it at random moments and looks at what is stored.

const (
	crashFolder  = "CONCORD_CRASH_FOLDER"
	crashSamples = 4000
	crashItems   = 4000
	crashQueue   = annotate.QueueName("crash")
	crashWho     = annotate.Annotator("ann")
	crashRounds  = 50
)

func TestKilledAtAnyMomentLosesNothing(t *testing.T) {
	rounds := crashRounds
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	run := crashProject(t, dir)
	w := &witness{acked: make(map[string]bool)}
	for i := range rounds {
		w.round(t, dir, i%2 == 1, 1+rand.IntN(150))
		w.check(t, dir, run)
		if t.Failed() {
			t.Fatalf("after kill %d", i+1)
		}
	}
	if len(w.acked) < rounds || w.saved < uint32(rounds/2) {
		t.Errorf("%d predictions and %d labels in %d rounds: the child hardly worked", len(w.acked), w.saved, rounds)
	}
	t.Logf("%d kills: %d predictions and %d labels acknowledged", rounds, len(w.acked), w.saved)
}

// witness remembers what was acknowledged over all rounds.
type witness struct {
	acked map[string]bool
	saved uint32
	count int
}

// round runs the child and kills it when it has said so many lines, counted from
// its first or from its first saved label: how fast the machine is decides
// nothing.
func (w *witness) round(t *testing.T, dir string, labelled bool, lines int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashFolder+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := 0
	before := len(w.acked)
	for sc := bufio.NewScanner(out); sc.Scan(); {
		w.line(t, sc.Text())
		if said > 0 || !labelled || strings.HasPrefix(sc.Text(), "saved ") {
			said++
		}
		if said == lines {
			_ = cmd.Process.Kill()
		}
	}
	if said == 0 {
		t.Error("the child said nothing that was waited for")
	}
	err = cmd.Wait()
	if err == nil && before < crashSamples {
		t.Log("the child came to its end before it was killed")
	}
}

func (w *witness) line(t *testing.T, line string) {
	what, rest, _ := strings.Cut(line, " ")
	switch what {
	case "call":
		if w.acked[rest] {
			t.Errorf("prediction %s was acknowledged and is asked again", rest)
		}
	case "ack":
		w.acked[rest] = true
	case "progress":
		w.count = max(w.count, number(t, rest))
	case "saved":
		w.saved = max(w.saved, uint32(number(t, rest)))
	case "error":
		t.Error("child: " + rest)
	}
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Errorf("line of the child: %v", err)
	}
	return n
}

func (w *witness) check(t *testing.T, dir string, run eval.Run) {
	t.Helper()
	st, err := store.Open(dir+"/p.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	there := make(map[string]bool)
	for p, err := range st.Runs().Predictions(t.Context(), run.ID, eval.Key{Run: run.ID}) {
		if err != nil {
			t.Fatal(err)
		}
		k := p.String()
		if there[k] {
			t.Errorf("prediction %s is there twice", k)
		}
		there[k] = true
	}
	for k := range w.acked {
		if !there[k] {
			t.Errorf("prediction %s was acknowledged and is lost", k)
		}
	}
	counts, err := st.Runs().Counts(run.ID)
	if err != nil || counts.Predictions != len(there) || counts.Predictions < w.count {
		t.Errorf("counts say %d predictions, %d are stored, the progress counted %d (%v)", counts.Predictions, len(there), w.count, err)
	}
	acts, err := st.Acts().Acts(crashQueue, crashWho)
	if err != nil || uint32(len(acts)) < w.saved {
		t.Errorf("%d acts are stored, %d were shown as saved (%v)", len(acts), w.saved, err)
	}
	for i, a := range acts {
		if a.N != uint32(i+1) || a.Reading.Choice != crashChoice(a.Item.Key) {
			t.Errorf("act %d is %+v", i+1, a)
		}
	}
}

func crashChoice(k eval.Key) eval.Choice { return []eval.Choice{"A", "B", "C"}[k.Sample%3] }

// crashProject makes the project that the child works on: a run to work at,
// and a queue over another run that is complete.
func crashProject(t *testing.T, dir string) eval.Run {
	t.Helper()
	st, err := store.Open(dir+"/p.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	d := eval.Dataset{Name: "d", Samples: crashSamples, Hash: "h"}
	must(st.Datasets().BeginDataset(ctx, d))
	var items []dataset.Item
	for i := range crashSamples {
		items = append(items, dataset.Item{Sample: eval.Sample{
			Ordinal: eval.Ordinal(i), ID: eval.SampleID(strconv.Itoa(i)), Kind: eval.KindChoice, Question: "?", Answer: "A",
			Options: []eval.Option{{Letter: "A", Text: "x"}, {Letter: "B", Text: "y"}, {Letter: "C", Text: "z"}},
		}})
	}
	must(st.Datasets().PutSamples(ctx, "d", items))
	must(st.Datasets().FinishDataset(ctx, d))
	old, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "d", Model: "old", Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported})
	must(err)
	var facts []eval.Fact
	var queued []annotate.QueueItem
	for i := range crashItems {
		k := eval.Key{Run: old.ID, Sample: eval.Ordinal(i)}
		facts = append(facts, eval.Fact{Prediction: eval.Prediction{Key: k, Text: "hm"}, Reading: eval.Extraction{Status: eval.Missing}, Reader: "r@1", Closes: true})
		queued = append(queued, annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 1})
	}
	_, err = st.Runs().RecordAll(ctx, facts)
	must(err)
	must(st.Queues().CreateQueue(ctx, annotate.Queue{
		Name: crashQueue, Rule: annotate.Rule{Dataset: "d", From: annotate.FromUnparsable, Rules: "r@1"}, Stratum: annotate.Random, Overlap: 1,
	}, queued))
	run, err := st.Runs().CreateRun(ctx, eval.Config{Dataset: "d", Model: "new", Strategy: eval.Circular, Modality: eval.WithImage, Origin: eval.Replayed, Rules: "concord"})
	must(err)
	must(st.Close())
	return run
}

// say writes one line at once; lines of several goroutines do not mix.
type say struct{ mu sync.Mutex }

func (s *say) line(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintf(os.Stdout, format+"\n", args...)
}

type sayingRecorder struct {
	eval.Recorder
	say *say
}

func (r sayingRecorder) Record(ctx context.Context, f eval.Fact) error {
	err := r.Recorder.Record(ctx, f)
	if err == nil {
		r.say.line("ack %s", f.Prediction.Key)
	}
	return err
}

type sayingModel struct{ say *say }

func (m sayingModel) Answer(_ context.Context, r eval.Request) (eval.Reply, error) {
	m.say.line("call %s", r.Key())
	return eval.Reply{Text: "Answer: " + string(r.Shown.Answer)}, nil
}

func crashChild(dir string) {
	s := &say{}
	if err := crashWork(dir, s); err != nil {
		s.line("error %v", err)
	}
}

func crashWork(dir string, s *say) error {
	ctx := context.Background()
	st, err := store.Open(dir+"/p.db", store.Options{LockWait: 5 * time.Second})
	if err != nil {
		return err
	}
	reader, err := facts.FindRules("concord")
	if err != nil {
		return err
	}
	run, err := st.Runs().Run(2)
	if err != nil {
		return err
	}
	counts, err := facts.CountRunByRules(ctx, st, run, reader)
	if err != nil {
		return err
	}
	runner, err := engine.NewRunner(engine.Plan{
		Run: run, Model: sayingModel{s}, Reader: reader, Source: st.Runs(), Recorder: sayingRecorder{st.Runs(), s},
		Total: crashSamples, Terms: engine.Terms{Concurrency: 8}, Counts: counts,
	})
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	ended := make(chan struct{})
	wg.Go(func() {
		defer close(ended)
		if err := runner.Run(ctx); err != nil {
			s.line("error %v", err)
		}
	})
	wg.Go(func() {
		for {
			select {
			case <-runner.ChangeMarks():
				s.line("progress %d", runner.Progress().Counts.Predictions)
			case <-ended:
				return
			}
		}
	})
	wg.Go(func() {
		if err := crashLabel(ctx, st, s); err != nil {
			s.line("error %v", err)
		}
	})
	wg.Wait()
	return st.Close()
}

// crashLabel types labels as fast as a fast typist's keys are read.
func crashLabel(ctx context.Context, st *store.Store, s *say) error {
	journal := session.NewJournal(st.Acts(), time.Now)
	opening, err := view.Queue{Store: st, Sync: journal.SyncStream}.Open(ctx, crashQueue, crashWho)
	if err != nil {
		return err
	}
	opening.Now = time.Now
	session, err := session.New(opening)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-journal.Changed():
				if n := journal.LastSaved(crashQueue, crashWho); n > 0 {
					s.line("saved %d", n)
				}
			case <-done:
				return
			}
		}
	})
	for {
		_, key, ok := session.Walk.Current()
		if !ok {
			break
		}
		act, _ := session.LabelAndAdvance(annotate.Reading{Kind: annotate.PickedOption, Choice: crashChoice(key.Key)}, time.Millisecond)
		journal.Submit(act)
		time.Sleep(time.Millisecond)
	}
	err = journal.Close(ctx)
	close(done)
	wg.Wait()
	return err
}
