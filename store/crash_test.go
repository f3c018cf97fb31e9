package store

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
)

const (
	crashItems   = 50 // of the queue that the child labels
	crashWorkers = 8  // that record at once
	crashDrafts  = 20 // samples that criteria are drafted for
)

// TestKill kills a process that records and labels, at random moments, and
// looks for everything that it was told is saved. CONCORD_KILLS says how
// often; 50 times otherwise, 5 with -short.
func TestKill(t *testing.T) {
	kills := 50
	if testing.Short() {
		kills = 5
	}
	if n, err := strconv.Atoi(os.Getenv("CONCORD_KILLS")); err == nil {
		kills = n
	}
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{}))
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, crashItems)
	addDataset(t, s, "c", samples(crashDrafts))
	must(t, s.Close())

	acked := crashLog{facts: make(map[int]bool)}
	for i := range kills {
		delay := time.Duration(rand.Int64N(int64(40 * time.Millisecond)))
		acked.add(t, killAfter(t, path, delay))
		if verifyKill(t, path, run.ID, &acked); t.Failed() {
			t.Fatalf("kill %d, after %v", i, delay)
		}
	}
	t.Logf("%d kills, %d facts, %d acts, %d drafts acknowledged", kills, len(acked.facts), acked.acts, acked.draft)
}

// crashLog is what children have acknowledged.
type crashLog struct {
	facts map[int]bool // ordinals; true: answered, false: failed
	acts  int          // number of the last act
	draft int          // number of the last draft, over all samples
}

func (l *crashLog) add(t *testing.T, lines []string) {
	t.Helper()
	for _, line := range lines {
		kind, rest, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(rest)
		switch {
		case err != nil:
			t.Fatalf("child said %q", line)
		case kind == "failed":
			l.facts[n] = l.facts[n] || false
		case kind == "answered":
			l.facts[n] = true
		case kind == "act":
			l.acts = max(l.acts, n)
		case kind == "draft":
			l.draft = max(l.draft, n)
		}
	}
}

// killAfter starts a child and kills it some time after its first sign of
// life. It gives the whole lines that the child got out.
func killAfter(t *testing.T, path string, delay time.Duration) []string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=write", childFile+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var once sync.Once
	var lines []string
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			break // what has no end of line was not said
		}
		lines = append(lines, strings.TrimSpace(line))
		once.Do(func() { time.AfterFunc(delay, func() { _ = cmd.Process.Kill() }) })
	}
	_ = cmd.Wait()
	return lines
}

func verifyKill(t *testing.T, path string, run eval.RunID, acked *crashLog) {
	t.Helper()
	s := got[*Store](t)(Open(path, Options{}))
	defer func() { must(t, s.Close()) }()
	stored := make(map[int]eval.Prediction)
	var want eval.Counts
	for _, p := range all(t, s.Runs().Predictions(t.Context(), run, eval.Key{})) {
		stored[int(p.Sample)] = p
		want.Predictions++
		if p.Failure != nil {
			want.Failures++
		} else {
			want.Statuses[eval.Found]++
			want.Questions++
		}
	}
	for o, answered := range acked.facts {
		if p, ok := stored[o]; !ok || answered && p.Text != crashText(o) {
			t.Errorf("acknowledged fact %d: stored %v, answered %v, text %.20q", o, ok, answered, p.Text)
		}
	}
	want.Reader = "concord@1"
	if c := got[eval.Counts](t)(s.Runs().Counts(run)); c != want {
		t.Errorf("counted %+v, stored %+v", c, want)
	}
	acts := got[[]annotate.Act](t)(s.Acts().Acts("q", "ann"))
	if len(acts) < acked.acts {
		t.Errorf("%d acts, %d acknowledged", len(acts), acked.acts)
	}
	for i, a := range acts {
		if int(a.N) != i+1 {
			t.Errorf("act %d has number %d", i+1, a.N)
		}
	}
	drafts := 0
	for _, set := range all(t, s.Criteria().All(t.Context(), "c")) {
		drafts += len(set.History.Acts)
		if text := crashText(len(set.History.Acts)); set.Criteria()[0].Text != text || len(set.History.Illegal) > 0 {
			t.Errorf("sample %d after %d drafts: %.20q", set.Sample, len(set.History.Acts), set.Criteria()[0].Text)
		}
	}
	if drafts < acked.draft {
		t.Errorf("%d drafts, %d acknowledged", drafts, acked.draft)
	}
	if tally := got[map[annotate.Annotator]Tally](t)(s.Acts().Tallies("q"))["ann"]; tally.Labelled != len(annotate.FoldActs(acts).Labels) {
		t.Errorf("tally %+v of %d acts", tally, len(acts))
	}
}

func crashText(o int) string { return strings.Repeat(fmt.Sprintf("answer %d ", o), 1+o%200) }

// crashChild resumes the run and the labelling at path until it is killed. It
// says what is saved, one line at a time, after the store has said so.
func crashChild(path string) {
	s, err := Open(path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return
	}
	done := make(map[int]bool)
	for p, err := range s.Runs().Predictions(context.Background(), 1, eval.Key{}) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			return
		}
		done[int(p.Sample)] = p.Failure == nil
	}
	last := -1
	if len(done) > 0 {
		last = slices.Max(slices.Collect(maps.Keys(done)))
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range crashWorkers {
		wg.Go(func() {
			for {
				o := int(next.Add(1) - 1)
				if o <= last && done[o] {
					continue
				}
				crashRecord(s, o)
			}
		})
	}
	wg.Go(func() { crashLabel(s) })
	wg.Go(func() { crashDraft(s) })
	wg.Wait()
}

// crashRecord records a fact; every third call fails at first.
func crashRecord(s *Store, o int) {
	k := key(1, o, 0)
	if o%3 == 0 {
		if err := s.Runs().Record(context.Background(), failure(k, fmt.Sprint("limit ", rand.Int64()))); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			return
		}
		fmt.Printf("failed %d\n", o)
	}
	f := fact(k, crashText(o), eval.Found)
	f.Closes = true
	if err := s.Runs().Record(context.Background(), f); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return
	}
	fmt.Printf("answered %d\n", o)
}

func crashLabel(s *Store) {
	acts, err := s.Acts().Acts("q", "ann")
	for n := len(acts) + 1; err == nil; n++ {
		if err = s.Acts().Append(context.Background(), []annotate.Act{
			label("q", "ann", n, item(1, rand.IntN(crashItems), 0), "A"),
		}); err == nil {
			fmt.Printf("act %d\n", n)
		}
	}
	fmt.Fprintln(os.Stderr, "child:", err)
}

// crashDraft drafts criteria for one sample after the other, round and round.
func crashDraft(s *Store) {
	n := 0
	for set, err := range s.Criteria().All(context.Background(), "c") {
		if err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			return
		}
		n += len(set.History.Acts)
	}
	for {
		set, err := s.Criteria().Set("c", eval.Ordinal(n%crashDrafts))
		a := set.NewAct(criteria.Drafted, "ann", clock())
		a.Criteria = []criteria.Criterion{{Type: criteria.Range, Text: crashText(int(a.N))}}
		if err == nil {
			err = s.Criteria().Append(context.Background(), a)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			return
		}
		n++
		fmt.Printf("draft %d\n", n)
	}
}
