package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Votes keeps judges' votes on pairs of answers.
type Votes struct{ s *Store }

// Votes is the handle of votes.
func (s *Store) Votes() *Votes { return &Votes{s} }

// Put commits votes in one transaction. One that says what the same ballot has
// said of that pair before (the same vote, raw reply, criteria and prompt) adds
// nothing; another one is kept beside it, as its newer revision.
func (v *Votes) Put(ctx context.Context, all []eval.Preference) (added int, err error) {
	put := newVoteRevisions(v.s)
	put.needless = func(earlier []eval.Preference, p *eval.Preference) bool {
		return slices.ContainsFunc(earlier, func(old eval.Preference) bool {
			return old.HasReply() && p.HasReply() && old.Vote == p.Vote && old.Raw == p.Raw && old.Text == p.Text && old.Prompt == p.Prompt
		})
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b eval.Preference) int { return bytes.Compare(record.VoteKey(&a), record.VoteKey(&b)) })
	return put.addAll(ctx, "put votes", all)
}

// RecordVote returns once the vote is committed behind the earlier ones of its
// ballot on that pair, together with whatever else waited; the comparison's counts
// change in the same transaction. A vote is never left out: a judge that says
// the same once more was paid once more.
func (v *Votes) RecordVote(ctx context.Context, p eval.Preference) error {
	if _, err := newVoteRevisions(v.s).addInTx(ctx, []eval.Preference{p}); err != nil {
		return fmt.Errorf("record vote: %w", err)
	}
	return nil
}

// newVoteRevisions puts votes and counts them.
func newVoteRevisions(s *Store) *revisions[eval.Preference] {
	all := &totalsCache[eval.ComparisonProgress]{s: s, kind: record.Comparisons}
	of := func(tx *file.Tx, p *eval.Preference) (*eval.ComparisonProgress, error) {
		c := p.Comparison()
		return all.totalsOf(tx, eval.ComparisonProgress{Comparison: c}, func() error { return s.Votes().requireComparable(tx, c) })
	}
	return &revisions[eval.Preference]{
		s: s, kind: record.Votes, key: record.VoteKey, begin: all.reset, end: all.writeTotals,
		may: func(tx *file.Tx, p *eval.Preference) error { _, err := of(tx, p); return err },
		added: func(tx *file.Tx, p *eval.Preference, earlier []eval.Preference) error {
			t, err := of(tx, p)
			if err == nil {
				t.Counts.CountVote(p, newestSaid(earlier, (*eval.Preference).HasReply))
			}
			return err
		},
	}
}

// OfComparison yields the votes of a comparison by sample, both orders of one side by side;
// of one pair, the newest comes last. Calls that failed are among them. One
// that cannot be read yields an error that names it, and the scan goes on.
func (v *Votes) OfComparison(ctx context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	return scanUnder(ctx, v.s, record.Votes, record.ComparisonPrefix(c))
}

// OnSample gives a comparison's votes on one sample that stand, the order of the lower
// run first: at most one of each order. A failed call stands only where no
// reply does.
func (v *Votes) OnSample(ctx context.Context, c eval.Comparison, o eval.Ordinal) ([]eval.Preference, error) {
	prefix := record.AppendU32(record.ComparisonPrefix(c), uint32(o))
	all, err := file.Collect(scanUnder(ctx, v.s, record.Votes, prefix))
	var out []eval.Preference
	for _, p := range all {
		last := len(out) - 1
		switch {
		case last < 0 || out[last].Pair != p.Pair:
			out = append(out, p)
		case p.HasReply() || !out[last].HasReply():
			out[last] = p
		}
	}
	return out, err
}

// requireComparable refuses a comparison of runs that are not there or not on one dataset.
func (v *Votes) requireComparable(tx *file.Tx, c eval.Comparison) error {
	a, err := v.s.Runs().run(tx, c.A)
	if err != nil {
		return err
	}
	b, err := v.s.Runs().run(tx, c.B)
	if err != nil {
		return err
	}
	if a.Config.Dataset != b.Config.Dataset {
		return fmt.Errorf("%w: runs %d and %d are on other datasets", ErrInvalid, c.A, c.B)
	}
	return nil
}

// Comparisons gives every comparison with its totals, by runs and ballots. With an
// error come those that can be read.
func (v *Votes) Comparisons(ctx context.Context) ([]eval.ComparisonProgress, error) {
	return file.Collect(scanUnder(ctx, v.s, record.Comparisons, nil))
}
