package facts

import (
	"context"
	"fmt"
	"slices"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/store"
)

// RunSet is the runs on a dataset from which those to compare are picked.
type RunSet struct {
	Dataset eval.DatasetName
	Runs    []eval.Run
	asked   []uint // the runs that were named by number; empty: none was
}

// NewRunSet finds the runs on a dataset, or the named ones of them.
func NewRunSet(st *store.Store, d eval.DatasetName, asked []uint) (*RunSet, error) {
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	f := &RunSet{Dataset: d, asked: asked}
	for _, r := range all {
		if r.Config.Dataset == d {
			f.Runs = append(f.Runs, r)
		}
	}
	for _, id := range asked {
		if !slices.ContainsFunc(f.Runs, func(r eval.Run) bool { return uint(r.ID) == id }) {
			return nil, eval.NewNotFoundError("dataset %s has no run %d", d, id)
		}
	}
	if len(f.Runs) == 0 {
		return nil, eval.NewNotFoundError("dataset %s has no answers to compare (see: concord import predictions --help)", d)
	}
	return f, nil
}

// ModelsToCompare are the models to compare where none is named: those of the runs
// asked for, else all.
func (f *RunSet) ModelsToCompare() []string {
	var out []string
	for _, r := range f.Runs {
		if len(f.asked) > 0 && !slices.Contains(f.asked, uint(r.ID)) {
			continue
		}
		if !slices.Contains(out, r.Config.Model) {
			out = append(out, r.Config.Model)
		}
	}
	return out
}

// FindRun finds the run of a model: the one that was asked for where it has several.
func (f *RunSet) FindRun(model string) (eval.Run, error) {
	found := eval.Select(f.Runs, func(r eval.Run) bool { return r.Config.Model == model })
	asked := slices.DeleteFunc(slices.Clone(found), func(r eval.Run) bool { return !slices.Contains(f.asked, uint(r.ID)) })
	if len(asked) > 0 {
		found = asked
	}
	switch len(found) {
	case 0:
		models := (&RunSet{Runs: f.Runs}).ModelsToCompare()
		return eval.Run{}, eval.NewNotFoundError("dataset %s has no run of model %s (models: %s)%s",
			f.Dataset, model, cli.JoinFew(models), eval.DidYouMean(model, models))
	case 1:
		return found[0], nil
	}
	ids := eval.List(found, func(r eval.Run) string { return fmt.Sprint(r.ID) })
	return eval.Run{}, cli.NewUsageError(fmt.Errorf("model %s has runs %s on dataset %s: name one with --run", model, ids, f.Dataset))
}

// FindAnchor finds the run that all comparisons of judges' votes on the dataset share:
// the older of two, unless it is a named model and the other is not. It is the
// zero run when there is none.
func (f *RunSet) FindAnchor(ctx context.Context, st *store.Store, named []string) (eval.Run, error) {
	contests, err := st.Votes().Comparisons(ctx)
	if err != nil {
		return eval.Run{}, err
	}
	var all []eval.Run
	some := false
	for _, c := range contests {
		if !slices.ContainsFunc(f.Runs, func(r eval.Run) bool { return r.ID == c.A }) {
			continue
		}
		if !some {
			all, some = slices.Clone(f.Runs), true
		}
		all = slices.DeleteFunc(all, func(r eval.Run) bool { return c.Opponent(r.ID) == 0 })
	}
	for _, r := range all {
		if !slices.Contains(named, r.Config.Model) {
			return r, nil
		}
	}
	if len(all) > 0 {
		return all[0], nil
	}
	return eval.Run{}, nil
}
