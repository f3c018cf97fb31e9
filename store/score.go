package store

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"concord/eval"
)

var _ eval.ScoreRecorder = (*Scores)(nil)

// Scores keeps the scores that judge models gave open answers.
type Scores struct{ s *Store }

// Scores is the handle of scores.
func (s *Store) Scores() *Scores { return &Scores{s} }

// scoreRecord is the record of a score; the prediction, the judge and the
// revision stand in its key.
type scoreRecord struct {
	Value   int      `cbor:"1,keyasint,omitempty"`
	Raw     string   `cbor:"2,keyasint,omitempty"`
	Earlier []string `cbor:"3,keyasint,omitempty"`
	callRecord
}

func fromScore(s *eval.Score) scoreRecord {
	r := scoreRecord{Value: s.Value, Raw: s.Raw, Earlier: s.Earlier, callRecord: callRecord{
		PromptHash: s.Prompt, Setup: s.Setup, Served: s.Served, Finish: s.Finish,
	}}
	r.cost(s.Usage, s.Latency, s.At)
	r.fail(s.Failure)
	return r
}

func (r *scoreRecord) score(k eval.Key, judge string) eval.Score {
	return eval.Score{
		Key: k, Judge: judge, Value: r.Value, Raw: r.Raw, Earlier: r.Earlier,
		Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.usage(), Latency: time.Duration(r.Latency), At: fromMillis(r.At), Failure: r.failure(),
	}
}

func (s *Scores) encode(one *eval.Score) ([]byte, error) {
	if err := checkName("judge", one.Judge); err != nil {
		return nil, err
	}
	if one.Value < 0 || one.Value > eval.TopScore {
		return nil, fmt.Errorf("%w: score %d", ErrInvalid, one.Value)
	}
	return s.s.codec.encode(fromScore(one))
}

func (s *Scores) read(key, raw []byte) (eval.Score, error) {
	k, rest, ok := cutKey(key)
	judge, rest, named := cutName(rest)
	if !ok || !named || len(rest) != 4 {
		return eval.Score{}, corrupt(tableScores, key, "no key of a score")
	}
	var r scoreRecord
	if err := s.s.codec.decode(tableScores, key, raw, &r); err != nil {
		return eval.Score{}, err
	}
	if r.Value < 0 || r.Value > eval.TopScore {
		return eval.Score{}, corrupt(tableScores, key, "no score")
	}
	return r.score(k, judge), nil
}

// RecordScore returns once the score is committed behind the earlier ones of
// its judge on that prediction, together with whatever else waited; the
// judge's counts change in the same transaction. A score is never left out: a
// judge that says the same once more was paid once more.
func (s *Scores) RecordScore(ctx context.Context, one eval.Score) error {
	_, err := s.put(ctx, []eval.Score{one}, func(_, _ *eval.Score) bool { return false })
	if err != nil {
		return fmt.Errorf("record score of %s by %s: %w", one.Key, one.Judge, err)
	}
	return nil
}

// Put commits scores in one transaction. One that says what the same judge has
// said of that prediction before (the same value, raw reply and prompt) adds
// nothing, nor does a failed call where the judge has had its say; another one
// is kept beside it, as its newer revision.
func (s *Scores) Put(ctx context.Context, all []eval.Score) (added int, err error) {
	if added, err = s.put(ctx, all, scoredBefore); err != nil {
		return 0, fmt.Errorf("put scores: %w", err)
	}
	return added, nil
}

func scoredBefore(old, one *eval.Score) bool {
	if !old.Reads() || !one.Reads() {
		return old.Reads()
	}
	return old.Value == one.Value && old.Raw == one.Raw && old.Prompt == one.Prompt
}

// put commits scores but those that says finds among the earlier ones.
func (s *Scores) put(ctx context.Context, all []eval.Score, says func(old, one *eval.Score) bool) (added int, err error) {
	values := make([][]byte, len(all))
	size := 0
	for i := range all {
		if values[i], err = s.encode(&all[i]); err != nil {
			return 0, err
		}
		size += 64 + len(all[i].Judge) + len(values[i])
	}
	err = s.s.do(ctx, size, func(tx *bbolt.Tx) (err error) {
		totals := make(map[judgeOf]*eval.ScoreCounts)
		added, err = putEach(len(all), func(i int) (bool, error) { return s.add(tx, totals, &all[i], values[i], says) })
		if err != nil {
			return err
		}
		return s.putCounts(tx, totals)
	})
	return added, err
}

// add puts one score and counts it; totals are those that the transaction has
// looked at.
func (s *Scores) add(tx *bbolt.Tx, totals map[judgeOf]*eval.ScoreCounts, one *eval.Score, value []byte, says func(old, one *eval.Score) bool) (bool, error) {
	of := judgeOf{one.Run, one.Judge}
	if totals[of] == nil {
		have, err := s.open(tx, of)
		if err != nil {
			return false, err
		}
		totals[of] = &have
	}
	var last *eval.Score
	prefix := appendName(predictionKey(one.Key), one.Judge)
	added, err := revise(tx, tableScores, prefix, value, s.read, func(earlier []eval.Score) bool {
		last = standing(earlier, (*eval.Score).Reads)
		return slices.ContainsFunc(earlier, func(old eval.Score) bool { return says(&old, one) })
	})
	if added {
		totals[of].Take(one, last)
	}
	return added, err
}

// Of gives the scores of a prediction; of one judge, the newest comes last.
// Calls that failed say nothing and are not among them. With an error come
// those that can be read.
func (s *Scores) Of(k eval.Key) ([]eval.Score, error) {
	return collect(s.said(s.s.scan(context.Background(), tableScores, predictionKey(k), nil)))
}

// All yields the scores of a run, by sample; of one judge on one prediction,
// the newest comes last. Calls that failed say nothing and are not among them.
// One that cannot be read yields an error that names it, and the scan goes on.
func (s *Scores) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return s.said(s.s.scan(ctx, tableScores, runKey(id), nil))
}

// Calls yields a run's scores as All does, those of failed calls too.
func (s *Scores) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return records(s.s.scan(ctx, tableScores, runKey(id), nil), s.read)
}

func (s *Scores) said(pairs iter.Seq2[pair, error]) iter.Seq2[eval.Score, error] {
	return func(yield func(eval.Score, error) bool) {
		for one, err := range records(pairs, s.read) {
			if (err != nil || one.Reads()) && !yield(one, err) {
				return
			}
		}
	}
}
