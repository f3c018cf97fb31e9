package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"concord/eval"
	"concord/tui/job"
)

// arbiter has judges vote in the background of the screen, beside the
// starter's runs: on the same endpoints, ended and waited for together.
//
//	form, list --> arbiter --lab.voting--> voting --runner--> live
//
// What it knows of an order ends with the process; what is stored of its votes
// says how to go on with it.
type arbiter struct {
	*starter

	mu       sync.Mutex
	hearings []*hearing // in the order of their start; of one contest the last one counts
	wanted   map[eval.Contest]want
}

// hearing is an order that this process works on, or has.
type hearing struct {
	voting *voting
	effort effort
	job    int
	work   *work
}

var _ job.Control = (*arbiter)(nil)

func newArbiter(s *starter) *arbiter {
	return &arbiter{starter: s, wanted: make(map[eval.Contest]want)}
}

// hear makes an order out and begins with what is due. One that is under way
// already gets its new budget and goes on.
func (a *arbiter) hear(ctx context.Context, o *votingOrder, e effort) (*hearing, error) {
	l, err := a.ready()
	if err != nil {
		return nil, err
	}
	v, err := l.voting(ctx, o)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if old, err := a.underWay(v, e); old != nil || err != nil {
		return old, err
	}
	for i := range v.polls {
		a.wanted[v.polls[i].contest] = want{v.polls[i].wanted, o.Shuffled}
	}
	if len(v.due) == 0 {
		return nil, errors.New("nothing is left to ask" + without(v.leftOut()))
	}
	r, err := v.runner(ctx, e)
	if err != nil {
		return nil, err
	}
	id, err := a.startJob(a.ctx, r)
	if err != nil {
		return nil, err
	}
	h := &hearing{voting: v, effort: e, job: id, work: a.work(workID{job: id})}
	a.hearings = append(a.hearings, h)
	a.mark()
	return h, nil
}

// underWay is the hearing at work that asks for the same contests, with its
// new budget. One that asks for some of them cannot go on beside the order.
func (a *arbiter) underWay(v *voting, e effort) (*hearing, error) {
	for i := range v.polls {
		h := a.of(v.polls[i].contest)
		if h == nil || !h.works() {
			continue
		}
		if !h.voting.same(v) {
			return nil, fmt.Errorf("%s is at work on some of these pairs: wait for it, or cancel it", h.voting.title())
		}
		if e.Budget != nil {
			if err := v.lab.afford(e, []string{v.order.Judge}); err != nil {
				return nil, err
			}
			h.effort.Budget = e.Budget
			h.work.runner.SetBudget(*e.Budget)
		}
		return h, a.goOn(h)
	}
	return nil, nil
}

// goOn goes on with a hearing at work, unless it has cost what it may.
func (a *arbiter) goOn(h *hearing) error {
	if err := a.live.ResumeJob(h.job); err != nil {
		return err
	}
	if p := h.work.runner.Progress(); p.State == eval.Paused {
		return fmt.Errorf("%s: a larger budget goes on", p.Why)
	}
	return nil
}

// same reports whether two orders are about the same contests in the same
// way.
func (v *voting) same(o *voting) bool {
	return v.order.Shuffled == o.order.Shuffled && slices.EqualFunc(v.polls, o.polls, func(p, q poll) bool { return p.contest == q.contest })
}

func (h *hearing) works() bool { return !h.work.over() }

// of is the last hearing that asks for a contest; the caller holds the lock.
func (a *arbiter) of(c eval.Contest) *hearing {
	for _, h := range slices.Backward(a.hearings) {
		if slices.ContainsFunc(h.voting.polls, func(p poll) bool { return p.contest == c }) {
			return h
		}
	}
	return nil
}

// find is the contest of an ID, and the hearing that asks for it, if any.
func (a *arbiter) find(ctx context.Context, id job.ID) (eval.Contest, *hearing, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, h := range slices.Backward(a.hearings) {
		for _, p := range h.voting.polls {
			if contestID(p.contest) == id {
				return p.contest, h, nil
			}
		}
	}
	all, err := a.st.Votes().Contests(ctx)
	if err != nil {
		return eval.Contest{}, nil, err
	}
	for _, c := range all {
		if contestID(c.Contest) == id {
			return c.Contest, nil, nil
		}
	}
	return eval.Contest{}, nil, fmt.Errorf("job %s: %w", id, eval.ErrNotFound)
}

func contestID(c eval.Contest) job.ID {
	return job.ID(fmt.Sprintf("votes/%d/%d/%q/%t/%d/%d", c.A, c.B, c.Judge, c.Criteria, c.Input, c.Repeat))
}

// PauseJob starts no further call of the order that a contest is of, or of
// another job.
func (a *arbiter) PauseJob(id job.ID) error {
	n, err := a.number(id)
	if err != nil {
		return err
	}
	return a.live.PauseJob(n)
}

// CancelJob ends the order that a contest is of, or another job; calls in
// flight are recorded.
func (a *arbiter) CancelJob(id job.ID) error {
	n, err := a.number(id)
	if err != nil {
		return err
	}
	return a.live.CancelJob(n)
}

// number is that of the job behind a row.
func (a *arbiter) number(id job.ID) (int, error) {
	var n int
	if _, err := fmt.Sscanf(string(id), otherID, &n); err == nil {
		return n, nil
	}
	_, h, err := a.find(a.ctx, id)
	if err == nil && h == nil {
		err = errors.New(notAtWork)
	}
	if err != nil {
		return 0, err
	}
	return h.job, nil
}

const (
	otherID   = "job/%d" // the ID of a row that is no contest
	notAtWork = "it is not at work in this process"
)

// ResumeJob goes on with the order that a contest is of.
func (a *arbiter) ResumeJob(ctx context.Context, id job.ID) error {
	return a.again(ctx, id, false)
}

// RetryJob asks again what failed, or where nothing did what was replied
// without a vote, with whatever else is due.
func (a *arbiter) RetryJob(ctx context.Context, id job.ID) error {
	return a.again(ctx, id, true)
}

// again goes on with an order of this process, or of an earlier one.
func (a *arbiter) again(ctx context.Context, id job.ID, failed bool) error {
	var n int
	if _, err := fmt.Sscanf(string(id), otherID, &n); err == nil {
		return a.live.ResumeJob(n)
	}
	c, h, err := a.find(ctx, id)
	if err != nil {
		return err
	}
	if h != nil && h.works() {
		if failed {
			return errors.New("it is still at work: what failed can be asked again when it has ended")
		}
		return a.goOn(h)
	}
	var o votingOrder
	var e effort
	counts, err := a.countsOf(ctx, c)
	if err != nil {
		return err
	}
	if h != nil {
		o, e = h.voting.order, h.effort
	} else if o, err = a.recall(ctx, c); err != nil {
		return err
	}
	o.Failed, o.Unparsed = failed && counts.Failures > 0, failed && counts.Failures == 0
	_, err = a.hear(ctx, &o, e)
	return err
}

// countsOf are the totals of a contest; none of one without votes.
func (a *arbiter) countsOf(ctx context.Context, c eval.Contest) (eval.VoteCounts, error) {
	all, err := a.st.Votes().Contests(ctx)
	for i := range all {
		if all[i].Contest == c {
			return all[i].Counts, err
		}
	}
	return eval.VoteCounts{}, err
}

// recall is the order that a contest would be of, as what is stored tells: an
// earlier process began with it.
func (a *arbiter) recall(ctx context.Context, c eval.Contest) (votingOrder, error) {
	d, err := a.duel(ctx, c)
	if err != nil {
		return votingOrder{}, err
	}
	orders, err := a.orders(ctx, c)
	return votingOrder{
		Dataset: d.model.Config.Dataset, Models: []string{d.model.Config.Model}, Anchor: d.anchor.Config.Model,
		Runs: []eval.RunID{d.model.ID, d.anchor.ID}, Judge: c.Judge, Criteria: c.Criteria,
		Input: cmp.Or(c.Input, eval.SeesImage), Repeats: []int{c.Repeat}, Edge: -1,
		Shuffled: orders == 1, Seed: 1,
	}, err
}
