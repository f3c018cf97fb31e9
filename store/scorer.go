package store

import (
	"context"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/store/record"
)

// open gives the totals of a judge over a run, new or not, and refuses a run
// that is not there.
func (s *Scores) open(tx *bbolt.Tx, of record.JudgeOf) (eval.ScoreCounts, error) {
	raw := tx.Bucket([]byte(record.TableScorers)).Get(of.Key())
	if raw == nil {
		_, err := s.s.Runs().in(tx, of.Run)
		return eval.ScoreCounts{}, err
	}
	return s.readCounts(of.Key(), raw)
}

func (s *Scores) readCounts(key, raw []byte) (eval.ScoreCounts, error) {
	var r record.Scorer
	err := s.s.codec.Decode(record.TableScorers, key, raw, &r)
	return r.Counts(), err
}

func (s *Scores) putCounts(tx *bbolt.Tx, totals map[record.JudgeOf]*eval.ScoreCounts) error {
	for of, c := range totals {
		raw, err := s.s.codec.Encode(record.FromScoreCounts(*c))
		if err != nil {
			return err
		}
		if err := tx.Bucket([]byte(record.TableScorers)).Put(of.Key(), raw); err != nil {
			return err
		}
	}
	return nil
}

// Counts gives what each judge's scores of a run come to, in the order of
// names. With an error come those that can be read.
func (s *Scores) Counts(id eval.RunID) ([]eval.ScoreProgress, error) {
	prefix := record.RunKey(id)
	return collect(records(s.s.scan(context.Background(), record.TableScorers, prefix, nil),
		func(key, raw []byte) (eval.ScoreProgress, error) {
			c, err := s.readCounts(key, raw)
			return eval.ScoreProgress{Judge: string(key[len(prefix):]), Counts: c}, err
		}))
}
