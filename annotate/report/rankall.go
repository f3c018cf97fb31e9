package report

import "context"

// AllRanks correlates the rankings by votes and by people with those by
// benchmarks. Scores say how runs on benchmarks are read: which ones, the
// options on votes say.
func AllRanks(ctx context.Context, facts VoteFacts, o RankOptions, scores Options) (Report, error) {
	scores.Runs, scores.Dataset, scores.Model = o.Votes.Runs, o.Votes.Dataset, o.Votes.Model
	o.Benchmarks = func(ctx context.Context) ([]*Ranking, []string, error) { return Rankings(ctx, facts, scores) }
	return Ranks(ctx, facts, o)
}
