package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/store/record"
)

// open gives the totals of a contest, new or not, and refuses one of runs
// that are not there or not on one dataset.
func (v *Votes) open(tx *bbolt.Tx, c eval.Contest) (eval.VoteCounts, error) {
	key := record.ContestKey(c)
	if raw := tx.Bucket([]byte(record.TableContests)).Get(key); raw != nil {
		var r record.Contest
		err := v.s.codec.Decode(record.TableContests, key, raw, &r)
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

func (v *Votes) putCounts(tx *bbolt.Tx, fresh map[eval.Contest]*eval.VoteCounts) error {
	for c, counts := range fresh {
		raw, err := v.s.codec.Encode(record.FromVoteCounts(*counts))
		if err != nil {
			return err
		}
		if err := tx.Bucket([]byte(record.TableContests)).Put(record.ContestKey(c), raw); err != nil {
			return err
		}
	}
	return nil
}

// Contests gives every contest with its totals, by runs and ballots. With an
// error come those that can be read.
func (v *Votes) Contests(ctx context.Context) ([]eval.ContestProgress, error) {
	return collect(records(v.s.scan(ctx, record.TableContests, nil, nil), func(key, raw []byte) (eval.ContestProgress, error) {
		c, rest, ok := record.CutContest(key)
		if !ok || len(rest) > 0 {
			return eval.ContestProgress{}, record.Corrupt(record.TableContests, key, "no key of a contest")
		}
		var r record.Contest
		err := v.s.codec.Decode(record.TableContests, key, raw, &r)
		return eval.ContestProgress{Contest: c, Counts: r.Counts()}, err
	}))
}
