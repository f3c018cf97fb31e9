package eval

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Runner brings one run from what is stored to its end, once.
//
//	feed --questions--> worker x K --Request--> Model
//	                      |  Reader reads, Next decides
//	                      +--Fact--> Recorder (durable), then tracker counts
//	                                   +--one-slot mark--> Changed --> Progress
//
// The question is the unit of work: its passes run in order within a worker.
// Nobody waits for whoever reads the progress. To go on after the end, to
// retry what failed or to complete what a rescoring opened again, build
// another Runner: what is stored decides what is left.
type Runner struct {
	plan    Plan
	tracker *tracker
	gate    gate

	mu      sync.Mutex // of started, and of gate and tracker pausing as one
	started bool
}

// ErrStarted is given by a second call of Runner.Run.
var ErrStarted = errors.New("runner has been started")

// NewRunner builds a runner; the plan says what is missing in it.
func NewRunner(p Plan) (*Runner, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Runner{plan: p, tracker: newTracker(&p)}, nil
}

// Progress is where the run stands now.
func (r *Runner) Progress() Progress { return r.tracker.snapshot() }

// Changed gets a mark when Progress has changed since the last mark was
// taken. It has one slot, for one reader, and is never closed: after the
// mark, read Progress, and stop when its state is final.
func (r *Runner) Changed() <-chan struct{} { return r.tracker.dirty }

// Pause starts no further call until Resume; calls in flight finish.
func (r *Runner) Pause() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gate.shut()
	r.tracker.pause(true)
}

// Resume goes on after Pause.
func (r *Runner) Resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tracker.pause(false)
	r.gate.open()
}

// Run works until no question needs a pass that can be asked in this session.
// It returns nil then, the cause of ctx when that ended first, and else what
// ended the run: a configuration failure of the model, or an error of the
// source or the recorder. When it ends early, calls in flight may finish for
// the plan's grace period and are recorded.
func (r *Runner) Run(ctx context.Context) error {
	r.mu.Lock()
	again := r.started
	r.started = true
	r.mu.Unlock()
	if again {
		return ErrStarted
	}
	r.tracker.start()
	err := r.work(ctx)
	switch {
	case err == nil:
		r.tracker.end(Done, nil)
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		r.tracker.end(Cancelled, nil)
	default:
		r.tracker.end(Failed, err)
	}
	return err
}

// work feeds the workers and waits for them. Two contexts: taking ends when no
// further call may start, calls ends when those in flight must return.
func (r *Runner) work(ctx context.Context) error {
	taking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	calls, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	disarm := context.AfterFunc(taking, func() {
		timer := time.AfterFunc(r.plan.Grace, abort)
		context.AfterFunc(calls, func() { timer.Stop() })
	})
	defer disarm()

	w := &crew{
		plan: &r.plan, tracker: r.tracker, gate: &r.gate,
		stop: stop, questions: make(chan *task), cleared: make(chan struct{}),
	}
	var wg sync.WaitGroup
	for i := range r.plan.Concurrency {
		wg.Go(func() { w.work(taking, calls, i == 0) })
	}
	err := w.feed(taking)
	close(w.questions)
	wg.Wait()
	if w.interrupted.Load() {
		return context.Cause(taking)
	}
	return err
}
