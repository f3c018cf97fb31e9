package report

import (
	"context"
	"fmt"
	"slices"

	"concord/eval"
)

// contested are the models whose answers judges compared on a dataset, or on any
// when it has no name, by name.
func contested(ctx context.Context, s Source, of eval.DatasetName) ([]string, error) {
	runs, err := s.Runs()
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	contests, err := s.Contests(ctx)
	if err != nil {
		return nil, fmt.Errorf("list contests: %w", err)
	}
	var out []string
	for _, c := range contests {
		for _, r := range runs {
			if (r.ID == c.A || r.ID == c.B) && (of == "" || r.Config.Dataset == of) {
				out = append(out, r.Config.Model)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
