package store

import (
	"bytes"
	"context"
	"encoding/binary"
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

func (v *Votes) read(key, raw []byte) (eval.Preference, error) {
	c, rest, ok := record.CutComparison(key)
	if !ok || len(rest) != 9 || rest[4] > 1 {
		return eval.Preference{}, record.Corrupt(record.TableVotes, key, "no key of a vote")
	}
	var r record.Preference
	if err := v.s.codec.Decode(record.TableVotes, key, raw, &r); err != nil {
		return eval.Preference{}, err
	}
	if int(r.Vote) >= eval.Votes {
		return eval.Preference{}, record.Corrupt(record.TableVotes, key, "no vote")
	}
	pair := eval.Pair{Sample: eval.Ordinal(binary.BigEndian.Uint32(rest)), First: c.A, Second: c.B}
	if rest[4] == 1 {
		pair = pair.Swapped()
	}
	return r.Preference(pair, c.Ballot), nil
}

// ballot is a vote as it will stand in the file.
type ballot struct {
	vote       *eval.Preference
	key, value []byte
}

func (v *Votes) ballot(p *eval.Preference) (ballot, error) {
	if err := record.CheckName("judge", p.Judge); err != nil {
		return ballot{}, err
	}
	if int(p.Vote) >= eval.Votes || p.First == p.Second || p.Repeat < 0 {
		return ballot{}, fmt.Errorf("%w: vote %d on runs %d and %d, repeat %d", ErrInvalid, p.Vote, p.First, p.Second, p.Repeat)
	}
	value, err := v.s.codec.Encode(record.FromPreference(p))
	return ballot{p, record.VoteKey(p), value}, err
}

// Put commits votes in one transaction. One that says what the same ballot has
// said of that pair before (the same vote, raw reply, criteria and prompt) adds
// nothing; another one is kept beside it, as its newer revision.
func (v *Votes) Put(ctx context.Context, all []eval.Preference) (added int, err error) {
	ballots := make([]ballot, len(all))
	size := 0
	for i := range all {
		if ballots[i], err = v.ballot(&all[i]); err != nil {
			return 0, fmt.Errorf("put vote: %w", err)
		}
		size += len(ballots[i].key) + len(ballots[i].value) + 4
	}
	slices.SortStableFunc(ballots, func(a, b ballot) int { return bytes.Compare(a.key, b.key) })
	err = v.s.file.Do(ctx, size, func(tx *file.Tx) error {
		added = 0
		fresh := make(map[eval.Comparison]*eval.VoteCounts)
		for _, b := range ballots {
			c := b.vote.Comparison()
			if fresh[c] == nil {
				have, err := v.open(tx, c)
				if err != nil {
					return fmt.Errorf("put vote: %w", err)
				}
				fresh[c] = &have
			}
			ok, err := v.put(tx, b, fresh[c], saysAgain)
			if err != nil {
				return fmt.Errorf("put vote: %w", err)
			}
			if ok {
				added++
			}
		}
		return v.putCounts(tx, fresh)
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// RecordVote returns once the vote is committed behind the earlier ones of its
// ballot on that pair, together with whatever else waited; the comparison's counts
// change in the same transaction. A vote is never left out: a judge that says
// the same once more was paid once more.
func (v *Votes) RecordVote(ctx context.Context, p eval.Preference) error {
	b, err := v.ballot(&p)
	if err != nil {
		return fmt.Errorf("record vote: %w", err)
	}
	c := p.Comparison()
	return v.s.file.Do(ctx, 64+len(b.key)+len(b.value), func(tx *file.Tx) error {
		counts, err := v.open(tx, c)
		if err != nil {
			return file.Reject(fmt.Errorf("record vote: %w", err))
		}
		if _, err := v.put(tx, b, &counts, nil); err != nil {
			return fmt.Errorf("record vote: %w", err)
		}
		return v.putCounts(tx, map[eval.Comparison]*eval.VoteCounts{c: &counts})
	})
}

// put writes a vote behind the earlier ones of its ballot on its pair and
// counts it, unless it repeats one of them; with a nil repeats, none does.
func (v *Votes) put(tx *file.Tx, b ballot, counts *eval.VoteCounts, repeats func(old, p *eval.Preference) bool) (bool, error) {
	var last *eval.Preference
	added, err := revise(tx, record.TableVotes, b.key, b.value, v.read, func(earlier []eval.Preference) bool {
		last = standing(earlier, (*eval.Preference).Reads)
		return repeats != nil && slices.ContainsFunc(earlier, func(old eval.Preference) bool { return repeats(&old, b.vote) })
	})
	if added {
		counts.Take(b.vote, last)
	}
	return added, err
}

func saysAgain(old, p *eval.Preference) bool {
	return old.Reads() && p.Reads() && old.Vote == p.Vote && old.Raw == p.Raw && old.Text == p.Text && old.Prompt == p.Prompt
}

// Of yields the votes of a comparison by sample, both orders of one side by side;
// of one pair, the newest comes last. Calls that failed are among them. One
// that cannot be read yields an error that names it, and the scan goes on.
func (v *Votes) Of(ctx context.Context, c eval.Comparison) iter.Seq2[eval.Preference, error] {
	return file.Records(v.s.file.Scan(ctx, record.TableVotes, record.ComparisonKey(c), nil), v.read)
}

// On gives a comparison's votes on one sample that stand, the order of the lower
// run first: at most one of each order. A failed call stands only where no
// reply does.
func (v *Votes) On(ctx context.Context, c eval.Comparison, o eval.Ordinal) ([]eval.Preference, error) {
	prefix := record.AppendU32(record.ComparisonKey(c), uint32(o))
	all, err := file.Collect(file.Records(v.s.file.Scan(ctx, record.TableVotes, prefix, nil), v.read))
	var out []eval.Preference
	for _, p := range all {
		last := len(out) - 1
		switch {
		case last < 0 || out[last].Pair != p.Pair:
			out = append(out, p)
		case p.Reads() || !out[last].Reads():
			out[last] = p
		}
	}
	return out, err
}

// open gives the totals of a comparison, new or not, and refuses one of runs
// that are not there or not on one dataset.
func (v *Votes) open(tx *file.Tx, c eval.Comparison) (eval.VoteCounts, error) {
	key := record.ComparisonKey(c)
	if raw := tx.Table(record.TableComparisons).Get(key); raw != nil {
		var r record.Comparison
		err := v.s.codec.Decode(record.TableComparisons, key, raw, &r)
		return r.Counts(), err
	}
	a, err := v.s.Runs().in(tx, c.A)
	if err != nil {
		return eval.VoteCounts{}, err
	}
	b, err := v.s.Runs().in(tx, c.B)
	if err != nil {
		return eval.VoteCounts{}, err
	}
	if a.Config.Dataset != b.Config.Dataset {
		return eval.VoteCounts{}, fmt.Errorf("%w: runs %d and %d are on other datasets", ErrInvalid, c.A, c.B)
	}
	return eval.VoteCounts{}, nil
}

func (v *Votes) putCounts(tx *file.Tx, fresh map[eval.Comparison]*eval.VoteCounts) error {
	for c, counts := range fresh {
		if err := v.s.put(tx, record.TableComparisons, record.ComparisonKey(c), record.FromVoteCounts(*counts)); err != nil {
			return err
		}
	}
	return nil
}

// Comparisons gives every comparison with its totals, by runs and ballots. With an
// error come those that can be read.
func (v *Votes) Comparisons(ctx context.Context) ([]eval.ComparisonProgress, error) {
	return file.Collect(file.Records(v.s.file.Scan(ctx, record.TableComparisons, nil, nil), func(key, raw []byte) (eval.ComparisonProgress, error) {
		c, rest, ok := record.CutComparison(key)
		if !ok || len(rest) > 0 {
			return eval.ComparisonProgress{}, record.Corrupt(record.TableComparisons, key, "no key of a comparison")
		}
		var r record.Comparison
		err := v.s.codec.Decode(record.TableComparisons, key, raw, &r)
		return eval.ComparisonProgress{Comparison: c, Counts: r.Counts()}, err
	}))
}
