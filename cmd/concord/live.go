package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"concord/eval"
)

// live is the runs that this process works on.
//
//	Runner.Changed --> live.watch --one-slot mark--> Changed --> screen
//
// It starts the goroutines and waits for them: wait returns when every run
// has ended and what it acknowledged is stored.
type live struct {
	mu      sync.Mutex
	runs    map[eval.RunID]*liveRun
	changed chan struct{}
	wg      sync.WaitGroup
	closed  bool // nothing is started any more
	log     *slog.Logger
	show    func(error) // nil: there is no screen
}

// job is how a run is worked on. plan is asked for each time that the run is
// started, since what is stored has moved on; ended may be nil.
type job struct {
	ctx   context.Context
	plan  func(context.Context) (eval.Plan, error)
	ended func()
}

type liveRun struct {
	runner *eval.Runner
	cancel context.CancelFunc
	ended  chan struct{} // closed at the end
}

func newLive(log *slog.Logger) *live {
	return &live{runs: make(map[eval.RunID]*liveRun), changed: make(chan struct{}, 1), log: log}
}

// start works on a run in the background until it ends or the job's context
// does. A run that has ended may be started again.
func (l *live) start(j job) error {
	p, err := j.plan(j.ctx)
	if err != nil {
		return fmt.Errorf("plan run: %w", err)
	}
	r, err := eval.NewRunner(p)
	if err != nil {
		return fmt.Errorf("start run %d: %w", p.Run.ID, err)
	}
	ctx, cancel := context.WithCancel(j.ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		cancel()
		return fmt.Errorf("start run %d: the app is closing", p.Run.ID)
	}
	if old := l.runs[p.Run.ID]; old != nil && !old.runner.Progress().State.Final() {
		cancel()
		return fmt.Errorf("start run %d: it is running already", p.Run.ID)
	}
	ended := make(chan struct{})
	l.runs[p.Run.ID] = &liveRun{runner: r, cancel: cancel, ended: ended}
	l.wg.Go(func() {
		defer cancel()
		if err := r.Run(ctx); err != nil && ctx.Err() == nil {
			l.log.Error("run ended", "run", p.Run.ID, "err", err)
		}
		if j.ended != nil {
			j.ended()
		}
		close(ended)
	})
	l.wg.Go(func() { l.watch(r, ended) })
	return nil
}

// watch passes a runner's marks on to the one slot that the screen reads.
func (l *live) watch(r *eval.Runner, ended <-chan struct{}) {
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
	if r := l.run(id); r != nil {
		return r.runner.Progress(), true
	}
	return eval.Progress{}, false
}

// Pause starts no further calls of a run.
func (l *live) Pause(id eval.RunID) error {
	r := l.run(id)
	if r == nil {
		return notLive(id)
	}
	if r.runner.Progress().State.Final() {
		return fmt.Errorf("run %d has ended", id)
	}
	r.runner.Pause()
	l.mark()
	return nil
}

// Resume goes on with a paused run. One that has ended is started anew.
func (l *live) Resume(id eval.RunID) error {
	r := l.run(id)
	if r == nil {
		return notLive(id)
	}
	if r.runner.Progress().State.Final() {
		return fmt.Errorf("run %d is done: nothing is left to ask", id)
	}
	r.runner.Resume()
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
func (l *live) Cancel(id eval.RunID) error {
	r := l.run(id)
	if r == nil {
		return notLive(id)
	}
	r.cancel()
	return nil
}

// end ends a run and waits until it has: nothing when it is not at work.
func (l *live) end(id eval.RunID) {
	if r := l.run(id); r != nil {
		r.cancel()
		<-r.ended
	}
}

// raise changes what a run may cost; one that paused for it goes on.
func (l *live) raise(id eval.RunID, budget float64) bool {
	r := l.run(id)
	if r == nil || r.runner.Progress().State.Final() {
		return false
	}
	r.runner.SetBudget(budget)
	r.runner.Resume()
	l.mark()
	return true
}

func notLive(id eval.RunID) error {
	return fmt.Errorf("run %d: not running in this process", id)
}

func (l *live) run(id eval.RunID) *liveRun {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.runs[id]
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
