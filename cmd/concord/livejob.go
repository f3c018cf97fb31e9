package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"concord/eval"
	"concord/eval/engine"
)

// liveJob is a job other than a run, as a screen lists it.
type liveJob struct {
	id       int
	progress eval.Progress
}

// startJob has a job other than a run worked on in the background. One that
// would ask for what another one is asking for is refused, since each fact
// would be paid for twice.
func (l *live) startJob(ctx context.Context, r *engine.Runner) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wanted := r.Progress().Job
	for id, w := range l.works {
		if have := w.runner.Progress(); id.job != 0 && !have.State.Final() && overlap(&wanted, &have.Job) {
			return 0, fmt.Errorf("%s by %s: %v is asking for some of it already", wanted.Work, wanted.Asked, id)
		}
	}
	l.jobs++
	return l.jobs, l.launch(ctx, workID{job: l.jobs}, r, nil)
}

// overlap reports whether two jobs may ask for the same fact.
func overlap(a, b *eval.Job) bool {
	if a.Work != b.Work || a.Asked != b.Asked || a.Dataset != b.Dataset {
		return false
	}
	switch a.Work {
	case eval.Voting:
		return slices.ContainsFunc(a.Contests, func(c eval.Contest) bool { return slices.Contains(b.Contests, c) })
	case eval.Scoring:
		return slices.ContainsFunc(a.Runs, func(r eval.RunID) bool { return slices.Contains(b.Runs, r) })
	case eval.Captioning, eval.Answering, eval.WorkUnset:
	}
	return true
}

// Jobs are the jobs other than runs that this process works on or has worked
// on, in the order in which they were started.
func (l *live) Jobs() []liveJob {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []liveJob
	for id, w := range l.works {
		if id.job != 0 {
			out = append(out, liveJob{id.job, w.runner.Progress()})
		}
	}
	slices.SortFunc(out, func(a, b liveJob) int { return cmp.Compare(a.id, b.id) })
	return out
}

// PauseJob starts no further calls of a job.
func (l *live) PauseJob(id int) error { return l.pause(workID{job: id}) }

// ResumeJob goes on with a paused job.
func (l *live) ResumeJob(id int) error { return l.resume(workID{job: id}) }

// CancelJob ends a job; calls in flight are recorded. What is left of it the
// same order asks.
func (l *live) CancelJob(id int) error { return l.cancel(workID{job: id}) }
