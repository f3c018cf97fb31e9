package jobs

import (
	"context"
	"fmt"
	"slices"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// runs finds stored runs, and sums up what became of them.
type runs struct {
	Store *store.Store
}

// existing gives the run of the same name (dataset, model, strategy, modality,
// shots) with the fewest differences, the newest of several, and what they
// are. Without a run of that name it gives eval.ErrNotFound.
func (rs *runs) existing(ctx context.Context, c eval.Config) (eval.Run, []eval.Difference, error) {
	similar, err := rs.Store.Runs().Similar(ctx, c)
	if err != nil {
		return eval.Run{}, nil, err
	}
	if len(similar) == 0 {
		return eval.Run{}, nil, eval.ErrNotFound
	}
	var best eval.Run
	var diffs []eval.Difference
	for n, r := range slices.Backward(similar) {
		if d := c.Diff(&r.Config); n == len(similar)-1 || len(d) < len(diffs) {
			best, diffs = r, d
		}
	}
	return best, diffs, nil
}

// answering finds the one run of a model on a dataset; ids choose among several.
func (rs *runs) answering(d eval.DatasetName, model string, ids []eval.RunID) (eval.Run, error) {
	all, err := rs.Store.Runs().List()
	if err != nil {
		return eval.Run{}, err
	}
	var models []string
	for _, r := range all {
		if r.Config.Dataset == d {
			models = append(models, r.Config.Model)
		}
	}
	slices.Sort(models)
	found := eval.RunsOf(all, d, model, ids)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return eval.Run{}, cli.Usage(fmt.Errorf("model %s has %d runs on dataset %s (%d and %d among them): name one with --run",
			model, len(found), d, found[0].ID, found[1].ID))
	case len(models) == 0:
		return eval.Run{}, fmt.Errorf("dataset %s has no answers yet (see: concord eval --help, concord import predictions --help): %w", d, eval.ErrNotFound)
	}
	return eval.Run{}, fmt.Errorf("no run of model %s on dataset %s (models with answers: %s): %w", model, d, cli.Few(slices.Compact(models)), eval.ErrNotFound)
}

// answered lists the runs whose answers an order scores.
func (rs *runs) answered(o *ScoringOrder) ([]scoredRun, error) {
	ids := make([]uint, len(o.Runs))
	for i, r := range o.Runs {
		ids[i] = uint(r)
	}
	models := slices.Compact(slices.Sorted(slices.Values(o.Models)))
	if len(models) == 0 {
		models = []string{""} // whichever
	}
	var out []scoredRun
	for _, model := range models {
		runs, err := facts.MatchRuns(rs.Store, string(o.Dataset), model, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			out = append(out, scoredRun{Run: r})
		}
	}
	return out, nil
}
