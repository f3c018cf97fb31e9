package jobs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/store"
)

// RunningJobs is the runs and other jobs that this process works on.
//
//	Runner.ChangeMarks --> live.watch --one-slot mark--> Changed --> screen
//
// It starts the goroutines and waits for them: wait returns when every one
// has ended and what it acknowledged is stored.
type RunningJobs struct {
	mu      sync.Mutex
	works   map[WorkID]*Work
	jobs    int // started so far
	changed chan struct{}
	wg      sync.WaitGroup
	closed  bool // nothing is started any more
	log     *slog.Logger
	show    func(error) // nil: there is no screen
}

// WorkID names what this process works on: a run by its number, any other job
// by the number that it got when it was started.
type WorkID struct {
	run eval.RunID
	Job int
}

func (w WorkID) String() string {
	return eval.Either(w.Job != 0, fmt.Sprintf("job %d", w.Job), fmt.Sprintf("run %d", w.run))
}

// runLaunch is how a run is worked on. plan is asked for each time that the run is
// started, since what is stored has moved on; ended may be nil.
type runLaunch struct {
	ctx          context.Context
	plan         func(context.Context) (engine.Plan, error)
	begun, ended func(*engine.Runner)
}

// Work is a runner at work, or that was.
type Work struct {
	Runner *engine.Runner
	cancel context.CancelFunc
	ended  chan struct{} // closed at the end
}

// IsOver reports whether the work has ended.
func (w *Work) IsOver() bool { return w.Runner.Progress().State.IsFinal() }

// NewRunningJobs makes a set of jobs without any at work.
func NewRunningJobs(log *slog.Logger) *RunningJobs {
	return &RunningJobs{works: make(map[WorkID]*Work), changed: make(chan struct{}, 1), log: log}
}

// startRun works on a run in the background until it ends or the job's context
// does. A run that has ended may be started again.
func (l *RunningJobs) startRun(j runLaunch) error {
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
	err = l.startWork(j.ctx, WorkID{run: p.Run.ID}, r, j.ended)
	if err == nil {
		j.begun(r)
	}
	return err
}

// startWork has a runner work in the background. The caller holds the lock.
func (l *RunningJobs) startWork(ctx context.Context, id WorkID, r *engine.Runner, then func(*engine.Runner)) error {
	if l.closed {
		return fmt.Errorf("start %v: the app is closing", id)
	}
	if old := l.works[id]; old != nil && !old.IsOver() {
		return fmt.Errorf("start %v: it is running already", id)
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	l.works[id] = &Work{Runner: r, cancel: cancel, ended: ended}
	l.wg.Go(func() {
		defer cancel()
		if err := r.Run(ctx); err != nil && ctx.Err() == nil {
			l.log.Error("work ended", "on", id.String(), "err", err)
		}
		if then != nil {
			then(r)
		}
		close(ended)
	})
	l.wg.Go(func() { l.forwardChangeMarks(r, ended) })
	return nil
}

// forwardChangeMarks passes a runner's marks on to the one slot that the screen reads.
func (l *RunningJobs) forwardChangeMarks(r *engine.Runner, ended <-chan struct{}) {
	for {
		select {
		case <-r.ChangeMarks():
			l.MarkChanged()
		case <-ended:
			l.MarkChanged()
			return
		}
	}
}

// MarkChanged marks that the jobs have changed.
func (l *RunningJobs) MarkChanged() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// ChangeMarks gets a mark when the progress of some run has changed.
func (l *RunningJobs) ChangeMarks() <-chan struct{} { return l.changed }

// Progress is where a run stands that this process works on or has worked on.
func (l *RunningJobs) Progress(id eval.RunID) (eval.Progress, bool) {
	if w := l.FindWork(WorkID{run: id}); w != nil {
		return w.Runner.Progress(), true
	}
	return eval.Progress{}, false
}

// Pause starts no further calls of a run.
func (l *RunningJobs) Pause(id eval.RunID) error { return l.PauseWork(WorkID{run: id}) }

// PauseWork starts no further calls of a run or of another job.
func (l *RunningJobs) PauseWork(id WorkID) error {
	return l.applyToWork(id, (*engine.Runner).Pause, "has ended")
}

// applyToWork does something with a work that is not over; else the error says so.
func (l *RunningJobs) applyToWork(id WorkID, do func(*engine.Runner), over string) error {
	w := l.FindWork(id)
	switch {
	case w == nil:
		return newNotRunningError(id)
	case w.IsOver():
		return fmt.Errorf("%v %s", id, over)
	}
	do(w.Runner)
	l.MarkChanged()
	return nil
}

// Resume goes on with a paused run. One that has ended is started anew.
func (l *RunningJobs) Resume(id eval.RunID) error { return l.ResumeWork(WorkID{run: id}) }

// ResumeWork goes on with a paused run or another job.
func (l *RunningJobs) ResumeWork(id WorkID) error {
	return l.applyToWork(id, (*engine.Runner).Resume, "is done: nothing is left to ask")
}

// Cancel ends a run; calls in flight are recorded.
func (l *RunningJobs) Cancel(id eval.RunID) error { return l.CancelWork(WorkID{run: id}) }

// CancelWork ends a run or another job; calls in flight are recorded. The same order asks the rest.
func (l *RunningJobs) CancelWork(id WorkID) error {
	w := l.FindWork(id)
	if w == nil {
		return newNotRunningError(id)
	}
	w.cancel()
	return nil
}

// changeBudgetAndResume changes what a run may cost; one that paused for it goes on.
func (l *RunningJobs) changeBudgetAndResume(id eval.RunID, budget float64) bool {
	return l.applyToWork(WorkID{run: id}, func(r *engine.Runner) {
		r.SetBudget(budget)
		r.Resume()
	}, "is over") == nil
}

// storeEndReason keeps why a run ended, for whoever looks at it later; nothing of one that is done, or
// that somebody ended.
func storeEndReason(st *store.Store, id eval.RunID, p eval.Progress) error {
	why := p.Why // as of a budget
	if left := p.Total - p.Counts.Questions; p.Err != nil {
		why = p.Err.Error()
	} else if p.State == eval.Done && left > 0 {
		why = cli.FormatCount(left, "question") + " left to an outage: " + p.LastFailure
	}
	return store.SetEndReason(context.Background(), st, id, why)
}

func newNotRunningError(id WorkID) error {
	return fmt.Errorf("%v: end it where it was started: the app has not", id)
}

// FindWork finds the work of an ID.
func (l *RunningJobs) FindWork(id WorkID) *Work {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.works[id]
}

// logAndShowError passes on that what feeds on the runs has failed, or, by nil, that it
// goes on again: to the log, and to the screen once there is one.
func (l *RunningJobs) logAndShowError(err error) {
	if err != nil {
		l.log.Error("follow runs", "err", err)
	} else {
		l.log.Info("follow runs: it continues")
	}
	l.mu.Lock()
	show := l.show
	l.mu.Unlock()
	if show != nil {
		show(err)
	}
}

// SetErrorDisplay has what tell is told shown too.
func (l *RunningJobs) SetErrorDisplay(show func(error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.show = show
}

// closeAndWait returns when every run has ended. None is started after it was called.
func (l *RunningJobs) closeAndWait() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.wg.Wait()
}

// liveJob is a job other than a run, as a screen lists it.
type liveJob struct {
	ID       int
	Progress eval.Progress
}

// StartJob has a job other than a run worked on in the background. One that would ask for what
// another one is asking for is refused, since each fact would be paid for twice.
func (l *RunningJobs) StartJob(ctx context.Context, r *engine.Runner) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wanted := r.Progress().Job
	for id, w := range l.works {
		if have := w.Runner.Progress(); id.Job != 0 && !have.State.IsFinal() && mayAskSameFact(&wanted, &have.Job) {
			return 0, fmt.Errorf("%s by %s: %v is asking for some of it already", wanted.Work, wanted.Asked, id)
		}
	}
	l.jobs++
	return l.jobs, l.startWork(ctx, WorkID{Job: l.jobs}, r, nil)
}

// mayAskSameFact reports whether two jobs may ask for the same fact.
func mayAskSameFact(a, b *eval.Job) bool {
	if a.Work != b.Work || a.Asked != b.Asked || a.Dataset != b.Dataset {
		return false
	}
	switch a.Work {
	case eval.Voting:
		return slices.ContainsFunc(a.Comparisons, func(c eval.Comparison) bool { return slices.Contains(b.Comparisons, c) })
	case eval.Scoring, eval.Grading, eval.Reading:
		return slices.ContainsFunc(a.Runs, func(r eval.RunID) bool { return slices.Contains(b.Runs, r) })
	case eval.Captioning, eval.Answering, eval.WorkUnset:
	}
	return true
}

// ListOtherJobs are the jobs other than runs that this process works on or has worked
// on, in the order in which they were started.
func (l *RunningJobs) ListOtherJobs() []liveJob {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []liveJob
	for id, w := range l.works {
		if id.Job != 0 {
			out = append(out, liveJob{id.Job, w.Runner.Progress()})
		}
	}
	slices.SortFunc(out, func(a, b liveJob) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
