package store

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

var _ eval.ScoreRecorder = (*Scores)(nil)

// Scores keeps the scores that judge models gave open answers.
type Scores struct{ s *Store }

// Scores is the handle of scores.
func (s *Store) Scores() *Scores { return &Scores{s} }

func (s *Scores) encode(one *eval.Score) ([]byte, error) {
	if err := record.CheckName("judge", one.Judge); err != nil {
		return nil, err
	}
	if one.Value < 0 || one.Value > eval.TopScore {
		return nil, fmt.Errorf("%w: score %d", ErrInvalid, one.Value)
	}
	return s.s.codec.Encode(record.FromScore(one))
}

func (s *Scores) read(key, raw []byte) (eval.Score, error) {
	k, rest, ok := record.CutKey(key)
	judge, rest, named := record.CutName(rest)
	if !ok || !named || len(rest) != 4 {
		return eval.Score{}, record.Corrupt(record.TableScores, key, "no key of a score")
	}
	var r record.Score
	if err := s.s.codec.Decode(record.TableScores, key, raw, &r); err != nil {
		return eval.Score{}, err
	}
	if r.Value < 0 || r.Value > eval.TopScore {
		return eval.Score{}, record.Corrupt(record.TableScores, key, "no score")
	}
	return r.Score(k, judge), nil
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
	values, size, err := encoded(all, s.encode, func(one *eval.Score) int { return 64 + len(one.Judge) })
	if err != nil {
		return 0, err
	}
	err = s.s.file.Do(ctx, size, func(tx *file.Tx) (err error) {
		totals := make(map[record.JudgeOf]*eval.ScoreCounts)
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
func (s *Scores) add(tx *file.Tx, totals map[record.JudgeOf]*eval.ScoreCounts, one *eval.Score, value []byte, says func(old, one *eval.Score) bool) (bool, error) {
	of := record.JudgeOf{Run: one.Run, Judge: one.Judge}
	if totals[of] == nil {
		have, err := s.open(tx, of)
		if err != nil {
			return false, err
		}
		totals[of] = &have
	}
	var last *eval.Score
	prefix := record.AppendName(record.PredictionKey(one.Key), one.Judge)
	added, err := revise(tx, record.TableScores, prefix, value, s.read, func(earlier []eval.Score) bool {
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
	return file.Collect(s.said(s.s.file.Scan(context.Background(), record.TableScores, record.PredictionKey(k), nil)))
}

// All yields the scores of a run, by sample; of one judge on one prediction,
// the newest comes last. Calls that failed say nothing and are not among them.
// One that cannot be read yields an error that names it, and the scan goes on.
func (s *Scores) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return s.said(s.s.file.Scan(ctx, record.TableScores, record.RunKey(id), nil))
}

// Calls yields a run's scores as All does, those of failed calls too.
func (s *Scores) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return file.Records(s.s.file.Scan(ctx, record.TableScores, record.RunKey(id), nil), s.read)
}

func (s *Scores) said(pairs iter.Seq2[file.Pair, error]) iter.Seq2[eval.Score, error] {
	return func(yield func(eval.Score, error) bool) {
		for one, err := range file.Records(pairs, s.read) {
			if (err != nil || one.Reads()) && !yield(one, err) {
				return
			}
		}
	}
}

// open gives the totals of a judge over a run, new or not, and refuses a run
// that is not there.
func (s *Scores) open(tx *file.Tx, of record.JudgeOf) (eval.ScoreCounts, error) {
	raw := tx.Table(record.TableScorers).Get(of.Key())
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

func (s *Scores) putCounts(tx *file.Tx, totals map[record.JudgeOf]*eval.ScoreCounts) error {
	for of, c := range totals {
		if err := s.s.put(tx, record.TableScorers, of.Key(), record.FromScoreCounts(*c)); err != nil {
			return err
		}
	}
	return nil
}

// Counts gives what each judge's scores of a run come to, in the order of
// names. With an error come those that can be read.
func (s *Scores) Counts(id eval.RunID) ([]eval.ScoreProgress, error) {
	prefix := record.RunKey(id)
	return file.Collect(file.Records(s.s.file.Scan(context.Background(), record.TableScorers, prefix, nil),
		func(key, raw []byte) (eval.ScoreProgress, error) {
			c, err := s.readCounts(key, raw)
			return eval.ScoreProgress{Judge: string(key[len(prefix):]), Counts: c}, err
		}))
}
