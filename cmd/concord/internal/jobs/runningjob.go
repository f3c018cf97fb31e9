package jobs

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
	ID       int
	Progress eval.Progress
}

// StartJob has a job other than a run worked on in the background. One that
// would ask for what another one is asking for is refused, since each fact
// would be paid for twice.
func (l *Running) StartJob(ctx context.Context, r *engine.Runner) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wanted := r.Progress().Job
	for id, w := range l.works {
		if have := w.Runner.Progress(); id.Job != 0 && !have.State.Final() && overlap(&wanted, &have.Job) {
			return 0, fmt.Errorf("%s by %s: %v is asking for some of it already", wanted.Work, wanted.Asked, id)
		}
	}
	l.jobs++
	return l.jobs, l.launch(ctx, WorkID{Job: l.jobs}, r, nil)
}

// overlap reports whether two jobs may ask for the same fact.
func overlap(a, b *eval.Job) bool {
	if a.Work != b.Work || a.Asked != b.Asked || a.Dataset != b.Dataset {
		return false
	}
	switch a.Work {
	case eval.Voting:
		return slices.ContainsFunc(a.Comparisons, func(c eval.Comparison) bool { return slices.Contains(b.Comparisons, c) })
	case eval.Scoring:
		return slices.ContainsFunc(a.Runs, func(r eval.RunID) bool { return slices.Contains(b.Runs, r) })
	case eval.Captioning, eval.Answering, eval.WorkUnset:
	}
	return true
}

// Jobs are the jobs other than runs that this process works on or has worked
// on, in the order in which they were started.
func (l *Running) Jobs() []liveJob {
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

// PauseJob starts no further calls of a job.
func (l *Running) PauseJob(id int) error { return l.pause(WorkID{Job: id}) }

// ResumeJob goes on with a paused job.
func (l *Running) ResumeJob(id int) error { return l.resume(WorkID{Job: id}) }

// CancelJob ends a job; calls in flight are recorded. What is left of it the
// same order asks.
func (l *Running) CancelJob(id int) error { return l.cancel(WorkID{Job: id}) }
