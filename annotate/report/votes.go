package report

import (
	"context"
	"fmt"

	"concord/eval"
)

// DiscardedSamples are the samples of a dataset that curators discarded: they are
// no questions of it any more.
func DiscardedSamples(ctx context.Context, facts VoteFacts, on eval.DatasetName) (map[eval.Ordinal]bool, error) {
	out := make(map[eval.Ordinal]bool)
	for set, err := range facts.CriteriaSets(ctx, on) {
		if err != nil {
			return nil, fmt.Errorf("read criteria: %w", err)
		}
		if set.Removed != nil {
			out[set.Sample] = true
		}
	}
	return out, nil
}

// StandingVotes are those of a comparison by the pair as it was shown: of several
// on one the last that reads.
func StandingVotes(ctx context.Context, facts VoteFacts, c eval.Comparison) (map[eval.Pair]*eval.Preference, error) {
	out := make(map[eval.Pair]*eval.Preference)
	for v, err := range facts.Votes(ctx, c) {
		if err != nil {
			return nil, fmt.Errorf("read votes: %w", err)
		}
		pair := eval.Pair{Sample: v.Sample, First: v.First, Second: v.Second}
		if old := out[pair]; old == nil || v.Reads() || !old.Reads() {
			out[pair] = &v
		}
	}
	return out, nil
}
