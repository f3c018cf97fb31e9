package main

import (
	"fmt"
	"slices"

	"concord/eval"
	"concord/store"
)

// runIndex finds the run that a row of a file is about by its model.
type runIndex struct {
	dataset eval.DatasetName
	runs    []eval.Run
}

// indexRuns lists the runs on a dataset, or those of them that are named.
func indexRuns(st *store.Store, name eval.DatasetName, only []eval.RunID) (runIndex, error) {
	if _, err := st.Datasets().Dataset(name); err != nil {
		return runIndex{}, err
	}
	all, err := st.Runs().List()
	if err != nil {
		return runIndex{}, err
	}
	x := runIndex{dataset: name}
	for _, r := range all {
		if r.Config.Dataset == name && (len(only) == 0 || slices.Contains(only, r.ID)) {
			x.runs = append(x.runs, r)
		}
	}
	return x, nil
}

func (x runIndex) of(model string) (eval.RunID, error) {
	var found []eval.RunID
	for _, r := range x.runs {
		if model == "" || r.Config.Model == model {
			found = append(found, r.ID)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && model != "":
		return 0, fmt.Errorf("dataset %s has no run of model %s", x.dataset, model)
	case len(found) == 0:
		return 0, fmt.Errorf("dataset %s has no run", x.dataset)
	case model == "":
		return 0, fmt.Errorf("the row names no model, and dataset %s has %d runs", x.dataset, len(found))
	}
	return 0, fmt.Errorf("model %s has %d runs on dataset %s", model, len(found), x.dataset)
}
