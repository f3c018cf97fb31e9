package store

import (
	"context"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// scorerRecord is the record of what one judge's scores of a run come to.
type scorerRecord struct {
	Values     []int `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Prompt     int   `cbor:"3,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"4,keyasint,omitempty"`
	Reasoning  int   `cbor:"5,keyasint,omitempty"`
}

func fromScoreCounts(c eval.ScoreCounts) scorerRecord {
	return scorerRecord{c.Values[:], c.Failures, c.Usage.Prompt, c.Usage.Completion, c.Usage.Reasoning}
}

func (r *scorerRecord) counts() eval.ScoreCounts {
	c := eval.ScoreCounts{Failures: r.Failures, Usage: eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning}}
	copy(c.Values[:], r.Values)
	return c
}

// open gives the totals of a judge over a run, new or not, and refuses a run
// that is not there.
func (s *Scores) open(tx *bbolt.Tx, of judgeOf) (eval.ScoreCounts, error) {
	raw := tx.Bucket([]byte(tableScorers)).Get(of.key())
	if raw == nil {
		_, err := s.s.Runs().in(tx, of.run)
		return eval.ScoreCounts{}, err
	}
	return s.readCounts(of.key(), raw)
}

func (s *Scores) readCounts(key, raw []byte) (eval.ScoreCounts, error) {
	var r scorerRecord
	err := s.s.codec.decode(tableScorers, key, raw, &r)
	return r.counts(), err
}

func (s *Scores) putCounts(tx *bbolt.Tx, totals map[judgeOf]*eval.ScoreCounts) error {
	for of, c := range totals {
		raw, err := s.s.codec.encode(fromScoreCounts(*c))
		if err != nil {
			return err
		}
		if err := tx.Bucket([]byte(tableScorers)).Put(of.key(), raw); err != nil {
			return err
		}
	}
	return nil
}

// Counts gives what each judge's scores of a run come to, in the order of
// names. With an error come those that can be read.
func (s *Scores) Counts(id eval.RunID) ([]eval.ScoreProgress, error) {
	prefix := runKey(id)
	return collect(records(s.s.scan(context.Background(), tableScorers, prefix, nil),
		func(key, raw []byte) (eval.ScoreProgress, error) {
			c, err := s.readCounts(key, raw)
			return eval.ScoreProgress{Judge: string(key[len(prefix):]), Counts: c}, err
		}))
}
