package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"concord/eval"
	"concord/eval/engine"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/home"
)

// starter starts runs in the background of the screen, and takes up those
// that an earlier process left off.
type starter struct {
	*live
	ctx context.Context // of the runs
	app *app
	st  *store.Store

	mu      sync.Mutex
	lab     *lab    // nil: the configuration does not read
	trouble error   // why lab is nil
	growth  *growth // nil before the first run is started
	efforts map[eval.RunID]effort
}

var (
	_ home.Starter = (*starter)(nil)
	_ home.Control = (*starter)(nil)
)

// newStarter makes a starter whose runs end with ctx. A configuration that
// does not read is no reason not to open the project.
func newStarter(ctx context.Context, a *app, st *store.Store, b *lab) *starter {
	return &starter{live: newLive(a.log), ctx: ctx, app: a, st: st, lab: b, efforts: make(map[eval.RunID]effort)}
}

// ready reads the configuration until it can be read: somebody may mend it
// while the screen is open. Once it was read it stays, since runs share its
// endpoints.
func (s *starter) ready() (*lab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lab == nil {
		s.lab, s.trouble = newLab(s.app, s.st)
	}
	return s.lab, s.trouble
}

// renewed is the lab by the configuration of now: somebody may have written it
// since. Runs at work keep the one that they began with, and share its
// endpoints where those are still the same.
func (s *starter) renewed() (*lab, error) {
	old, err := s.ready()
	if err != nil {
		return nil, err
	}
	l, err := newLabWith(s.app, s.st, old.base, old.pool.transports)
	if err != nil {
		return nil, err
	}
	l.pool.keep(old.pool)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lab = l
	return l, nil
}

// stop waits for the runs, whose context has ended, and for what they had
// enrolled.
func (s *starter) stop() error {
	s.wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.growth == nil {
		return nil
	}
	return s.growth.close()
}

// grown are the growing queues, caught up with what is stored: nobody waits
// for that before a run is started.
func (s *starter) grown() (*growth, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.growth != nil {
		return s.growth, nil
	}
	g, err := newGrowth(s.ctx, s.st, s.tell)
	if err == nil {
		s.growth = g
	}
	return g, err
}

// adopt has queues grow that were made since the first run was started; before
// it there is nothing to grow by.
func (s *starter) adopt() {
	s.mu.Lock()
	g := s.growth
	s.mu.Unlock()
	if g == nil {
		return
	}
	if err := g.adopt(s.ctx); err != nil && s.ctx.Err() == nil {
		s.tell(err)
	}
}

// Choices are the datasets of the project and the models of the configuration.
func (s *starter) Choices(ctx context.Context) (home.Choices, error) {
	l, err := s.renewed()
	if err != nil {
		return home.Choices{Trouble: err.Error()}, nil //nolint:nilerr // the form says what is wrong with it
	}
	var out home.Choices
	all, err := s.st.Datasets().List()
	if err != nil {
		return out, err
	}
	for _, d := range all {
		c, err := l.datasetChoice(ctx, d)
		if err != nil {
			return out, err
		}
		out.Datasets = append(out.Datasets, c)
	}
	for _, m := range l.conf.Models() {
		c := home.ModelChoice{Name: m.Name, Endpoint: m.Endpoint.BaseURL, Card: m.Card, Price: m.Price}
		if _, err := l.conf.Key(m.Endpoint); err != nil {
			c.Why = err.Error()
		}
		out.Models = append(out.Models, c)
	}
	out.Defaults = home.Spec{Concurrency: l.conf.Concurrency(), Budget: l.conf.Budget()}
	return out, nil
}

func (l *lab) datasetChoice(ctx context.Context, d eval.Dataset) (home.DatasetChoice, error) {
	c := home.DatasetChoice{Name: d.Name, Samples: d.Samples}
	if !d.Complete {
		c.Why = "its import has not finished: the same import goes on with it"
		return c, nil
	}
	v, err := l.survey(ctx, d.Name)
	if err != nil {
		return c, err
	}
	c.Pictures = v.pictured
	for _, k := range []eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen} {
		if v.kinds[k] > 0 {
			c.Kinds = append(c.Kinds, k)
		}
	}
	return c, nil
}

// orderOf is the order that a form's spec makes.
func orderOf(s home.Spec) order {
	return order{
		Dataset: s.Dataset, Model: s.Model, Strategy: s.Strategy, Modality: s.Modality, AllPasses: s.AllPasses,
		Rules: extract.Default, Shots: s.Shots, Judges: s.Judges, Fallback: s.Fallback, Seed: 1,
		Concurrency: s.Concurrency, New: s.New,
	}
}

// Estimate is what the run would take.
func (s *starter) Estimate(ctx context.Context, spec home.Spec) (home.Estimate, error) {
	l, err := s.ready()
	if err != nil {
		return home.Estimate{}, err
	}
	o := orderOf(spec)
	if err := o.check(); err != nil {
		return home.Estimate{}, err
	}
	c, err := l.configOf(ctx, spec, &o)
	if err != nil {
		return home.Estimate{}, err
	}
	e, err := l.estimate(ctx, c)
	if err != nil {
		return home.Estimate{}, err
	}
	out := shownEstimate(e)
	if m, err := l.conf.Model(spec.Model); err == nil {
		out.Time = timeAt(out.CallsHigh, m.Endpoint.RequestsPerMinute)
	}
	run, diffs, err := l.existing(ctx, c)
	switch {
	case errors.Is(err, eval.ErrNotFound):
		return out, nil
	case err != nil:
		return out, err
	}
	out.Existing = &home.Existing{Run: run.ID, Same: len(diffs) == 0}
	for _, d := range diffs {
		out.Existing.Differences = append(out.Existing.Differences, home.Difference{Field: d.Field, Was: d.Was, Is: d.Is})
	}
	return out, nil
}

// configOf is the configuration that a spec means: that of the run to go on
// with, or one made of the spec.
func (l *lab) configOf(ctx context.Context, spec home.Spec, o *order) (eval.Config, error) {
	if spec.Resume == 0 {
		return l.configure(ctx, o)
	}
	run, err := l.st.Runs().Run(spec.Resume)
	return run.Config, err
}

// Start makes the run, or goes on with it, in the background.
func (s *starter) Start(ctx context.Context, spec home.Spec) (eval.RunID, error) {
	l, err := s.ready()
	if err != nil {
		return 0, err
	}
	e := effort{Concurrency: spec.Concurrency, Budget: &spec.Budget}
	if id := spec.Resume; id != 0 {
		if s.raise(id, spec.Budget) {
			return id, nil
		}
		return id, s.launch(id, e)
	}
	o := orderOf(spec)
	if err := o.check(); err != nil {
		return 0, err
	}
	run, err := l.ordered(ctx, &o)
	if err != nil {
		return 0, err
	}
	if s.raise(run.ID, spec.Budget) {
		return run.ID, nil
	}
	return run.ID, s.launch(run.ID, e)
}

// Judge has judges read what the rules cannot: of a run at work they are
// asked from now on, and of any other they read what is stored.
func (s *starter) Judge(ctx context.Context, id eval.RunID, judges []string) error {
	l, err := s.ready()
	if err != nil {
		return err
	}
	run, err := s.st.Runs().Run(id)
	if err != nil {
		return err
	}
	setups, err := l.judgeSetups(ctx, run.Config.Dataset, judges, run.Config.Settings.Language)
	if err != nil {
		return err
	}
	if p, ok := s.Progress(id); ok && !p.State.Final() {
		s.end(id) // what is stored decides what is left
		e := s.effort(id)
		if e.JudgeOnly != nil {
			e.JudgeOnly = more(e.JudgeOnly, setups)
		} else {
			e.JudgeToo = more(e.JudgeToo, setups)
		}
		return s.launch(id, e)
	}
	return s.launch(id, effort{JudgeOnly: setups})
}

// price is what a model costs by today's configuration.
func (s *starter) price(model string) eval.Price {
	s.mu.Lock()
	l := s.lab
	s.mu.Unlock()
	if l == nil {
		return eval.Price{}
	}
	return l.price(model)
}

// effort is how hard a run was worked on last.
func (s *starter) effort(id eval.RunID) effort {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.efforts[id]
}

// Retry asks again what failed in a run, and nothing else.
func (s *starter) Retry(id eval.RunID) error {
	run, err := s.st.Runs().Run(id)
	if err != nil {
		return err
	}
	e := s.effort(id) // with the judges that were added to it
	if e.FailedOnly = true; run.Config.Origin == eval.Asked {
		e.JudgeToo, e.JudgeOnly = more(e.JudgeToo, e.JudgeOnly), nil
	}
	return s.launch(id, e)
}

// Resume goes on with a run that rests, or takes up one that was ended, also
// by an earlier process.
func (s *starter) Resume(id eval.RunID) error {
	p, ok := s.Progress(id)
	if ok && (!p.State.Final() || p.State == eval.Done && !p.JudgesOnly && failures(p) == 0 && !s.outgrown(id, p.Total)) {
		return s.live.Resume(id)
	}
	e := s.effort(id)
	e.FailedOnly = false
	if run, err := s.st.Runs().Run(id); err == nil && run.Config.Origin == eval.Asked {
		e.JudgeOnly = nil // that was beside what the run is for
	}
	return s.launch(id, e)
}

// outgrown reports whether a run's dataset has more samples than it had when
// the run was started.
func (s *starter) outgrown(id eval.RunID, total int) bool {
	run, err := s.st.Runs().Run(id)
	if err != nil {
		return false
	}
	d, err := s.st.Datasets().Dataset(run.Config.Dataset)
	return err == nil && d.Samples > total
}

// launch works on a run in the background.
func (s *starter) launch(id eval.RunID, e effort) error {
	l, err := s.ready()
	if err != nil {
		return err
	}
	run, err := s.st.Runs().Run(id)
	if err != nil {
		return err
	}
	if run.Config.Origin != eval.Asked && len(e.JudgeOnly) == 0 {
		return fmt.Errorf("run %d is %s: there is nothing to ask", id, run.Config.Origin)
	}
	g, err := s.grown()
	if err != nil {
		return err
	}
	plan := func(ctx context.Context) (engine.Plan, error) {
		p, err := l.plan(ctx, run, e)
		p.Recorder = g
		return p, err
	}
	err = s.start(jobPlan{ctx: s.ctx, plan: plan, ended: func() {
		if err := g.settle(); err != nil {
			s.log.Error("settle queues", "err", err)
		}
	}})
	if err == nil { // else it goes on as before, or is at rest
		s.mu.Lock()
		s.efforts[id] = e
		s.mu.Unlock()
	}
	return err
}
