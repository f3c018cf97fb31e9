package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// contestRecord is the record of a contest's totals.
type contestRecord struct {
	Votes      []int `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Prompt     int   `cbor:"3,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty"`
	Reasoning  int   `cbor:"5,keyasint,omitempty"`
}

func fromVoteCounts(c eval.VoteCounts) contestRecord {
	return contestRecord{
		Votes: c.Votes[:], Failures: c.Failures,
		Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Reasoning: c.Usage.Reasoning,
	}
}

func (r contestRecord) counts() eval.VoteCounts {
	c := eval.VoteCounts{
		Failures: r.Failures,
		Usage:    eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
	}
	copy(c.Votes[:], r.Votes)
	return c
}

// open gives the totals of a contest, new or not, and refuses one of runs
// that are not there or not on one dataset.
func (v *Votes) open(tx *bbolt.Tx, c eval.Contest) (eval.VoteCounts, error) {
	key := contestKey(c)
	if raw := tx.Bucket([]byte(tableContests)).Get(key); raw != nil {
		var r contestRecord
		err := v.s.codec.decode(tableContests, key, raw, &r)
		return r.counts(), err
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
		raw, err := v.s.codec.encode(fromVoteCounts(*counts))
		if err != nil {
			return err
		}
		if err := tx.Bucket([]byte(tableContests)).Put(contestKey(c), raw); err != nil {
			return err
		}
	}
	return nil
}

// Contests gives every contest with its totals, by runs and ballots. With an
// error come those that can be read.
func (v *Votes) Contests(ctx context.Context) ([]eval.ContestProgress, error) {
	return collect(records(v.s.scan(ctx, tableContests, nil, nil), func(key, raw []byte) (eval.ContestProgress, error) {
		c, rest, ok := cutContest(key)
		if !ok || len(rest) > 0 {
			return eval.ContestProgress{}, corrupt(tableContests, key, "no key of a contest")
		}
		var r contestRecord
		err := v.s.codec.decode(tableContests, key, raw, &r)
		return eval.ContestProgress{Contest: c, Counts: r.counts()}, err
	}))
}
