package facts

import (
	"fmt"
	"slices"

	"concord/eval"
	"concord/store"
)

// RunIndex finds the run that a row of a file is about by its model.
type RunIndex struct {
	dataset eval.DatasetName
	Runs    []eval.Run
}

// IndexRuns lists the runs on a dataset, or those of them that are named.
func IndexRuns(st *store.Store, name eval.DatasetName, only []eval.RunID) (RunIndex, error) {
	if _, err := st.Datasets().Dataset(name); err != nil {
		return RunIndex{}, err
	}
	all, err := st.Runs().List()
	if err != nil {
		return RunIndex{}, err
	}
	x := RunIndex{dataset: name}
	for _, r := range all {
		if r.Config.Dataset == name && (len(only) == 0 || slices.Contains(only, r.ID)) {
			x.Runs = append(x.Runs, r)
		}
	}
	return x, nil
}

// FindRunOrOnly finds the run of a model that a row names. Of several the row's number of a
// run, if there is one, says which.
func (x RunIndex) FindRunOrOnly(model string, number int) (eval.RunID, error) {
	var found []eval.RunID
	for _, r := range x.Runs {
		if model == "" || r.Config.Model == model {
			found = append(found, r.ID)
		}
	}
	ids := eval.List(found, func(id eval.RunID) string { return fmt.Sprint(id) })
	switch {
	case len(found) == 1:
		return found[0], nil
	case slices.Contains(found, eval.RunID(number)):
		return eval.RunID(number), nil
	case len(found) == 0 && model != "":
		return 0, fmt.Errorf("dataset %s has no run of model %s", x.dataset, model)
	case len(found) == 0:
		return 0, fmt.Errorf("dataset %s has no run", x.dataset)
	case model == "":
		return 0, fmt.Errorf("the row names no model, and dataset %s has runs %s: add a column model or run", x.dataset, ids)
	}
	return 0, fmt.Errorf("model %s has runs %s on dataset %s: say which in a column run", model, ids, x.dataset)
}
