package catalogue

import (
	"context"

	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/pairwise"
)

// Ranks correlates the rankings by votes and by people with those by
// benchmarks. Scores say how runs on benchmarks are read: which ones, the
// options on votes say.
func Ranks(ctx context.Context, facts report.VoteFacts, o pairwise.RankOptions, scores report.Options) (report.Report, error) {
	scores.Runs, scores.Dataset, scores.Model = o.Votes.Runs, o.Votes.Dataset, o.Votes.Model
	o.Benchmarks = func(ctx context.Context) ([]*report.Ranking, []string, error) {
		return accuracy.Rankings(ctx, facts, scores)
	}
	return pairwise.Ranks(ctx, facts, o)
}
