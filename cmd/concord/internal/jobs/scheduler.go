package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/home"
)

// Scheduler starts runs in the background of the screen, and takes up what an earlier process left off.
type Scheduler struct {
	*RunningJobs
	Ctx     context.Context // of the runs
	Project *project.Project
	Store   *store.Store

	mu      sync.Mutex
	lab     *Factory       // nil: the configuration does not read
	trouble error          // why the factory is nil
	growth  *GrowingQueues // nil before the first run is started
	efforts map[eval.RunID]Effort

	Share Share
}

// Share gives a run a holder of its own, by which workers are asked too; nil: none is.
type Share func(context.Context, *Effort, *config.Config) error

var (
	_ home.Scheduler = (*Scheduler)(nil)
	_ home.Control   = (*Scheduler)(nil)
)

// NewScheduler makes a scheduler whose runs end with ctx. A configuration that
// does not read is no reason not to open the project.
func NewScheduler(ctx context.Context, a *project.Project, st *store.Store, b *Factory) *Scheduler {
	if b != nil {
		b.Watched = true
	}
	return &Scheduler{RunningJobs: NewRunningJobs(a.Log), Ctx: ctx, Project: a, Store: st, lab: b, efforts: make(map[eval.RunID]Effort)}
}

// LoadFactoryOnce reads the configuration until it can be read: somebody may mend it while the
// screen is open. Once it was read it stays, since runs share its endpoints.
func (s *Scheduler) LoadFactoryOnce() (*Factory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lab == nil {
		if s.lab, s.trouble = NewFactory(s.Project, s.Store); s.lab != nil {
			s.lab.Watched = true
		}
	}
	return s.lab, s.trouble
}

// reloadFactory is the factory by the configuration of now: somebody may have written it since. Runs at
// work keep the one that they began with, and share its endpoints where those are still the same.
func (s *Scheduler) reloadFactory() (*Factory, error) {
	old, err := s.LoadFactoryOnce()
	if err != nil {
		return nil, err
	}
	l, err := NewFactoryWith(s.Project, s.Store, old.base, old.Models.Endpoints.transports)
	if err != nil {
		return nil, err
	}
	l.Watched = true
	l.Models.Endpoints.takeOverEndpoints(old.Models.Endpoints)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lab = l
	return l, nil
}

// WaitForRuns waits for the runs, whose context has ended, and for what they had enrolled.
func (s *Scheduler) WaitForRuns() error {
	s.closeAndWait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.growth == nil {
		return nil
	}
	return s.growth.Close()
}

// loadGrowingQueues are the growing queues, caught up with what is stored: nobody waits
// for that before a run is started.
func (s *Scheduler) loadGrowingQueues() (*GrowingQueues, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.growth != nil {
		return s.growth, nil
	}
	var err error
	s.growth, err = NewGrowingQueues(s.Ctx, s.Store, s.logAndShowError)
	return s.growth, err
}

// AdoptNewQueues has queues grow that were made since the first run was started; before, nothing grows.
func (s *Scheduler) AdoptNewQueues() {
	s.mu.Lock()
	g := s.growth
	s.mu.Unlock()
	if g == nil {
		return
	}
	if err := g.startNewGrowers(s.Ctx); err != nil && s.Ctx.Err() == nil {
		s.logAndShowError(err)
	}
}

// FormChoices are the datasets of the project and the models of the configuration.
func (s *Scheduler) FormChoices(ctx context.Context) (home.Choices, error) {
	l, err := s.reloadFactory()
	if err != nil {
		return home.Choices{Trouble: err.Error()}, nil //nolint:nilerr // the form says what is wrong with it
	}
	var out home.Choices
	all, err := s.Store.Datasets().List()
	if err != nil {
		return out, err
	}
	for _, d := range all {
		c, err := l.Datasets.newDatasetChoice(ctx, d)
		if err != nil {
			return out, err
		}
		out.Datasets = append(out.Datasets, c)
	}
	out.Models = l.Models.Choices()
	out.Defaults = home.Spec{Concurrency: l.Conf.RunConcurrency(), Budget: l.Conf.RunBudget()}
	return out, nil
}

func orderOfSpec(s home.Spec) Order {
	return Order{
		Dataset: s.Dataset, Model: s.Model, Strategy: s.Strategy, Modality: s.Modality, AllPasses: s.AllPasses,
		Rules: extract.Default, Shots: s.Shots, Judges: s.Judges, Fallback: s.Fallback, Seed: 1,
		Concurrency: s.Concurrency, New: s.New,
	}
}

// Estimate gives what the run would take.
func (s *Scheduler) Estimate(ctx context.Context, spec home.Spec) (home.Estimate, error) {
	l, err := s.LoadFactoryOnce()
	if err != nil {
		return home.Estimate{}, err
	}
	o := orderOfSpec(spec)
	o.Shared = s.Share != nil
	if err := o.checkTogether(); err != nil {
		return home.Estimate{}, err
	}
	c, err := l.configOfSpec(ctx, spec, &o)
	if err != nil {
		return home.Estimate{}, err
	}
	e, err := l.EstimateRun(ctx, c)
	if err != nil {
		return home.Estimate{}, err
	}
	out := NewHomeEstimate(e)
	if m, err := l.Conf.Model(spec.Model); err == nil {
		out.Time = TimeAtLimit(out.CallsHigh, m.Endpoint.RequestsPerMinute)
	}
	run, diffs, err := l.runs.findMostSimilarRun(ctx, c)
	switch {
	case errors.Is(err, eval.ErrNotFound):
		return out, nil
	case err != nil:
		return out, err
	}
	out.Existing = &home.Existing{Run: run.ID, Same: len(diffs) == 0, Differences: diffs}
	return out, nil
}

// configOfSpec gives the configuration a spec means: that of the run to go on with, or one of the spec.
func (l *Factory) configOfSpec(ctx context.Context, spec home.Spec, o *Order) (eval.Config, error) {
	if spec.Resume == 0 {
		return l.NewRunConfig(ctx, o)
	}
	run, err := l.Store.Runs().Run(spec.Resume)
	return run.Config, err
}

// Start makes the run, or goes on with it, in the background.
func (s *Scheduler) Start(ctx context.Context, spec home.Spec) (eval.RunID, error) {
	l, err := s.LoadFactoryOnce()
	if err != nil {
		return 0, err
	}
	id := spec.Resume
	if id == 0 {
		o := orderOfSpec(spec)
		if err := o.checkTogether(); err != nil {
			return 0, err
		}
		o.Shared = s.Share != nil
		run, err := l.FindRunOfOrder(ctx, &o)
		if err != nil {
			return 0, err
		}
		id = run.ID
	}
	if s.changeBudgetAndResume(id, spec.Budget) {
		return id, nil
	}
	return id, s.RunInBackground(id, Effort{Concurrency: spec.Concurrency, Budget: &spec.Budget})
}

// Judge has judges read what the rules cannot: of a run at work they are
// asked from now on, and of any other they read what is stored.
func (s *Scheduler) Judge(ctx context.Context, id eval.RunID, judges []string) error {
	l, err := s.LoadFactoryOnce()
	if err != nil {
		return err
	}
	run, err := s.Store.Runs().Run(id)
	if err != nil {
		return err
	}
	setups, err := l.StoreJudgeSetups(ctx, run.Config.Dataset, judges, run.Config.Settings.Language)
	if err != nil {
		return err
	}
	if p, ok := s.Progress(id); ok && !p.State.IsFinal() {
		if w := s.FindWork(WorkID{run: id}); w != nil {
			w.cancel()
			<-w.ended // what is stored decides what is left
		}
		e := s.lastEffortOfRun(id)
		judges := eval.Either(e.JudgeOnly != nil, &e.JudgeOnly, &e.JudgeToo)
		*judges = addMissingJudges(*judges, setups)
		return s.RunInBackground(id, e)
	}
	return s.RunInBackground(id, Effort{JudgeOnly: setups})
}

// PriceOf is what a model costs by today's configuration.
func (s *Scheduler) PriceOf(model string) eval.Price {
	s.mu.Lock()
	l := s.lab
	s.mu.Unlock()
	if l == nil {
		return eval.Price{}
	}
	return l.Models.priceOf(model)
}

// lastEffortOfRun is how hard a run was worked on last.
func (s *Scheduler) lastEffortOfRun(id eval.RunID) Effort {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.efforts[id]
}

// Retry asks again what failed in a run, and nothing else.
func (s *Scheduler) Retry(id eval.RunID) error {
	run, err := s.Store.Runs().Run(id)
	if err != nil {
		return err
	}
	e := s.lastEffortOfRun(id) // with the judges that were added to it
	if e.FailedOnly = true; run.Config.Origin == eval.Asked {
		e.JudgeToo, e.JudgeOnly = addMissingJudges(e.JudgeToo, e.JudgeOnly), nil
	}
	return s.RunInBackground(id, e)
}

// Resume goes on with a run that rests, or takes up one that was ended, also by an earlier process.
func (s *Scheduler) Resume(id eval.RunID) error {
	p, ok := s.Progress(id)
	failed := p.Counts.Failures + eval.Sum(p.Judges, func(j eval.JudgeProgress) int { return j.Counts.Failures }) // and may be asked again
	if ok && (!p.State.IsFinal() || p.State == eval.Done && !p.JudgesOnly && failed == 0 && !s.hasDatasetGrown(id, p.Total)) {
		return s.RunningJobs.Resume(id)
	}
	e := s.lastEffortOfRun(id)
	e.FailedOnly = false
	if run, err := s.Store.Runs().Run(id); err == nil && run.Config.Origin == eval.Asked {
		e.JudgeOnly = nil // that was beside what the run is for
	}
	return s.RunInBackground(id, e)
}

// hasDatasetGrown reports whether a run's dataset has more samples than it had when the run was started.
func (s *Scheduler) hasDatasetGrown(id eval.RunID, total int) bool {
	run, err := s.Store.Runs().Run(id)
	if err != nil {
		return false
	}
	d, err := s.Store.Datasets().Dataset(run.Config.Dataset)
	return err == nil && d.Samples > total
}

// RunInBackground works on a run in the background.
func (s *Scheduler) RunInBackground(id eval.RunID, e Effort) error {
	l, err := s.LoadFactoryOnce()
	if err != nil {
		return err
	}
	run, err := s.Store.Runs().Run(id)
	if err != nil {
		return err
	}
	if p, ok := s.Project.Live.Progress(id); ok && p.State != eval.StateUnset && !p.State.IsFinal() && s.FindWork(WorkID{run: id}) == nil {
		return fmt.Errorf("run %d: the command that has started it is still at work on it", id)
	}
	if run.Config.Origin != eval.Asked && len(e.JudgeOnly) == 0 {
		return fmt.Errorf("run %d is %s: there is nothing to ask", id, run.Config.Origin)
	}
	g, err := s.loadGrowingQueues()
	if err != nil {
		return err
	}
	e.Workers = nil
	if s.Share != nil && run.Config.Settings.Endpoint == "" && len(e.JudgeOnly) == 0 {
		if err = s.Share(s.Ctx, &e, l.Conf); err != nil {
			return err
		}
	}
	plan := func(ctx context.Context) (engine.Plan, error) {
		p, err := l.planRun(ctx, run, e)
		if p.Recorder = e.newWorkerNotifyingRecorder(g); err == nil {
			err = storeEndReason(s.Store, id, eval.Progress{})
		}
		return p, err
	}
	err = s.startRun(runLaunch{ctx: s.Ctx, plan: plan, begun: func(r *engine.Runner) { e.followCapacity(r); s.Project.Live.SetProgressSource(id, r.Progress) }, ended: func(r *engine.Runner) {
		if err := errors.Join(g.finishWholeQueues(), storeEndReason(s.Store, id, r.Progress())); err != nil {
			s.log.Error("complete queues, and note the end of a run", "err", err)
		}
		e.closeWorkers(r.Progress().State == eval.Done)
	}})
	if err != nil { // it goes on as before, or is at rest
		e.closeWorkers(false)
	} else {
		s.mu.Lock()
		s.efforts[id] = e
		s.mu.Unlock()
	}
	return err
}
