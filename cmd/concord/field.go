package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/store"
)

// field is the runs on a dataset from which those to compare are picked.
type field struct {
	dataset eval.DatasetName
	runs    []eval.Run
	asked   []uint // the runs that were named by number; empty: none was
}

func newField(st *store.Store, d eval.DatasetName, asked []uint) (*field, error) {
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	f := &field{dataset: d, asked: asked}
	for _, r := range all {
		if r.Config.Dataset == d {
			f.runs = append(f.runs, r)
		}
	}
	for _, id := range asked {
		if !slices.ContainsFunc(f.runs, func(r eval.Run) bool { return uint(r.ID) == id }) {
			return nil, fmt.Errorf("dataset %s has no run %d: %w", d, id, eval.ErrNotFound)
		}
	}
	if len(f.runs) == 0 {
		return nil, fmt.Errorf("dataset %s has no answers to compare (see: concord import predictions --help): %w", d, eval.ErrNotFound)
	}
	return f, nil
}

// models are the models to compare where none is named: those of the runs
// asked for, else all.
func (f *field) models() []string {
	var out []string
	for _, r := range f.runs {
		if len(f.asked) > 0 && !slices.Contains(f.asked, uint(r.ID)) {
			continue
		}
		if !slices.Contains(out, r.Config.Model) {
			out = append(out, r.Config.Model)
		}
	}
	return out
}

// run is the run of a model: the one that was asked for where it has several.
func (f *field) run(model string) (eval.Run, error) {
	var found []eval.Run
	for _, r := range f.runs {
		if r.Config.Model == model {
			found = append(found, r)
		}
	}
	asked := slices.DeleteFunc(slices.Clone(found), func(r eval.Run) bool { return !slices.Contains(f.asked, uint(r.ID)) })
	if len(asked) > 0 {
		found = asked
	}
	switch len(found) {
	case 0:
		return eval.Run{}, fmt.Errorf("dataset %s has no run of model %s (models: %s): %w",
			f.dataset, model, few((&field{runs: f.runs}).models()), eval.ErrNotFound)
	case 1:
		return found[0], nil
	}
	ids := make([]string, len(found))
	for i, r := range found {
		ids[i] = fmt.Sprint(r.ID)
	}
	return eval.Run{}, asUsage(fmt.Errorf("model %s has runs %s on dataset %s: name one with --run", model, strings.Join(ids, ", "), f.dataset))
}

// shared is the run that all contests of judges' votes on the dataset share:
// the older of two, unless it is a named model and the other is not. It is the
// zero run when there is none.
func (f *field) shared(ctx context.Context, st *store.Store, named []string) (eval.Run, error) {
	contests, err := st.Votes().Contests(ctx)
	if err != nil {
		return eval.Run{}, err
	}
	var all []eval.Run
	some := false
	for _, c := range contests {
		if !slices.ContainsFunc(f.runs, func(r eval.Run) bool { return r.ID == c.A }) {
			continue
		}
		if !some {
			all, some = slices.Clone(f.runs), true
		}
		all = slices.DeleteFunc(all, func(r eval.Run) bool { return c.Against(r.ID) == 0 })
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
