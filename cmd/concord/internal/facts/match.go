package facts

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/store"
)

// WhyUnfinished says why a run is not whole yet; "" for one that is.
func WhyUnfinished(st *store.Store, r eval.Run) (string, error) {
	if r.Config.Origin == eval.Imported {
		if r.Whole {
			return "", nil
		}
		return fmt.Sprintf("run %d (%s) was not imported to the end: the same import continues it", r.ID, r.Config.Model), nil
	}
	c, err := st.Runs().Counts(r.ID)
	if err != nil {
		return "", err
	}
	d, err := st.Datasets().Dataset(r.Config.Dataset)
	if err != nil || c.Questions >= d.Samples {
		return "", err
	}
	return fmt.Sprintf("run %d (%s) has answered %d of %d questions", r.ID, r.Config.Model, c.Questions, d.Samples), nil
}

// RunIDs are runs as flags name them, by number.
func RunIDs(numbers []uint) []eval.RunID {
	return eval.Map(numbers, func(n uint) eval.RunID { return eval.RunID(n) })
}

// MatchRuns finds the runs that pass the filters, and says what there is where
// none does.
func MatchRuns(st *store.Store, dataset, model string, ids []uint) ([]eval.Run, error) {
	all, err := st.Runs().List()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, eval.NewNotFoundError("the project has no predictions yet (see: concord import predictions --help)")
	}
	var datasets, models []string
	var matched []eval.Run
	for _, r := range all {
		d, m := string(r.Config.Dataset), r.Config.Model
		if (dataset == "" || d == dataset) && (model == "" || m == model) && (len(ids) == 0 || slices.Contains(ids, uint(r.ID))) {
			matched = append(matched, r)
		}
		datasets, models = append(datasets, d), append(models, m)
	}
	if len(matched) > 0 {
		return matched, nil
	}
	names := func(list []string) string {
		slices.Sort(list)
		list = slices.Compact(list)
		if len(list) > 8 {
			list = append(list[:8], "...")
		}
		return strings.Join(list, ", ")
	}
	hint := eval.DidYouMean(dataset, datasets) + eval.DidYouMean(model, models)
	return nil, eval.NewNotFoundError("no run passes the filters (datasets with runs: %s; models: %s; runs 1 to %d)%s",
		names(datasets), names(models), all[len(all)-1].ID, hint)
}
