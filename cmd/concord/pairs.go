package main

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/store"
)

// createPairs draws a queue of pairs of answers.
func createPairs(ctx context.Context, a *app, st *store.Store, q annotate.Queue, f *queueFlags) error {
	if _, err := st.Datasets().Dataset(q.Rule.Dataset); err != nil {
		return fmt.Errorf("dataset %s: %w", q.Rule.Dataset, err)
	}
	if err := knownIDs(st, &q.Rule); err != nil {
		return err
	}
	m, err := f.match(ctx, st, q.Rule.Dataset)
	if err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	m.rule(&q.Rule)
	if _, err := allWhole(a, st, &q.Rule, m.all()); err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	p := newPairing(st, &q.Rule, m)
	if err := p.survey(ctx); err != nil {
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	}
	items, size, err := annotate.Draw(q.Rule, p.candidates(ctx))
	switch {
	case err != nil:
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	case len(items) == 0:
		return fmt.Errorf("create queue %s: nothing to draw: of %s none was chosen%s", q.Name, count(size, "pair"), p.reasons("; left out: "))
	}
	q.Items, q.Population, q.Created = len(items), size, a.now()
	for _, r := range m.all() {
		q.Synthetic = q.Synthetic || r.Config.Synthetic
	}
	if err := keepQueue(ctx, st, q, items); err != nil {
		return err
	}
	return printPairsCreated(a, &q, m, p, items)
}

func printPairsCreated(a *app, q *annotate.Queue, m *matchup, p *pairing, items []annotate.QueueItem) error {
	samples, bare := p.samples(items)
	if q.Criteria && bare > 0 {
		_, _ = fmt.Fprintf(a.err, "concord: %d of %s have no criteria yet: people see none there until they are written\n", bare, count(samples, "sample"))
	}
	if a.json {
		return a.writeJSON(map[string]any{
			"queue": q.Name, "dataset": q.Rule.Dataset, "from": q.Rule.From.String(), "models": modelsOf(m.models), "anchor": m.anchor.Config.Model,
			"each": q.Rule.Anchor == 0, "criteria": q.Criteria, "rate": q.Rule.Rate, "number": q.Rule.Number, "level": q.Rule.Level, "per_level": q.Rule.PerLevel,
			"items": len(items), "samples": samples, "without_criteria": bare, "population": q.Population, "left_out": p.leftOut,
			"stratum": q.Stratum.String(), "overlap": q.Overlap, "extra": q.Extra, "seed": q.Rule.Seed,
		})
	}
	_, err := fmt.Fprintf(a.out, "queue %s: %d of %s, of %s, against %s%s. Vote on them with: concord vote --queue %s\n",
		visible(string(q.Name)), len(items), count(q.Population, "pair"), count(samples, "sample"),
		visible(m.anchor.Config.Model), visible(p.reasons("; left out: ")), shellWord(string(q.Name)))
	return err
}

// matchup is the runs that are compared: each of the models with the anchor.
type matchup struct {
	models []eval.Run
	anchor eval.Run
	each   bool // nobody is the anchor: two models are set against each other
}

func (m *matchup) all() []eval.Run { return append(slices.Clone(m.models), m.anchor) }

// rule has a queue's rule keep the runs.
func (m *matchup) rule(r *annotate.Rule) {
	r.Runs = nil
	for _, run := range m.models {
		r.Runs = append(r.Runs, run.ID)
	}
	if m.each {
		r.Runs = append(r.Runs, m.anchor.ID)
	} else {
		r.Anchor = m.anchor.ID
	}
}

// match finds the runs that the flags ask to compare.
func (f *queueFlags) match(ctx context.Context, st *store.Store, d eval.DatasetName) (*matchup, error) {
	on, err := newField(st, d, f.runs)
	if err != nil {
		return nil, err
	}
	m := &matchup{}
	named := f.models
	switch {
	case f.anchor != "":
		m.anchor, err = on.run(f.anchor)
	default:
		m.anchor, err = on.shared(ctx, st, named)
	}
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		named = on.models()
	}
	for _, name := range named {
		run, err := on.run(name)
		if err != nil {
			return nil, err
		}
		if run.ID != m.anchor.ID && !slices.ContainsFunc(m.models, func(r eval.Run) bool { return r.ID == run.ID }) {
			m.models = append(m.models, run)
		}
	}
	switch n := len(m.models); {
	case m.anchor.ID != 0 && n > 0:
	case m.anchor.ID == 0 && n == 2:
		m.models, m.anchor, m.each = m.models[:1], m.models[1], true
	case m.anchor.ID == 0 && n > 2:
		return nil, usageError{fmt.Errorf("%s are to be compared, and no votes tell with which: name that one with --anchor (models: %s)", count(n, "model"), few(modelsOf(m.models)))}
	default:
		return nil, usageError{fmt.Errorf("a pair needs two models: name another one with --model or --anchor (models on dataset %s: %s)", d, few((&field{runs: on.runs}).models()))}
	}
	return m, nil
}

func modelsOf(runs []eval.Run) []string {
	out := make([]string, len(runs))
	for i, r := range runs {
		out[i] = r.Config.Model
	}
	return out
}
