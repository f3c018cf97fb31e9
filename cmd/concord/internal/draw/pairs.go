package draw

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/sample"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// CreatePairs draws a queue of pairs of answers.
func CreatePairs(ctx context.Context, a *project.Project, st *store.Store, q annotate.Queue, f *Options) error {
	if _, err := st.Datasets().Dataset(q.Rule.Dataset); err != nil {
		return err
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
	items, size, err := sample.Draw(q.Rule, p.candidates(ctx))
	switch {
	case err != nil:
		return fmt.Errorf("create queue %s: %w", q.Name, err)
	case len(items) == 0:
		return fmt.Errorf("create queue %s: nothing to draw: of %s none was chosen%s", q.Name, cli.Count(size, "pair"), p.reasons("; left out: "))
	}
	q.Items, q.Population, q.Created = len(items), size, a.Now()
	for _, r := range m.all() {
		q.Synthetic = q.Synthetic || r.Config.Synthetic
	}
	if err := keepQueue(ctx, st, q, items); err != nil {
		return err
	}
	return printPairsCreated(a, &q, m, p, items)
}

func printPairsCreated(a *project.Project, q *annotate.Queue, m *matchup, p *pairing, items []annotate.QueueItem) error {
	samples, bare := p.samples(items)
	if q.Criteria && bare > 0 {
		_, _ = fmt.Fprintf(a.Err, "concord: %d of %s have no criteria yet: people see none there until they are written\n", bare, cli.Count(samples, "sample"))
	}
	if a.JSON {
		return a.WriteJSON(map[string]any{
			"queue": q.Name, "dataset": q.Rule.Dataset, "from": q.Rule.From.String(), "models": modelsOf(m.models), "anchor": m.anchor.Config.Model,
			"each": q.Rule.Anchor == 0, "criteria": q.Criteria, "rate": q.Rule.Rate, "number": q.Rule.Number, "level": q.Rule.Level, "per_level": q.Rule.PerLevel,
			"items": len(items), "samples": samples, "without_criteria": bare, "population": q.Population, "left_out": p.leftOut,
			"stratum": q.Stratum.String(), "overlap": q.Overlap, "extra": q.Extra, "seed": q.Rule.Seed,
		})
	}
	_, err := fmt.Fprintf(a.Out, "queue %s: %d of %s, of %s, against %s%s. Vote on them with: concord vote --queue %s\n",
		cli.Visible(string(q.Name)), len(items), cli.Count(q.Population, "pair"), cli.Count(samples, "sample"),
		cli.Visible(m.anchor.Config.Model), cli.Visible(p.reasons("; left out: ")), cli.ShellWord(string(q.Name)))
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

func modelsOf(runs []eval.Run) []string {
	out := make([]string, len(runs))
	for i, r := range runs {
		out[i] = r.Config.Model
	}
	return out
}
