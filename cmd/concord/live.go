package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"concord/eval"
	"concord/eval/engine"
)

// live is the runs and other jobs that this process works on.
//
//	Runner.Changed --> live.watch --one-slot mark--> Changed --> screen
//
// It starts the goroutines and waits for them: wait returns when every one
// has ended and what it acknowledged is stored.
type live struct {
	mu      sync.Mutex
	works   map[workID]*work
	jobs    int // started so far
	changed chan struct{}
	wg      sync.WaitGroup
	closed  bool // nothing is started any more
	log     *slog.Logger
	show    func(error) // nil: there is no screen
}

// workID names what this process works on: a run by its number, any other job
// by the number that it got when it was started.
type workID struct {
	run eval.RunID
	job int
}

func ofRun(id eval.RunID) workID { return workID{run: id} }

func (w workID) String() string {
	if w.job != 0 {
		return fmt.Sprintf("job %d", w.job)
	}
	return fmt.Sprintf("run %d", w.run)
}

// jobPlan is how a run is worked on. plan is asked for each time that the run is
// started, since what is stored has moved on; ended may be nil.
type jobPlan struct {
	ctx   context.Context
	plan  func(context.Context) (engine.Plan, error)
	ended func()
}

// work is a runner at work, or that was.
type work struct {
	runner *engine.Runner
	cancel context.CancelFunc
	ended  chan struct{} // closed at the end
}

func (w *work) over() bool { return w.runner.Progress().State.Final() }

func newLive(log *slog.Logger) *live {
	return &live{works: make(map[workID]*work), changed: make(chan struct{}, 1), log: log}
}

// start works on a run in the background until it ends or the job's context
// does. A run that has ended may be started again.
func (l *live) start(j jobPlan) error {
	p, err := j.plan(j.ctx)
	if err != nil {
		return fmt.Errorf("plan run: %w", err)
	}
	r, err := engine.NewRunner(p)
	if err != nil {
		return fmt.Errorf("start run %d: %w", p.Run.ID, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.launch(j.ctx, ofRun(p.Run.ID), r, j.ended)
}

// launch has a runner work in the background. The caller holds the lock.
func (l *live) launch(ctx context.Context, id workID, r *engine.Runner, then func()) error {
	if l.closed {
		return fmt.Errorf("start %v: the app is closing", id)
	}
	if old := l.works[id]; old != nil && !old.over() {
		return fmt.Errorf("start %v: it is running already", id)
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	l.works[id] = &work{runner: r, cancel: cancel, ended: ended}
	l.wg.Go(func() {
		defer cancel()
		if err := r.Run(ctx); err != nil && ctx.Err() == nil {
			l.log.Error("work ended", "on", id.String(), "err", err)
		}
		if then != nil {
			then()
		}
		close(ended)
	})
	l.wg.Go(func() { l.watch(r, ended) })
	return nil
}

// watch passes a runner's marks on to the one slot that the screen reads.
func (l *live) watch(r *engine.Runner, ended <-chan struct{}) {
	for {
		select {
		case <-r.Changed():
			l.mark()
		case <-ended:
			l.mark()
			return
		}
	}
}

func (l *live) mark() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// Changed gets a mark when the progress of some run has changed.
func (l *live) Changed() <-chan struct{} { return l.changed }

// Progress is where a run stands that this process works on or has worked on.
func (l *live) Progress(id eval.RunID) (eval.Progress, bool) {
	if w := l.work(ofRun(id)); w != nil {
		return w.runner.Progress(), true
	}
	return eval.Progress{}, false
}

// Pause starts no further calls of a run.
func (l *live) Pause(id eval.RunID) error { return l.pause(ofRun(id)) }

func (l *live) pause(id workID) error {
	w := l.work(id)
	if w == nil {
		return notLive(id)
	}
	if w.over() {
		return fmt.Errorf("%v has ended", id)
	}
	w.runner.Pause()
	l.mark()
	return nil
}

// Resume goes on with a paused run. One that has ended is started anew.
func (l *live) Resume(id eval.RunID) error { return l.resume(ofRun(id)) }

func (l *live) resume(id workID) error {
	w := l.work(id)
	if w == nil {
		return notLive(id)
	}
	if w.over() {
		return fmt.Errorf("%v is done: nothing is left to ask", id)
	}
	w.runner.Resume()
	l.mark()
	return nil
}

// failures are the calls of a run that may be made again, those of judges too.
func failures(p eval.Progress) int {
	n := p.Counts.Failures
	for _, j := range p.Judges {
		n += j.Counts.Failures
	}
	return n
}

// Cancel ends a run; calls in flight are recorded.
func (l *live) Cancel(id eval.RunID) error { return l.cancel(ofRun(id)) }

func (l *live) cancel(id workID) error {
	w := l.work(id)
	if w == nil {
		return notLive(id)
	}
	w.cancel()
	return nil
}

// end ends a run and waits until it has: nothing when it is not at work.
func (l *live) end(id eval.RunID) {
	if w := l.work(ofRun(id)); w != nil {
		w.cancel()
		<-w.ended
	}
}

// raise changes what a run may cost; one that paused for it goes on.
func (l *live) raise(id eval.RunID, budget float64) bool {
	w := l.work(ofRun(id))
	if w == nil || w.over() {
		return false
	}
	w.runner.SetBudget(budget)
	w.runner.Resume()
	l.mark()
	return true
}

func notLive(id workID) error { return fmt.Errorf("%v: not running in this process", id) }

func (l *live) work(id workID) *work {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.works[id]
}

// tell passes on that what feeds on the runs has failed, or, by nil, that it
// goes on again: to the log, and to the screen once there is one.
func (l *live) tell(err error) {
	if err != nil {
		l.log.Error("follow runs", "err", err)
	} else {
		l.log.Info("follow runs: it goes on")
	}
	l.mu.Lock()
	show := l.show
	l.mu.Unlock()
	if show != nil {
		show(err)
	}
}

// onTrouble has what tell is told shown too.
func (l *live) onTrouble(show func(error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.show = show
}

// wait returns when every run has ended. None is started after it was called.
func (l *live) wait() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.wg.Wait()
}
