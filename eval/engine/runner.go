package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"concord/eval"
)

// Runner brings one job, a run or a sequence of single calls, from what is
// stored to its end, once. Of a run:
//
//	feed --units--> worker x K --line--> Model    (Request)
//	                  |  Reader reads     Judge    (Judging, what the rules left)
//	                  |  Next decides
//	                  +--Fact, Judgment--> recorders (durable), then tracker counts
//	                                         +--one-slot mark--> Changed --> Progress
//
// The question is a unit of work: its calls run in order within a worker. What other kinds of work
// there are is the unit's business; lines (one to each endpoint: canary, holding still before a silent
// one), retries, pausing, the budget and the grace period are the workers's. Nobody waits for whoever
// reads the progress. To go on after the end, to retry what failed or to complete what a rescoring
// opened again, build another Runner: what is stored decides what is left.
type Runner struct {
	terms   Terms
	job     job
	tracker *tracker
	gate    pauseGate
	others  func() []eval.WorkerProgress // nil: there are none

	mu      sync.Mutex // of started, workers and terms, and of gate and tracker pausing as one
	started bool
	workers *workers // nil before the start
}

// ErrStarted is given by a second call of Runner.Run.
var ErrStarted = errors.New("runner has been started")

// NewRunner builds a runner; the plan says what is missing in it.
func NewRunner(p Plan) (*Runner, error) {
	if err := p.fillAndCheck(); err != nil {
		return nil, err
	}
	t := newTracker(&p.Terms, eval.Progress{
		Run: p.Run.ID, Total: p.Total, Counts: p.Counts, JudgesOnly: p.Model == nil, Judges: slices.Clone(p.Judged),
		Job: eval.Job{Work: eval.Answering, Dataset: p.Run.Config.Dataset, Runs: []eval.RunID{p.Run.ID}, Asked: p.Run.Config.Model},
	}, newCostTracker(p.Price, p.Model != nil))
	t.progress.Counts.Reader = eval.ReaderID(p.Reader)
	t.purse.judges = p.JudgePrices
	for _, j := range p.Judges {
		t.findJudgeProgress(j.Name()).Asked = true
		t.purse.needed[j.Name()] = true
	}
	t.mean = callEstimator{calls: p.Counts.Predictions}
	a := newRunJob(&p, t)
	t.left = a.callsLeft
	return &Runner{terms: p.Terms, job: a, tracker: t, others: p.Workers}, nil
}

// Progress is where the run stands now.
func (r *Runner) Progress() eval.Progress {
	p := r.tracker.takeSnapshot()
	if r.others != nil {
		p.Workers = r.others()
	}
	return p
}

// ChangeMarks gets a mark when Progress has changed since the last mark was taken. It has one slot, for one
// reader, and is never closed: after the mark, read Progress, and stop when its state is final.
func (r *Runner) ChangeMarks() <-chan struct{} { return r.tracker.dirty }

// Pause starts no further call until Resume; calls in flight finish.
func (r *Runner) Pause() { r.pauseWithReason("") }

func (r *Runner) pauseWithReason(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gate.closeGate()
	r.tracker.markPaused(true, why)
}

// Resume goes on after Pause. A run that has cost its budget stays paused until SetBudget has raised it.
func (r *Runner) Resume() {
	if r.pauseIfOverBudget() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tracker.markPaused(false, "")
	r.gate.openGate()
}

// SetBudget changes the cost at which the run pauses; 0 is none. A run that paused
// for it goes on by Resume.
func (r *Runner) SetBudget(b float64) {
	r.tracker.change(func(p *eval.Progress) { p.Budget = b })
	r.pauseIfOverBudget()
}

// SetConcurrency changes how many units are worked on at once, at least one, also
// while the work goes on. Units that are under way are finished.
func (r *Runner) SetConcurrency(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.terms.Concurrency = max(n, 1)
	if r.workers != nil {
		r.workers.setConcurrency(r.terms.Concurrency)
	}
}

func (r *Runner) pauseIfOverBudget() bool {
	spent, over := r.tracker.isOverBudget()
	if over {
		r.pauseWithReason(fmt.Sprintf("the budget of %.4g is spent", spent))
	}
	return over
}

// Run works until no question needs a pass that can be asked in this session. It returns nil then, the
// cause of ctx when that ended first, and else what ended the run: a configuration failure of the model
// or a judge, or an error of the source or a recorder. When it ends early, calls in flight may finish
// for the plan's grace period and are recorded; those that do not return then are left alone.
func (r *Runner) Run(ctx context.Context) error {
	r.mu.Lock()
	again := r.started
	r.started = true
	r.mu.Unlock()
	if again {
		return ErrStarted
	}
	r.tracker.markStarted()
	r.pauseIfOverBudget()
	err := r.runWorkers(ctx)
	switch {
	case err == nil:
		r.tracker.markEnded(eval.Done, nil)
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		r.tracker.markEnded(eval.Cancelled, nil)
	default:
		r.tracker.markEnded(eval.Failed, err)
	}
	return err
}

// leaving is how long calls get to return once their context has ended.
const leaving = 250 * time.Millisecond

// runWorkers feeds the workers and waits for them. Two contexts: taking ends when no
// further call may start, calls ends when those in flight must return.
func (r *Runner) runWorkers(ctx context.Context) error {
	taking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	calls, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	r.mu.Lock()
	c := newWorkers(r, taking, calls, stop)
	r.workers = c
	r.mu.Unlock()
	disarm := context.AfterFunc(taking, func() {
		timer := time.AfterFunc(r.terms.Grace, func() {
			abort()
			time.AfterFunc(leaving, c.desertHangingWorkers)
		})
		context.AfterFunc(calls, func() { timer.Stop() })
	})
	defer disarm()

	c.mu.Lock()
	c.addWorkers()
	c.mu.Unlock()
	err := c.feedUnits(taking)
	close(c.units)
	c.working.Wait()
	if c.interrupted.Load() {
		return context.Cause(taking)
	}
	return err
}

// pauseGate holds calls back while a run is paused. The zero value is open.
type pauseGate struct {
	mu   sync.Mutex
	held chan struct{} // closed when the gate opens; nil while it is open
}

func (g *pauseGate) closeGate() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held == nil {
		g.held = make(chan struct{})
	}
}

func (g *pauseGate) openGate() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held != nil {
		close(g.held)
		g.held = nil
	}
}

// waitOpen waits until the gate is open; it reports false when ctx ends first.
func (g *pauseGate) waitOpen(ctx context.Context) bool {
	for {
		g.mu.Lock()
		held := g.held
		g.mu.Unlock()
		if held == nil {
			return ctx.Err() == nil
		}
		select {
		case <-held:
		case <-ctx.Done():
			return false
		}
	}
}

// job is what a workers works on: where its units come from.
type job interface {
	// dueUnits yields the units that need a call in this session. An error ends the session.
	dueUnits(ctx context.Context) iter.Seq2[unit, error]
}

// unit is a piece of work that one worker takes up and brings as far as it goes in this
// session: a question, and whatever else is asked of endpoints call by call. A new kind of work
// implements unit, and a job yields it; the canary, retries, pausing, limits, the budget,
// holding still before a silent endpoint and the grace period come with the workers.
type unit interface {
	// nextCall is the call that the unit needs now; false when it needs none in
	// this session. It is asked again once the last call's outcome is settled.
	nextCall() (call, bool)
	// countStored is for the estimate of calls left: how many outcomes are stored, how
	// many there can be, and whether none of them will be asked for again.
	countStored() (stored, total int, closed bool)
}

type call struct {
	to *endpointMonitor
	// try makes the call once, for the attempt of that number. A panic in it is a failure of the outcome.
	try func(ctx context.Context, attempt int) outcome
}

// outcome is what came of a call, or of its last attempt.
type outcome struct {
	usage   eval.Usage
	failure *eval.Failure
	blank   bool // the model stopped of itself and said nothing
	// settle makes the outcome durable, then counts it, and has the unit take it into account.
	// It is not called for a failure that is tried again, or that is not the unit's own.
	settle func(ctx context.Context) error
}
