package main

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate/criteria"
	"concord/eval"
	"concord/tui/job"
	"concord/tui/judging"
)

var _ judging.Starter = (*arbiter)(nil)

// Choices are the datasets with answers of two runs at least, and the models
// of the configuration.
func (a *arbiter) Choices(ctx context.Context) (judging.Choices, error) {
	l, err := a.ready()
	if err != nil {
		return judging.Choices{Trouble: err.Error()}, nil //nolint:nilerr // the form says what is wrong with it
	}
	var out judging.Choices
	all, err := a.st.Datasets().List()
	if err != nil {
		return out, err
	}
	for _, d := range all {
		c, err := a.comparable(ctx, l, d)
		if err != nil {
			return out, err
		}
		out.Datasets = append(out.Datasets, c)
	}
	for _, m := range l.conf.Models() {
		c := judging.JudgeChoice{Name: m.Name, Endpoint: m.Endpoint.BaseURL, Price: m.Price}
		if _, err := l.conf.Key(m.Endpoint); err != nil {
			c.Why = err.Error()
		}
		out.Judges = append(out.Judges, c)
	}
	out.Defaults = judging.Spec{Concurrency: l.conf.Concurrency(), Budget: l.conf.Budget()}
	return out, nil
}

// comparable is what of a dataset can be compared, and what a judge can be
// shown.
func (a *arbiter) comparable(ctx context.Context, l *lab, d eval.Dataset) (judging.DatasetChoice, error) {
	c := judging.DatasetChoice{Name: d.Name, Samples: d.Samples}
	if !d.Complete {
		c.Why = "its import has not finished: the same import goes on with it"
		return c, nil
	}
	var err error
	if c.Models, err = a.contenders(d.Name); err != nil {
		return c, err
	}
	if len(c.Models) < 2 {
		c.Why = "it takes answers of two models, one of them the anchor"
		return c, nil
	}
	if c.Anchor, err = a.anchorOn(ctx, d.Name); err != nil {
		return c, err
	}
	s, err := l.survey(ctx, d.Name)
	if err != nil {
		return c, err
	}
	c.Pictures = s.pictured - s.absent
	for set, err := range a.st.Criteria().All(ctx, d.Name) {
		if err != nil {
			return c, err
		}
		if set.Removed == nil && criteria.Hash(set.Criteria()) != "" {
			c.Criteria++
		}
	}
	captioned, err := l.captioned(ctx, d.Name)
	if err != nil {
		return c, err
	}
	c.Captioners = len(captioned)
	for _, some := range captioned {
		c.Captions = max(c.Captions, len(some))
	}
	looked := make(map[eval.Ordinal]bool)
	for one, err := range a.st.Detections().All(ctx, d.Name) {
		if err != nil {
			return c, err
		}
		looked[one.Sample] = true
	}
	c.Detections = len(looked)
	return c, nil
}

// contenders are the runs of a dataset, those of one model told apart by their
// numbers.
func (a *arbiter) contenders(d eval.DatasetName) ([]judging.ModelChoice, error) {
	all, err := a.st.Runs().List()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r eval.Run) bool { return r.Config.Dataset != d })
	several := make(map[string]int)
	for _, r := range all {
		several[r.Config.Model]++
	}
	var out []judging.ModelChoice
	for _, r := range all {
		counts, err := a.st.Runs().Counts(r.ID)
		if err != nil {
			return nil, err
		}
		c := judging.ModelChoice{Run: r.ID, Name: r.Config.Model, Model: r.Config.Model, Answers: counts.Predictions - counts.Failures}
		if several[r.Config.Model] > 1 {
			c.Name += fmt.Sprintf(" (run %d)", r.ID)
		}
		out = append(out, c)
	}
	return out, nil
}

// anchorOn is the anchor of the contests on a dataset; 0 without any.
func (a *arbiter) anchorOn(ctx context.Context, d eval.DatasetName) (eval.RunID, error) {
	all, err := a.st.Votes().Contests(ctx)
	if err != nil {
		return 0, err
	}
	runs, err := a.runs()
	return anchorsOf(all, runs)[d], err
}

// votingOrderOf is the order that a form's spec makes.
func (a *arbiter) votingOrderOf(s judging.Spec) (votingOrder, error) {
	o := votingOrder{
		Dataset: s.Dataset, Judge: s.Judge, Criteria: s.Criteria, Input: s.Input, Shuffled: s.Shuffled, Seed: 1, Edge: -1,
	}
	for _, id := range append([]eval.RunID{s.Anchor}, s.Models...) {
		r, err := a.st.Runs().Run(id)
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

// Estimate is what a judging would take.
func (a *arbiter) Estimate(ctx context.Context, s judging.Spec) (judging.Estimate, error) {
	l, err := a.ready()
	if err != nil {
		return judging.Estimate{}, err
	}
	o, err := a.votingOrderOf(s)
	if err != nil {
		return judging.Estimate{}, err
	}
	v, err := l.voting(ctx, &o)
	if err != nil {
		return judging.Estimate{}, err
	}
	e, err := v.estimate()
	if err != nil {
		return judging.Estimate{}, err
	}
	shown := shownEstimate(e)
	out := judging.Estimate{
		Tally: v.Tally, Calls: len(v.due), PromptTokens: shown.PromptTokens, CompletionTokens: shown.CompletionTokens,
		Cost: shown.CostHigh, Priced: shown.Priced, Stale: v.stale, Assumed: shown.Assumed,
	}
	if m, err := l.conf.Model(s.Judge); err == nil {
		out.Time = timeAt(out.Calls, m.Endpoint.RequestsPerMinute)
	}
	for _, left := range v.leftOut() {
		out.LeftOut = append(out.LeftOut, judging.LeftOut{Why: reasonWords(left.Reason), Votes: left.Facts, Asked: left.Asked})
	}
	for _, r := range append([]eval.Run{v.anchor}, v.models...) {
		why, err := unfinished(a.st, r)
		if err != nil {
			return out, err
		}
		if why != "" {
			out.Unfinished = append(out.Unfinished, why)
		}
	}
	out.Live = a.goesOn(v)
	return out, ctx.Err()
}

// goesOn reports whether the same order is at work.
func (a *arbiter) goesOn(v *voting) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range v.polls {
		if h := a.of(v.polls[i].contest); h != nil && h.works() && h.voting.same(v) {
			return true
		}
	}
	return false
}

// Start begins with a judging, or goes on with it.
func (a *arbiter) Start(ctx context.Context, s judging.Spec) (job.ID, error) {
	o, err := a.votingOrderOf(s)
	if err != nil {
		return "", err
	}
	h, err := a.hear(ctx, &o, effort{Concurrency: s.Concurrency, Budget: &s.Budget})
	if err != nil {
		return "", err
	}
	return contestID(h.voting.first()), nil
}

// first is the contest that is asked first.
func (v *voting) first() eval.Contest {
	for _, p := range v.polls {
		if d := v.due; len(d) > 0 && p.contest.Repeat == d[0].repeat && (p.model == d[0].pair.First || p.model == d[0].pair.Second) {
			return p.contest
		}
	}
	return v.polls[0].contest
}
