package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/eval/remote"
	"concord/store"
)

// Effort is how hard a run is worked on: nothing in it changes an answer.
type Effort struct {
	Concurrency int      // 0: as configured
	Budget      *float64 // nil: as configured; 0: none
	FailedOnly  bool
	Fallback    bool              // of JudgeOnly: draw what they cannot read
	JudgeOnly   []eval.JudgeSetup // have these judges read what is stored, and ask nothing else
	JudgeToo    []eval.JudgeSetup // beside those of the run's settings
	Export      string            // of single calls: they are written to this file, and none is made
	Results     string            // of single calls: a file that holds the replies, so that none is made
	Workers     *remote.Holder    // of a run: who makes calls elsewhere; nil: nobody
	Local       int               // calls at once that this process makes beside them
}

// newWorkerNotifyingRecorder has workers told what is recorded.
func (e *Effort) newWorkerNotifyingRecorder(r eval.Recorder) eval.Recorder {
	return eval.Either[eval.Recorder](e.Workers == nil, r, remote.Recorder{Recorder: r, Holder: e.Workers})
}

// followCapacity has a runner work on as many questions as this process and the workers take, and on a
// quarter more of these: they wait in the queue, so that no worker waits for a commit and the next call.
// It gives what workers have to say; nil where there are none.
func (e *Effort) followCapacity(r *engine.Runner) (lines func() []string) {
	if e.Workers != nil {
		e.Workers.SetResize(func(n int) { r.SetConcurrency(e.Local + n + n/4) })
		lines = e.Workers.TakeLines
	}
	return lines
}

// closeWorkers says goodbye to the workers, since the run has ended.
func (e *Effort) closeWorkers(done bool) {
	if e.Workers != nil {
		e.Workers.Close(eval.Either(done, "the run is done", "the run has ended"), done)
	}
}

// A short outage passes within them.
const (
	retryBase = time.Second
	retryCap  = time.Minute
)

// unresolved is how long a command waits for a host's name to resolve. The app waits on, and says so.
const unresolved = time.Minute

// planRun gives what brings a run further under the settings that it was made with.
func (l *Factory) planRun(ctx context.Context, run eval.Run, e Effort) (engine.Plan, error) {
	if open, err := store.OpenBatches(l.Store, run.ID); err != nil || len(open) > 0 {
		return engine.Plan{}, cmp.Or(err, fmt.Errorf("run %d: %s open, whose calls would be asked twice (concord batch run --run %d takes the results, with --forget it gives up the batches)",
			run.ID, cli.FormatCountOf(len(open), "batch is", "batches are"), run.ID))
	}
	reader, err := facts.FindRulesOfRun(run)
	if err != nil {
		return engine.Plan{}, err
	}
	counts, err := facts.CountRunByRules(ctx, l.Store, run, reader)
	if err != nil {
		return engine.Plan{}, err
	}
	d, err := l.Store.Datasets().Dataset(run.Config.Dataset)
	if err != nil {
		return engine.Plan{}, err
	}
	p := engine.Plan{
		Run: run, Reader: reader, Source: l.Store.Runs(), Recorder: l.Store.Runs(), Judgments: l.Store.Judgments(),
		Pictures: l.Store.Datasets().Picture, Total: d.Samples, Counts: counts, FailedOnly: e.FailedOnly,
		Price: l.Models.priceOf(run.Config.Model), JudgePrices: make(map[string]eval.Price),
		Terms: l.newTerms(e, namesWithRetries(run, e)...),
	}
	if p.Judged, err = l.Store.Judgments().Counts(run.ID); err != nil {
		return p, err
	}
	p.Judged = slices.DeleteFunc(p.Judged, func(j eval.JudgeProgress) bool { return eval.JudgeOfCandidate(j.Judge) != "" })
	for _, j := range p.Judged { // what they took is part of the cost
		p.JudgePrices[j.Judge] = l.Models.priceOf(j.Judge)
	}
	judges := replaceOwnSetup(run, e.JudgeOnly)
	if judges == nil {
		judges = addMissingJudges(run.Config.Settings.Judges, e.JudgeToo)
		if e.Workers != nil {
			p.Model, err = newSharedModel(l, run, &e)
			p.Concurrency, p.Workers = max(e.Local, 1), e.Workers.Workers
		} else {
			p.Model, err = l.newModelAsker(run)
		}
		if err != nil {
			return p, err
		}
	}
	for _, setup := range judges {
		if err := adoptCandidateJudgments(ctx, l, run.ID, setup); err != nil {
			return p, err
		}
		j, err := l.newJudge(ctx, run, setup, run.Config.Settings.Fallback || e.Fallback)
		if err != nil {
			return p, err
		}
		p.Judges = append(p.Judges, j)
		p.JudgePrices[setup.Judge] = l.Models.priceOf(setup.Judge)
	}
	return p, l.Models.RequirePricesForBudget(e.Budget, namesOfAskedModels(&p))
}

// adoptCandidateJudgments has what was read under the name of a candidate stand for a judge that is
// asked alike, once its prompt was promoted.
func adoptCandidateJudgments(ctx context.Context, l *Factory, run eval.RunID, s eval.JudgeSetup) error {
	hash, _ := judge.HashSetup(s)
	candidate, said := eval.NameCandidate(s.Judge, hash), make(map[eval.Key]eval.Judgment)
	if names, err := l.Store.Judgments().Judges(run); err != nil || !slices.Contains(names, candidate) {
		return err
	}
	for j, err := range l.Store.Judgments().Calls(ctx, run) {
		if err != nil {
			return err
		}
		if j.HasReply() && (j.Judge == s.Judge || j.Judge == candidate && said[j.Key].Judge != s.Judge) {
			said[j.Key] = j
		}
	}
	for _, j := range said {
		if j.Judge == s.Judge {
			continue
		}
		j.Judge, j.Setup, j.Usage, j.Latency = s.Judge, hash, eval.Usage{}, 0
		if err := l.Store.Judgments().RecordJudgment(ctx, j, false); err != nil {
			return err
		}
	}
	return nil
}

func namesOfAskedModels(p *engine.Plan) []string {
	var names []string
	if p.Model != nil {
		names = append(names, p.Run.Config.Model)
	}
	return append(names, eval.Map(p.Judges, eval.Judge.Name)...)
}

// addMissingJudges adds the judges with those of the others that are not among them.
func addMissingJudges(judges, others []eval.JudgeSetup) []eval.JudgeSetup {
	out := slices.Clone(judges)
	for _, o := range others {
		if !slices.ContainsFunc(out, func(j eval.JudgeSetup) bool { return j.Judge == o.Judge }) {
			out = append(out, o)
		}
	}
	return out
}

// replaceOwnSetup gives the setups with the run's own in the place of those of its judges: a run's judge
// reads by one prompt and by one set of parameters, whatever is configured under its name today.
func replaceOwnSetup(run eval.Run, setups []eval.JudgeSetup) []eval.JudgeSetup {
	return eval.Map(setups, func(s eval.JudgeSetup) eval.JudgeSetup {
		own, ok := eval.FirstWanted(run.Config.Settings.Judges, func(j eval.JudgeSetup) bool { return j.Judge == s.Judge })
		return eval.Either(ok, own, s)
	})
}

// newModelAsker gives the model that a run asks, as the run's settings say.
func (l *Factory) newModelAsker(run eval.Run) (*prompt.Asker, error) {
	s := run.Config.Settings
	if run.Config.Origin != eval.Asked {
		return nil, fmt.Errorf("run %d is %s: only runs of an endpoint are asked", run.ID, run.Config.Origin)
	}
	m, err := l.Models.newModelOfEndpoint(run.Config.Model, s.Endpoint, openai.ModelOptions{
		Name: s.Name, Params: []byte(s.Params), Edge: s.Edge, LogProbs: l.Models.findConfiguredModel(run.Config.Model, s.Endpoint, s.Name).LogProbs,
	})
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", run.Config.Model, err)
	}
	a, err := l.NewSilentAsker(run)
	if err == nil {
		a.Chatter = m
	}
	return a, err
}

// newSharedModel gives the model of a run that workers share: any endpoint that has it.
func newSharedModel(l *Factory, run eval.Run, e *Effort) (eval.Model, error) {
	s := run.Config.Settings
	if run.Config.Origin != eval.Asked || s.Endpoint != "" {
		return nil, fmt.Errorf("run %d asks %s alone: workers share a run that is begun with --workers", run.ID, cmp.Or(s.Endpoint, "nobody"))
	}
	a, err := l.NewSilentAsker(run)
	if err != nil {
		return nil, err
	}
	local := remote.Local{Calls: e.Local}
	if e.Local > 0 {
		m, err := l.Conf.Model(run.Config.Model)
		if err == nil {
			local.Model, err = l.newModelAsker(run)
		}
		if err != nil {
			return nil, fmt.Errorf("%w (--local 0 leaves all calls to the workers)", err)
		}
		local.Endpoint = m.Endpoint.BaseURL
	}
	return e.Workers.NewSharedModel(a, remote.Call{
		Model: s.Name, Params: s.Params, Edge: s.Edge, LogProbs: l.Models.findConfiguredModel(run.Config.Model, "", s.Name).LogProbs,
	}, local), nil
}

// NewSilentAsker says what a run asks, and asks nothing.
func (l *Factory) NewSilentAsker(run eval.Run) (*prompt.Asker, error) {
	set, err := l.Prompts.loadByRefs(run.Config.Settings.Prompts)
	if err != nil {
		return nil, err
	}
	return prompt.NewAsker(nil, set, run.Config.Settings)
}

// newJudge gives a judge under its setup, ready to be asked.
func (l *Factory) newJudge(ctx context.Context, run eval.Run, setup eval.JudgeSetup, fallback bool) (*judge.Judge, error) {
	m, err := l.Models.newJudgeChatter(setup)
	if err != nil {
		return nil, err
	}
	return l.NewJudgeWith(ctx, run, setup, fallback, m)
}

// NewJudgeWith gives a judge under its setup, which is kept beside its judgments. With
// a nil chatter it only reads replies, which takes no key.
func (l *Factory) NewJudgeWith(ctx context.Context, run eval.Run, setup eval.JudgeSetup, fallback bool, m eval.Chatter) (*judge.Judge, error) {
	set, err := l.Prompts.loadByRefs(setup.Prompts)
	if err != nil {
		return nil, err
	}
	_, text := judge.HashSetup(setup)
	if _, err := l.Store.Texts().Put(ctx, string(text)); err != nil {
		return nil, fmt.Errorf("keep setup of judge %s: %w", setup.Judge, err)
	}
	return judge.New(judge.Options{Setup: setup, Chatter: m, Set: set, Hints: l.Conf.MaxJudgeHints(), Fallback: fallback, Seed: cmp.Or(run.Config.Settings.Seed, 1)})
}

// namesWithRetries are those whose retries count: the run's model, or else its judges.
func namesWithRetries(run eval.Run, e Effort) []string {
	judges := eval.Map(e.JudgeOnly, func(j eval.JudgeSetup) string { return j.Judge })
	return eval.Either(e.JudgeOnly == nil, []string{run.Config.Model}, judges)
}

// newTerms gives those on which these models and judges are asked.
func (l *Factory) newTerms(e Effort, names ...string) engine.Terms {
	t := engine.Terms{
		Concurrency: cmp.Or(e.Concurrency, l.Conf.RunConcurrency()), Budget: l.Conf.RunBudget(), Now: l.Now,
		Retry: engine.Retry{Max: l.Models.maxRetries(names), Base: cmp.Or(l.Waits.Base, retryBase), Cap: cmp.Or(l.Waits.Most, retryCap)},
	}
	if e.Budget != nil {
		t.Budget = *e.Budget
	}
	if !l.Watched {
		t.Unresolved = unresolved
	}
	return t
}

// Factory makes runs and jobs from orders. It holds the project, the
// configuration, and the endpoints that all runs of this process share.
//
//	order --configure--> eval.Config --open--> eval.Run --plan--> engine.Plan --> Running or runToEnd
type Factory struct {
	*project.Project
	Store    *store.Store
	Conf     *config.Config
	Models   Models
	Prompts  Templates
	Datasets DatasetCache
	Evidence EvidenceReader
	runs     runFinder
	Watched  bool   // somebody sees the jobs' state: a host without an address is waited for
	base     []byte // configuration below that of files
	trial    *trial // a prompt that its jobs try; nil: none
}

// NewFactory reads the configuration. Nothing is asked of an endpoint yet.
func NewFactory(a *project.Project, st *store.Store) (*Factory, error) {
	return NewFactoryWith(a, st, nil, nil)
}

// NewFactoryWith is NewFactory with a configuration below those of files, and with
// transports by the address of the endpoint that they reach.
func NewFactoryWith(a *project.Project, st *store.Store, base []byte, transports map[string]http.RoundTripper) (*Factory, error) {
	places := a.ConfigPlaces()
	places.Base = base
	conf, err := config.Load(places)
	if err != nil {
		return nil, err
	}
	p := NewEndpoints(conf)
	p.transports = transports
	return &Factory{
		Project: a, Store: st, Conf: conf, Models: Models{conf, p}, Prompts: Templates{conf, st},
		Datasets: DatasetCache{Store: st, facts: make(map[eval.DatasetName]datasetFacts)},
		Evidence: EvidenceReader{st}, runs: runFinder{st}, base: base,
	}, nil
}

// LogGrowing logs what a growing queue could not enrol.
func (l *Factory) LogGrowing(err error) {
	if err != nil {
		l.Log.Error("grow queue", "err", err)
	}
}

// RunToEnd brings a run to its end and has it said what became of it.
func (l *Factory) RunToEnd(ctx context.Context, run eval.Run, made bool, e Effort, say func(RunSummary) error) error {
	p, err := l.planRun(ctx, run, e)
	if err == nil {
		err = storeEndReason(l.Store, run.ID, eval.Progress{})
	}
	if err != nil {
		return err
	}
	if unknown := l.Models.joinUnpricedModels(namesOfAskedModels(&p)); p.Budget > 0 && unknown != "" && !l.JSON {
		_, _ = fmt.Fprintf(l.Err, "concord: the budget of %g cannot be held: no price is known of %s\n", p.Budget, cli.EscapeControls(unknown))
	}
	g, err := NewGrowingQueues(ctx, l.Store, l.LogGrowing)
	if err != nil {
		return err
	}
	p.Recorder = e.newWorkerNotifyingRecorder(g)
	r, err := engine.NewRunner(p)
	if err != nil {
		return errors.Join(fmt.Errorf("run %d: %w", run.ID, err), g.Close())
	}
	lines := e.followCapacity(r)
	l.Live.SetProgressSource(run.ID, r.Progress)
	progress, err := runToEnd(ctx, l.Project, r, fmt.Sprintf("run %d", run.ID), lines)
	err = errors.Join(err, g.Close(), storeEndReason(l.Store, run.ID, progress))
	facts.StoreReadingColumns(ctx, l.Store, run.ID)
	if progress.State != eval.StateUnset { // else it never began
		s, serr := l.runs.summarizeRun(ctx, run, made, progress, e, err)
		if serr == nil {
			serr = say(s)
		}
		err = errors.Join(err, serr)
	}
	if errors.Is(err, errBudget) {
		return cli.StatusError{Code: cli.ExitGate, Quiet: true}
	}
	if c := progress.Counts; err == nil && c.Failures > 0 && c.Failures == c.Predictions {
		return fmt.Errorf("run %d: no call was answered; see: concord doctor", run.ID)
	}
	if left := progress.Total - progress.Counts.Questions; err == nil && left > 0 && p.Model != nil && !e.FailedOnly {
		return fmt.Errorf("run %d: %s left to an outage: the same command asks on", run.ID, cli.FormatCount(left, "question"))
	}
	for _, j := range progress.Judges {
		if err == nil && j.Lost > 0 {
			return fmt.Errorf("run %d: %s of %s left to an outage: the same command asks on", run.ID, cli.FormatCount(j.Lost, "extraction"), cli.EscapeControls(j.Judge))
		}
	}
	return err
}

// WarnOfDataset says which questions a run would ask without their pictures, which in a
// translation that is out of date, and who is asked for a language base.
func (l *Factory) WarnOfDataset(ctx context.Context, c eval.Config) error {
	s, err := l.Datasets.DatasetFacts(ctx, c.Dataset)
	if err != nil {
		return err
	}
	warning, err := s.requireImagesIfAsked(c.Modality)
	stale, unread := l.Store.Authoring().DescribeStale(ctx, c.Dataset)
	for _, text := range []string{warning, stale} {
		if text != "" {
			_, _ = fmt.Fprintln(l.Err, cli.EscapeControls(text))
		}
	}
	if m, merr := l.Conf.Model(c.Model); merr == nil && c.Modality == eval.BaseText && m.Card.LanguageBase != "" {
		_, _ = fmt.Fprintln(l.Err, cli.EscapeControls(fmt.Sprintf("%s itself is asked; its language base is asked with --model %s --modality base", c.Model, m.Card.LanguageBase)))
	}
	return cmp.Or(err, unread)
}
