package store

import (
	"context"
	"fmt"
	"iter"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

var _ eval.ScoreRecorder = (*Scores)(nil)

// Scores keeps the scores that judge models gave open answers.
type Scores struct{ s *Store }

// Scores is the handle of scores.
func (s *Store) Scores() *Scores { return &Scores{s} }

// RecordScore returns once the score is committed behind the earlier ones of
// its judge on that prediction, together with whatever else waited; the
// judge's counts change in the same transaction. A score is never left out: a
// judge that says the same once more was paid once more.
func (s *Scores) RecordScore(ctx context.Context, one eval.Score) error {
	if _, err := newScoreRevisions(s.s).addInTx(ctx, []eval.Score{one}); err != nil {
		return fmt.Errorf("record score of %s by %s: %w", one.Key, one.Judge, err)
	}
	return nil
}

// newScoreRevisions puts scores and counts them.
func newScoreRevisions(s *Store) *revisions[eval.Score] {
	all := newScoreTotals(s)
	of := func(tx *file.Tx, one *eval.Score) (*scoreTotals, error) {
		zero := scoreTotals{JudgeOf: record.JudgeOf{Run: one.Run, Judge: one.Judge}}
		return all.totalsOf(tx, zero, func() error { return requireRecord(s, record.Runs, tx, record.RunKey(one.Run)) })
	}
	return &revisions[eval.Score]{
		s: s, kind: record.Scores, key: record.Scores.Key, begin: all.reset, end: all.writeTotals,
		may: func(tx *file.Tx, one *eval.Score) error { _, err := of(tx, one); return err },
		added: func(tx *file.Tx, one *eval.Score, earlier []eval.Score) error {
			t, err := of(tx, one)
			if err == nil {
				t.Counts.CountScore(one, newestSaid(earlier, (*eval.Score).HasReply))
			}
			return err
		},
	}
}

// scoreTotals are what a judge's scores of a run come to.
type scoreTotals = record.JudgeTotals[eval.ScoreCounts]

func newScoreTotals(s *Store) *totalsCache[scoreTotals] {
	return &totalsCache[scoreTotals]{s: s, kind: record.Scorers}
}

// OfPrediction gives the scores of a prediction; of one judge, the newest comes last.
// Calls that failed say nothing and are not among them. With an error come
// those that can be read.
func (s *Scores) OfPrediction(k eval.Key) ([]eval.Score, error) {
	return file.Collect(eval.Filter(scanUnder(context.Background(), s.s, record.Scores, record.PredictionKey(k)), (*eval.Score).HasReply))
}

// Calls yields the scores of a run, by sample, failed calls too; of one judge on one
// prediction, the newest comes last. One that cannot be read yields an error that
// names it, and the scan goes on.
func (s *Scores) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return scanUnder(ctx, s.s, record.Scores, record.RunKey(id))
}

// Counts gives what each judge's scores of a run come to, in the order of
// names. With an error come those that can be read.
func (s *Scores) Counts(id eval.RunID) ([]eval.ScoreProgress, error) {
	all, err := listUnder(s.s, record.Scorers, record.RunKey(id))
	return eval.Map(all, func(t scoreTotals) eval.ScoreProgress { return eval.ScoreProgress{Judge: t.Judge, Counts: t.Counts} }), err
}
