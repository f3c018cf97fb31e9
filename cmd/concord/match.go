package main

import (
	"fmt"
	"slices"
	"strings"

	"concord/eval"
	"concord/store"
)

// matchRuns checks that some run passes the filters, and says what there is
// where none does.
func matchRuns(st *store.Store, dataset, model string, ids []uint) error {
	all, err := st.Runs().List()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("the project has no predictions yet (see: concord import predictions --help): %w", eval.ErrNotFound)
	}
	var datasets, models []string
	for _, r := range all {
		d, m := string(r.Config.Dataset), r.Config.Model
		if (dataset == "" || d == dataset) && (model == "" || m == model) && (len(ids) == 0 || slices.Contains(ids, uint(r.ID))) {
			return nil
		}
		datasets, models = append(datasets, d), append(models, m)
	}
	names := func(list []string) string {
		slices.Sort(list)
		list = slices.Compact(list)
		if len(list) > 8 {
			list = append(list[:8], "...")
		}
		return strings.Join(list, ", ")
	}
	return fmt.Errorf("no run passes the filters (datasets with runs: %s; models: %s; runs 1 to %d): %w",
		names(datasets), names(models), all[len(all)-1].ID, eval.ErrNotFound)
}
