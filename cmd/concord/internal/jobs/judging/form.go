package judging

import (
	"context"
	"slices"

	"concord/annotate/criteria"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/judging"
)

var _ judging.Scheduler = (*Control)(nil)

// FormChoices are the datasets with answers of two runs at least, and the models of the configuration.
func (a *Control) FormChoices(ctx context.Context) (judging.Choices, error) {
	l, err := a.scheduler.LoadFactoryOnce()
	if err != nil {
		return judging.Choices{Trouble: err.Error()}, nil //nolint:nilerr // the form says what is wrong with it
	}
	var out judging.Choices
	all, err := a.scheduler.Store.Datasets().List()
	if err != nil {
		return out, err
	}
	for _, d := range all {
		c, err := a.newDatasetChoice(ctx, l, d)
		if err != nil {
			return out, err
		}
		out.Datasets = append(out.Datasets, c)
	}
	out.Judges = l.Models.Choices()
	out.Defaults = judging.Spec{Concurrency: l.Conf.RunConcurrency(), Budget: l.Conf.RunBudget()}
	return out, nil
}

// newDatasetChoice is what of a dataset can be compared, and what a judge can be shown.
func (a *Control) newDatasetChoice(ctx context.Context, l *jobs.Factory, d eval.Dataset) (judging.DatasetChoice, error) {
	c := judging.DatasetChoice{Name: d.Name, Samples: d.Samples}
	if !d.Complete {
		c.Why = "its import has not finished: the same import continues it"
		return c, nil
	}
	var err error
	if c.Models, err = a.listContenders(d.Name); err != nil {
		return c, err
	}
	if len(c.Models) < 2 {
		c.Why = "it takes answers of two models, one of them the anchor"
		return c, nil
	}
	if c.Anchor, err = a.findAnchorOfDataset(ctx, d.Name); err != nil {
		return c, err
	}
	for set, err := range a.scheduler.Store.Criteria().All(ctx, d.Name) {
		if err != nil {
			return c, err
		}
		if set.Removed == nil && criteria.HashCriteria(set.Criteria()) != "" {
			c.Criteria++
		}
	}
	captioned, err := l.Evidence.CaptionedSamples(ctx, d.Name)
	if err != nil {
		return c, err
	}
	c.Captioners = len(captioned)
	for _, some := range captioned {
		c.Captions = max(c.Captions, len(some))
	}
	looked, err := l.Evidence.DetectedSamples(ctx, d.Name)
	c.Detections = len(looked)
	return c, err
}

// listContenders lists the runs of a dataset, those of one model told apart by their numbers.
func (a *Control) listContenders(d eval.DatasetName) ([]judging.ModelChoice, error) {
	all, err := a.scheduler.Store.Runs().List()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r eval.Run) bool { return r.Config.Dataset != d })
	var out []judging.ModelChoice
	for _, c := range facts.NameContenders(all) {
		counts, err := a.scheduler.Store.Runs().Counts(c.Run.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, judging.ModelChoice{Run: c.Run.ID, Name: c.Name, Model: c.Run.Config.Model, Answers: counts.Predictions - counts.Failures})
	}
	return out, nil
}

// findAnchorOfDataset finds the anchor of the comparisons on a dataset; 0 without any.
func (a *Control) findAnchorOfDataset(ctx context.Context, d eval.DatasetName) (eval.RunID, error) {
	all, err := a.scheduler.Store.Votes().Comparisons(ctx)
	if err != nil {
		return 0, err
	}
	runs, err := a.runsByID()
	return findAnchorByDataset(all, runs)[d], err
}

func (a *Control) newVotingOrder(s judging.Spec) (jobs.VotingOrder, error) {
	input, without := jobs.OrderOfInput(s.Input)
	o := jobs.VotingOrder{Dataset: s.Dataset, Judge: s.Judge, Criteria: s.Criteria, Input: input, WithoutImages: without, Shuffled: s.Shuffled, Seed: 1, Edge: -1}
	for _, id := range append([]eval.RunID{s.Anchor}, s.Models...) {
		r, err := a.scheduler.Store.Runs().Run(id)
		if err != nil {
			return o, err
		}
		if id == s.Anchor {
			o.Anchor = r.Config.Model
		} else {
			o.Models = append(o.Models, r.Config.Model)
		}
		o.Runs = append(o.Runs, id)
	}
	for r := range max(s.Repeats, 1) {
		o.Repeats = append(o.Repeats, r)
	}
	return o, nil
}

// Estimate gives what a judging would take.
func (a *Control) Estimate(ctx context.Context, s judging.Spec) (judging.Estimate, error) {
	l, err := a.scheduler.LoadFactoryOnce()
	if err != nil {
		return judging.Estimate{}, err
	}
	o, err := a.newVotingOrder(s)
	if err != nil {
		return judging.Estimate{}, err
	}
	v, err := l.NewVotingJob(ctx, &o)
	if err != nil {
		return judging.Estimate{}, err
	}
	e, err := v.Estimate()
	if err == nil && len(v.Due) == 0 {
		err = v.StoreUnderCandidate(ctx) // nothing will be started
	}
	if err != nil {
		return judging.Estimate{}, err
	}
	shown := jobs.NewHomeEstimate(e)
	out := judging.Estimate{
		Tally: v.Tally, Calls: len(v.Due), PromptTokens: shown.PromptTokens, CompletionTokens: shown.CompletionTokens,
		Cost: shown.CostHigh, Priced: shown.Priced, Stale: v.Stale, Assumed: shown.Assumed,
	}
	if m, err := l.Conf.Model(s.Judge); err == nil {
		out.Time = jobs.TimeAtLimit(out.Calls, m.Endpoint.RequestsPerMinute)
	}
	out.LeftOut = eval.Map(v.ListLeftOut(), func(l eval.LeftOut) judging.LeftOut {
		return judging.LeftOut{Why: describeReason(l.Reason), Votes: l.Facts, Asked: l.Asked}
	})
	for _, r := range append([]eval.Run{v.Anchor}, v.Models...) {
		why, err := facts.WhyUnfinished(a.scheduler.Store, r)
		if err != nil {
			return out, err
		}
		if why != "" {
			out.Unfinished = append(out.Unfinished, why)
		}
	}
	out.Live = a.isUnderWay(v)
	return out, ctx.Err()
}

// isUnderWay reports whether the same order is at work.
func (a *Control) isUnderWay(v *jobs.VotingJob) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(v.Tallies, func(t jobs.Tally) bool {
		h := a.lastJobOf(t.Comparison)
		return h != nil && h.isWorking() && h.Voting.AsksSameComparisons(v)
	})
}

// Start begins with a judging, or goes on with it.
func (a *Control) Start(ctx context.Context, s judging.Spec) (job.ID, error) {
	o, err := a.newVotingOrder(s)
	if err != nil {
		return "", err
	}
	h, err := a.StartVoting(ctx, &o, jobs.Effort{Concurrency: s.Concurrency, Budget: &s.Budget})
	if err != nil {
		return "", err
	}
	return ComparisonJobID(h.Voting.FirstComparison()), nil
}
