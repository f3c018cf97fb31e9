package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/workers"
	"concord/eval"
	"concord/eval/openai/openaitest"
	"concord/tui/home"
)

// shift is a holder with its workers, each a process of its own.
type shift struct {
	*rig
	addr    string
	each    string // concurrency of a worker
	workers []*process
}

type process struct {
	*exec.Cmd
	out, err bytes.Buffer
	ended    chan error
}

func (r *rig) begin(args ...string) *process {
	r.tb.Helper()
	p := &process{Cmd: r.child(args...), ended: make(chan error, 1)}
	p.Stdout, p.Stderr = &p.out, &p.err
	if err := p.Start(); err != nil {
		r.tb.Fatal(err)
	}
	go func() { p.ended <- p.Wait() }()
	r.tb.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// end ends a process, and waits until it has.
func (p *process) end(by os.Signal) {
	_ = p.Process.Signal(by)
	p.ended <- <-p.ended
}

func newShift(t *testing.T, r *rig, workers int, each string) *shift {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &shift{rig: r, addr: l.Addr().String(), each: each}
	_ = l.Close()
	for i := range workers {
		s.workers = append(s.workers, s.join(fmt.Sprint("w", i)))
	}
	return s
}

func (s *shift) join(name string) *process {
	return s.begin("worker", "--join", "nats://"+s.addr, "--concurrency", s.each, "--once", "--name", name)
}

func (s *shift) hold(more ...string) *process {
	return s.begin(append(more, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text", "--workers", s.addr, "--workers-insecure", "--local", "0")...)
}

// asked waits until so many calls more were made.
func (s *shift) asked(more int, of *process) {
	s.tb.Helper()
	before, _ := s.server.TotalCalls()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		now, _ := s.server.TotalCalls()
		select {
		case err := <-of.ended:
			of.ended <- err
			return
		default:
		}
		if now-before >= more {
			return
		}
		if time.Now().After(end) {
			s.tb.Fatalf("%d calls in two minutes: %s", now-before, of.err.String())
		}
	}
}

// Workers and their holder are killed at random moments: every question is answered, none
// is stored twice, and only calls in flight at a kill are made again.
func TestWorkersAreKilled(t *testing.T) {
	questions, workerKills, holderKills, each := 400, 4, 3, 4
	if n, err := strconv.Atoi(os.Getenv("CONCORD_WORKERS")); err == nil {
		questions, workerKills, holderKills, each = n, 30, 10, 16
	} else if testing.Short() {
		t.Skip("processes of their own; CONCORD_WORKERS=20000 for the long form")
	}
	r := newRig(t, openaitest.Options{Latency: 5 * time.Millisecond, Jitter: 10 * time.Millisecond, Answer: allRight}, rigRows(questions, "")...)
	r.patient()
	s := newShift(t, r, 3, strconv.Itoa(each))
	holder := s.hold("--json")
	kills := workerKills + holderKills
	inFlight := 0
	for i := range kills {
		s.asked(questions/(2*kills)+rand.IntN(20), holder)
		if i*holderKills/kills != (i+1)*holderKills/kills {
			holder.end(os.Kill)
			inFlight += 3 * each
			holder = s.hold("--json")
			continue
		}
		k := rand.IntN(len(s.workers))
		s.workers[k].end(os.Kill)
		inFlight += each
		s.workers[k] = s.join(fmt.Sprint("again", i))
	}
	if err := <-holder.ended; err != nil {
		t.Fatalf("%v: %s", err, holder.err.String())
	}
	sum := decode[jobs.RunSummary](t, holder.out.String())
	if sum.State != "done" || sum.Predictions != questions || sum.Found != questions || sum.Errors != 0 {
		t.Errorf("%+v", sum)
	}
	for _, w := range s.workers {
		if err := <-w.ended; err != nil {
			t.Errorf("a worker: %v: %s", err, w.err.String())
		}
	}
	again := repeats(nil, r.server.CallCounts())
	if again > inFlight || len(r.server.CallCounts()) != questions {
		t.Errorf("%d calls were made again, of at most %d in flight", again, inFlight)
	}
	if n := strings.Count(r.done("export", "predictions", "--run", "1", "--format", "jsonl"), "\n"); n != questions {
		t.Errorf("%d predictions are stored of %d questions", n, questions)
	}
	t.Logf("%d kills: %d of %d calls were made again, of at most %d in flight; %.1f s since the last start", kills, again, questions, inFlight, sum.Seconds)
}

func allRight(q *openaitest.Request) openaitest.Response {
	_, right, _ := rigAsk(q)
	return openaitest.Response{Text: right}
}

func TestWorkerIsRefusedAtBothEnds(t *testing.T) {
	r := newRig(t, openaitest.Options{Models: []string{"other"}}, rigRows(2, "")...)
	s := newShift(t, r, 1, "1")
	holder := s.hold()
	if err := <-s.workers[0].ended; err == nil || !strings.Contains(s.workers[0].err.String(), `has no model "vlm"`) {
		t.Errorf("%v: %s", err, s.workers[0].err.String())
	}
	time.Sleep(500 * time.Millisecond) // until it was printed
	holder.end(os.Interrupt)
	if !strings.Contains(holder.err.String(), `worker w0 is refused: its endpoint `+r.server.URL()+` has no model "vlm"`) {
		t.Error(holder.err.String())
	}
}

// While a run is shared, another process lists who works on it, and each answer keeps who
// gave it.
func TestWorkersAreListed(t *testing.T) {
	const questions = 60
	r := newRig(t, openaitest.Options{Latency: 20 * time.Millisecond, Answer: allRight}, rigRows(questions, "")...)
	s := newShift(t, r, 1, "1")
	holder := s.hold("--json")
	s.asked(20, holder)
	type line struct {
		State   string
		Workers []eval.WorkerProgress
	}
	runs := decode[[]line](t, r.done("run", "list", "--json"))
	if len(runs) != 1 || runs[0].State != "running" || len(runs[0].Workers) != 1 {
		t.Fatalf("%+v", runs)
	}
	if w := runs[0].Workers[0]; w.Name != "w0" || w.Endpoint != r.server.URL() || w.Answered == 0 || w.Answered > questions || w.State != "" {
		t.Errorf("%+v", w)
	}
	if text := r.done("run", "list"); !strings.Contains(text, "worker w0 at "+r.server.URL()) {
		t.Error(text)
	}
	if err := <-holder.ended; err != nil {
		t.Fatalf("%v: %s", err, holder.err.String())
	}
	if !strings.Contains(holder.err.String(), `{"workers":"worker w0 has joined: `) {
		t.Error(holder.err.String())
	}
	if rows := r.done("export", "predictions", "--run", "1", "--format", "jsonl"); strings.Count(rows, `"worker":"w0","endpoint":"`+r.server.URL()+`"`) != questions {
		t.Error(rows[:min(len(rows), 2000)])
	}
	if after := decode[[]line](t, r.done("run", "list", "--json")); after[0].State != "done" || len(after[0].Workers) != 0 {
		t.Errorf("%+v", after)
	}
}

func TestFlagsOfWorkers(t *testing.T) {
	r := newRig(t, openaitest.Options{}, rigRows(2, "")...)
	for want, args := range map[string][]string{
		"go with --workers":         {"--local", "2"},
		"is for a loopback address": {"--workers", "0.0.0.0:4222", "--workers-insecure"},
		"want 0 or more":            {"--workers", "127.0.0.1:0", "--workers-insecure", "--local", "-2"},
		"a cluster lets in":         {"--workers", "nats://127.0.0.1:4222", "--workers-insecure"},
	} {
		got := r.ends(2, append([]string{"eval", "--dataset", "d", "--model", "vlm", "--modality", "text"}, args...)...)
		if !strings.Contains(got.err, want) {
			t.Errorf("%s: %s", want, got.err)
		}
	}
	if got := r.ends(2, "worker", "--join", "http://127.0.0.1:1"); !strings.Contains(got.err, "want the URL") {
		t.Error(got.err)
	}
	if got := r.ends(1, "worker", "--join", "cluster"); !strings.Contains(got.err, "no cluster is configured") {
		t.Error(got.err)
	}
	run := r.eval("--modality", "text", "--workers", "127.0.0.1:0", "--workers-insecure", "--local", "1")
	if run.Predictions != 2 {
		t.Errorf("the holder alone: %+v", run)
	}
	if got := r.ends(1, "eval", "--dataset", "d", "--model", "vlm", "--modality", "text"); !strings.Contains(got.err, "endpoint: was none") {
		t.Error(got.err)
	}
}

// Workers share the runs that people start in the app of a served project, each by a
// holder of its own.
func TestWorkersShareWhatPeopleStart(t *testing.T) {
	r := newRig(t, openaitest.Options{Latency: 10 * time.Millisecond, Answer: allRight}, rigRows(60, "")...)
	b, end := openArbiter(t, r)
	defer end()
	var out, lines bytes.Buffer
	a := newTestApp(cli.Streams{Out: &out, Err: &lines}, r.path("p.db"))
	s := newShift(t, r, 1, "2")
	var w workers.Flags
	fs := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	w.AddFlags(fs)
	if err := errors.Join(fs.Parse([]string{"--workers", s.addr, "--workers-insecure", "--local", "0"}), w.Check()); err != nil {
		t.Fatal(err)
	}
	shared, err := w.OpenToWorkers(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close(nil)
	b.scheduler.Share = shared.HoldRun
	id, err := b.scheduler.Start(t.Context(), home.Spec{Dataset: "d", Model: "vlm", Strategy: eval.Vanilla, Modality: eval.TextOnly, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	var p eval.Progress
	for deadline := time.Now().Add(time.Minute); !p.State.IsFinal(); time.Sleep(10 * time.Millisecond) {
		if p, _ = b.scheduler.Progress(id); time.Now().After(deadline) {
			t.Fatalf("%+v", p)
		}
	}
	if p.State != eval.Done || p.Counts.Predictions != 60 || len(p.Workers) != 1 || p.Workers[0].Answered != 60 {
		t.Errorf("%v: %d predictions, %+v", p.State, p.Counts.Predictions, p.Workers)
	}
	select {
	case err := <-s.workers[0].ended:
		if err != nil {
			t.Errorf("%v: %s", err, s.workers[0].err.String())
		}
	case <-time.After(time.Minute):
		t.Error("the worker does not leave with the run")
	}
}

// Why a run ended is kept, and gone once it is at work again.
func TestRunsAreListedWithWhyTheyEnded(t *testing.T) {
	var broke atomic.Bool
	broke.Store(true)
	r := newRig(t, openaitest.Options{Answer: allRight, Faults: func(*openaitest.Request) openaitest.Fault {
		return eval.Either(broke.Load(), openaitest.Quota, openaitest.None)
	}}, rigRows(4, "")...)
	args := []string{"eval", "--dataset", "d", "--model", "vlm", "--modality", "text"}
	r.ends(1, args...)
	why := func() string { return decode[[]struct{ Why string }](t, r.done("run", "list", "--json"))[0].Why }
	if got := why(); !strings.Contains(got, "you exceeded your current quota") {
		t.Errorf("it ended by %q", got)
	}
	if text := r.done("run", "list"); !strings.Contains(text, "run 1: stopped: ") || !strings.Contains(text, "you exceeded your current quota") {
		t.Error(text)
	}
	broke.Store(false)
	r.done(args...)
	if got := why(); got != "" {
		t.Errorf("it is done, and ended by %q", got)
	}
}
