package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"concord/cmd/concord/internal/jobs"
	"concord/eval"
	"concord/tui/job"
)

// Control has judges vote in the background of the screen, beside the
// scheduler's runs: on the same endpoints, ended and waited for together.
//
//	form, list --> Control --Factory.Voting--> Voting --runner--> Running
//
// What it knows of an order ends with the process; what is stored of its votes says how to go on with it.
type Control struct {
	scheduler *jobs.Scheduler

	mu       sync.Mutex
	hearings []*Job // in the order of their start; of one comparison the last one counts
	wanted   map[eval.Comparison]wantedVotes
}

// Job is an order that this process works on, or has.
type Job struct {
	Voting *jobs.VotingJob
	effort jobs.Effort
	id     jobs.WorkID
	work   *jobs.Work
}

var _ job.Control = (*Control)(nil)

// NewControl makes a control whose jobs run beside those of a scheduler.
func NewControl(s *jobs.Scheduler) *Control {
	return &Control{scheduler: s, wanted: make(map[eval.Comparison]wantedVotes)}
}

// StartVoting makes an order out and begins with what is due. One that is under way
// already gets its new budget and goes on.
func (a *Control) StartVoting(ctx context.Context, o *jobs.VotingOrder, e jobs.Effort) (*Job, error) {
	l, err := a.scheduler.LoadFactoryOnce()
	if err != nil {
		return nil, err
	}
	v, err := l.NewVotingJob(ctx, o)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if old, err := a.continueSameJob(v, e); old != nil || err != nil {
		return old, err
	}
	for i := range v.Tallies {
		a.wanted[v.Tallies[i].Comparison] = wantedVotes{v.Tallies[i].Wanted, o.Shuffled}
	}
	if len(v.Due) == 0 {
		return nil, errors.New("nothing is left to ask" + describeLeftOut(v.ListLeftOut()))
	}
	r, err := v.NewRunner(ctx, e)
	if err != nil {
		return nil, err
	}
	n, err := a.scheduler.StartJob(a.scheduler.Ctx, r)
	if err != nil {
		return nil, err
	}
	h := &Job{Voting: v, effort: e, id: jobs.WorkID{Job: n}, work: a.scheduler.FindWork(jobs.WorkID{Job: n})}
	a.hearings = append(a.hearings, h)
	a.scheduler.MarkChanged()
	return h, nil
}

// continueSameJob is the job at work that asks for the same comparisons, with its
// new budget. One that asks for some of them cannot go on beside the order.
func (a *Control) continueSameJob(v *jobs.VotingJob, e jobs.Effort) (*Job, error) {
	for i := range v.Tallies {
		h := a.lastJobOf(v.Tallies[i].Comparison)
		if h == nil || !h.isWorking() {
			continue
		}
		if !h.Voting.AsksSameComparisons(v) {
			return nil, fmt.Errorf("%s is at work on some of these pairs: wait for it, or cancel it", h.Voting.Title())
		}
		if e.Budget != nil {
			if err := v.Factory.Models.RequirePricesForBudget(e.Budget, []string{v.Order.Judge}); err != nil {
				return nil, err
			}
			h.effort.Budget = e.Budget
			h.work.Runner.SetBudget(*e.Budget)
		}
		return h, a.continueJob(h)
	}
	return nil, nil
}

// continueJob goes on with a job at work, unless it has cost what it may.
func (a *Control) continueJob(h *Job) error {
	if err := a.scheduler.ResumeWork(h.id); err != nil {
		return err
	}
	if p := h.work.Runner.Progress(); p.State == eval.Paused {
		return fmt.Errorf("%s: a larger budget continues", p.Why)
	}
	return nil
}

func (h *Job) isWorking() bool { return !h.work.IsOver() }

// lastJobOf is the last job that asks for a comparison; the caller holds the lock.
func (a *Control) lastJobOf(c eval.Comparison) *Job {
	for _, h := range slices.Backward(a.hearings) {
		if slices.ContainsFunc(h.Voting.Tallies, func(p jobs.Tally) bool { return p.Comparison == c }) {
			return h
		}
	}
	return nil
}

// findJob finds the comparison of an ID, and the job that asks for it, if any.
func (a *Control) findJob(ctx context.Context, id job.ID) (eval.Comparison, *Job, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, h := range slices.Backward(a.hearings) {
		for _, p := range h.Voting.Tallies {
			if ComparisonJobID(p.Comparison) == id {
				return p.Comparison, h, nil
			}
		}
	}
	all, err := a.scheduler.Store.Votes().Comparisons(ctx)
	if err != nil {
		return eval.Comparison{}, nil, err
	}
	c, ok := eval.FirstWanted(all, func(c eval.ComparisonProgress) bool { return ComparisonJobID(c.Comparison) == id })
	if !ok {
		err = fmt.Errorf("job %s: %w", id, eval.ErrNotFound)
	}
	return c.Comparison, nil, err
}

// ComparisonJobID is the name of a comparison's job on the screens of jobs.
func ComparisonJobID(c eval.Comparison) job.ID {
	return job.ID(fmt.Sprintf("votes/%d/%d/%q/%t/%d/%d", c.A, c.B, c.Judge, c.Criteria, c.Input, c.Repeat))
}

// PauseJob starts no further call of the order that a comparison is of, or of another job.
func (a *Control) PauseJob(id job.ID) error { return a.applyToJob(id, a.scheduler.PauseWork) }

// CancelJob ends the order that a comparison is of, or another job; calls in flight are recorded.
func (a *Control) CancelJob(id job.ID) error { return a.applyToJob(id, a.scheduler.CancelWork) }

// applyToJob does something with the job behind a row.
func (a *Control) applyToJob(id job.ID, do func(jobs.WorkID) error) error {
	var n int
	if _, err := fmt.Sscanf(string(id), otherID, &n); err == nil {
		return do(jobs.WorkID{Job: n})
	}
	_, h, err := a.findJob(a.scheduler.Ctx, id)
	switch {
	case err != nil:
		return err
	case h == nil:
		return errors.New(notAtWork)
	}
	return do(h.id)
}

const (
	otherID   = "job/%d" // the ID of a row that is no comparison
	notAtWork = "it is not at work in this process"
)

// ResumeJob goes on with the order that a comparison is of.
func (a *Control) ResumeJob(ctx context.Context, id job.ID) error {
	return a.resumeOrRetryOrder(ctx, id, false)
}

// RetryJob asks again what failed, or else what was replied without a vote, with whatever else is due.
func (a *Control) RetryJob(ctx context.Context, id job.ID) error {
	return a.resumeOrRetryOrder(ctx, id, true)
}

// resumeOrRetryOrder goes on with an order of this process, or of an earlier one.
func (a *Control) resumeOrRetryOrder(ctx context.Context, id job.ID, failed bool) error {
	var n int
	if _, err := fmt.Sscanf(string(id), otherID, &n); err == nil {
		return a.scheduler.ResumeWork(jobs.WorkID{Job: n})
	}
	c, h, err := a.findJob(ctx, id)
	if err != nil {
		return err
	}
	if h != nil && h.isWorking() {
		if failed {
			return errors.New("it is still at work: what failed can be asked again when it has ended")
		}
		return a.continueJob(h)
	}
	var o jobs.VotingOrder
	var e jobs.Effort
	all, err := a.scheduler.Store.Votes().Comparisons(ctx)
	if err != nil {
		return err
	}
	of, _ := eval.FirstWanted(all, func(one eval.ComparisonProgress) bool { return one.Comparison == c }) // none of one without votes
	if h != nil {
		o, e = h.Voting.Order, h.effort
	} else if o, err = a.rebuildStoredOrder(ctx, c); err != nil {
		return err
	}
	o.Failed, o.Unparsed = failed && of.Counts.Failures > 0, failed && of.Counts.Failures == 0
	_, err = a.StartVoting(ctx, &o, e)
	return err
}

// rebuildStoredOrder is the order that a comparison would be of, by what is stored: an earlier process began it.
func (a *Control) rebuildStoredOrder(ctx context.Context, c eval.Comparison) (jobs.VotingOrder, error) {
	d, err := a.ReadComparedRuns(ctx, c)
	if err != nil {
		return jobs.VotingOrder{}, err
	}
	orders, err := a.countAskedOrders(ctx, c)
	input, without := jobs.OrderOfInput(cmp.Or(c.Input, eval.SeesImage))
	return jobs.VotingOrder{
		Dataset: d.Model.Config.Dataset, Models: []string{d.Model.Config.Model}, Anchor: d.Anchor.Config.Model,
		Runs: []eval.RunID{d.Model.ID, d.Anchor.ID}, Judge: c.Judge, Criteria: c.Criteria,
		Input: input, WithoutImages: without, Repeats: []int{c.Repeat}, Edge: -1,
		Shuffled: orders == 1, Seed: 1,
	}, err
}

// LastJobOf is the last job that asks for a comparison; nil where there was none.
func (a *Control) LastJobOf(c eval.Comparison) *Job {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lastJobOf(c)
}
