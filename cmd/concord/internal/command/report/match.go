package report

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

// match refuses filters that nothing can pass, and says what there is: a
// misspelt name is no report without rows. Of a report on runs it gives those
// that it is about.
func (k *asking) match(ctx context.Context, st *store.Store) ([]eval.Run, error) {
	o := &k.Options
	numbers := make([]uint, len(o.Runs))
	for i, r := range o.Runs {
		numbers[i] = uint(r)
	}
	switch {
	case k.Of == catalogue.OnRuns:
		return facts.MatchRuns(st, string(o.Dataset), o.Model, numbers)
	case k.Votes == nil:
		return nil, nil
	}
	if o.Dataset != "" || o.Model != "" || len(numbers) > 0 {
		if _, err := facts.MatchRuns(st, string(o.Dataset), o.Model, numbers); err != nil {
			return nil, err
		}
	}
	if anchor := k.Votes.Anchor; anchor != "" {
		if _, err := facts.MatchRuns(st, string(o.Dataset), anchor, nil); err != nil {
			return nil, fmt.Errorf("find anchor %s: %w", anchor, err)
		}
	}
	return nil, matchJudge(ctx, st, k.Votes.Judge)
}

func matchJudge(ctx context.Context, st *store.Store, judge string) error {
	if judge == "" {
		return nil
	}
	contests, err := st.Votes().Comparisons(ctx)
	if err != nil {
		return fmt.Errorf("list comparisons: %w", err)
	}
	var judges []string
	for _, c := range contests {
		judges = append(judges, c.Judge)
	}
	slices.Sort(judges)
	if judges = slices.Compact(judges); len(judges) > 0 && !slices.Contains(judges, judge) {
		return fmt.Errorf("find votes of judge %s (judges with votes: %s): %w", judge, cli.Few(judges), eval.ErrNotFound)
	}
	return nil
}
