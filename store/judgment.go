package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Judgments keeps what judge models read in predictions.
type Judgments struct{ s *Store }

// Judgments is the handle of judgments.
func (s *Store) Judgments() *Judgments { return &Judgments{s} }

// judgeTotals are what a judge's judgments of a run come to.
type judgeTotals = record.JudgeTotals[eval.JudgeCounts]

// RecordJudgment returns once the judgment is committed behind the earlier ones of its judge on
// that prediction, together with whatever else waited; the judge's counts change in the same
// transaction, and the run's when the judgment closes its question. A judgment is never left
// out: a second failed call is another fact than the first.
func (j *Judgments) RecordJudgment(ctx context.Context, one eval.Judgment, closes bool) error {
	runs := j.s.Runs()
	put, totals := newJudgmentRevisions(j.s)
	put.may = func(tx *file.Tx, one *eval.Judgment) error { _, err := runs.readCounts(tx, one.Run); return err }
	put.end = func(tx *file.Tx) error {
		if err := totals.writeTotals(tx); err != nil || !closes {
			return err
		}
		return runs.changeCounts(tx, one.Run, func(c *eval.Counts) { c.Questions++ })
	}
	_, err := put.addInTx(ctx, []eval.Judgment{one})
	return eval.WrapError(err, "record judgment of %s by %s", one.Key, one.Judge)
}

// Put commits judgments in one transaction. One that says what the same judge has said of that
// prediction before (the same reading, raw reply and prompt) adds nothing, nor does a failed call where
// the judge has had its say; another one is kept beside it, as its newer revision. Where the judge
// decides over the passes of a run, the run's counts lose their reader: whoever needs them counts anew.
func (j *Judgments) Put(ctx context.Context, all []eval.Judgment) (added int, err error) {
	put, totals := newJudgmentRevisions(j.s)
	put.needless = func(earlier []eval.Judgment, one *eval.Judgment) bool {
		return slices.ContainsFunc(earlier, func(old eval.Judgment) bool { return saysSameAsBefore(&old, one) })
	}
	put.end = func(tx *file.Tx) error {
		for _, t := range totals.have {
			run, err := j.s.Runs().readRun(tx, t.Run)
			switch {
			case errors.Is(err, eval.ErrNotFound):
				continue
			case err == nil && run.Config.DecidingJudge() == t.Judge:
				err = j.s.Runs().changeCounts(tx, t.Run, func(c *eval.Counts) { c.Reader = "" })
			}
			if err != nil {
				return err
			}
		}
		return totals.writeTotals(tx)
	}
	return put.addAll(ctx, "put judgments", all)
}

// newJudgmentRevisions puts judgments and counts them.
func newJudgmentRevisions(s *Store) (*revisions[eval.Judgment], *totalsCache[judgeTotals]) {
	all := &totalsCache[judgeTotals]{s: s, kind: record.Judges}
	return &revisions[eval.Judgment]{
		s: s, kind: record.Judgments, key: record.Judgments.Key, begin: all.reset,
		added: func(tx *file.Tx, one *eval.Judgment, earlier []eval.Judgment) error {
			t, err := all.totalsOf(tx, judgeTotals{JudgeOf: record.JudgeOf{Run: one.Run, Judge: one.Judge}}, func() error { return nil })
			if err == nil {
				t.Counts.CountJudgment(one, newest(earlier))
			}
			return err
		},
	}, all
}

// saysSameAsBefore also leaves out a failed call behind a reading, whose place it
// would take, and one that failed as another did.
func saysSameAsBefore(old, one *eval.Judgment) bool {
	switch {
	case one.Failure == nil:
		return old.Failure == nil && old.Extraction == one.Extraction && old.Raw == one.Raw && old.Prompt == one.Prompt &&
			(one.Confidence == 0 || old.Confidence == one.Confidence)
	case old.Failure == nil:
		return true
	}
	a, b := old.Failure, one.Failure
	return a.Kind == b.Kind && a.Status == b.Status && a.Message == b.Message
}

// OfPrediction gives what judges said of a prediction; of one judge, the newest comes last. Calls that
// failed say nothing and are not among them. With an error come those that can be read.
func (j *Judgments) OfPrediction(k eval.Key) ([]eval.Judgment, error) {
	all, err := j.Attempts(k)
	return slices.DeleteFunc(all, func(one eval.Judgment) bool { return !one.HasReply() }), err
}

// Attempts gives what came of every call about a prediction, failed ones too, by judge; of one
// judge, the newest comes last. With an error come those that can be read.
func (j *Judgments) Attempts(k eval.Key) ([]eval.Judgment, error) {
	return listPrefix(j.s, record.Judgments, record.PredictionKey(k))
}

// Calls yields what judges said of a run's predictions, by sample and pass, failed
// calls too; of one judge on one prediction, the newest comes last. One that cannot
// be read yields an error that names it, and the scan goes on.
func (j *Judgments) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return scanPrefix(ctx, j.s, record.Judgments, record.RunKey(id))
}

// Readings yields what Calls does without texts: what was read, by which prompt and at what cost.
func (j *Judgments) Readings(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return scanColumns(ctx, j.s, record.Judgments, record.RunKey(id), judgmentLayout, dropTexts)
}

// dropTexts drops what columns are without. Another choice wants another format of columns.
func dropTexts(one *eval.Judgment) {
	one.Raw, one.Earlier, one.Served, one.Finish = "", nil, "", ""
	if f := one.Failure; f != nil {
		one.Failure = &eval.Failure{Kind: f.Kind, Status: f.Status}
	}
}

// JoinToQuestions adds the newest judgment of each judge on each prediction, without texts, to the questions of a
// run, which come by ordinal.
func (j *Judgments) JoinToQuestions(ctx context.Context, questions iter.Seq2[eval.Question, error], id eval.RunID) iter.Seq2[eval.Question, error] {
	return func(yield func(eval.Question, error) bool) {
		judged := newOrdinalMerge(j.Readings(ctx, id), func(j eval.Judgment) eval.Ordinal { return j.Sample })
		defer judged.stop()
		for q, err := range questions {
			if err == nil {
				q.Judgments = nil
				for _, failed := range judged.advanceTo(q.Sample.Ordinal, func(j eval.Judgment) { q.Judgments = putNewestJudgment(q.Judgments, j) }) {
					if !yield(eval.Question{Sample: q.Sample}, failed) {
						return
					}
				}
			}
			if !yield(q, err) {
				return
			}
		}
	}
}

// Judges names those who judged predictions of a run, in the order of names.
func (j *Judgments) Judges(id eval.RunID) ([]string, error) {
	all, err := j.Counts(id)
	return eval.Map(all, func(one eval.JudgeProgress) string { return one.Judge }), err
}

// Counts gives how far each judge of a run has come, in the order of names.
// With an error come those that can be read.
func (j *Judgments) Counts(id eval.RunID) ([]eval.JudgeProgress, error) {
	all, err := listPrefix(j.s, record.Judges, record.RunKey(id))
	return eval.Map(all, func(t judgeTotals) eval.JudgeProgress { return eval.JudgeProgress{Judge: t.Judge, Counts: t.Counts} }), err
}

// Scores keeps the scores that judge models gave open answers.
type Scores struct{ s *Store }

// Scores is the handle of scores.
func (s *Store) Scores() *Scores { return &Scores{s} }

// RecordScore returns once the score is committed behind the earlier ones of its judge on that
// prediction, together with whatever else waited; the judge's counts change in the same transaction. A
// score is never left out: a judge that says the same once more was paid once more.
func (s *Scores) RecordScore(ctx context.Context, one eval.Score) error {
	_, err := newScoreRevisions(s.s).addInTx(ctx, []eval.Score{one})
	return eval.WrapError(err, "record score of %s by %s", one.Key, one.Judge)
}

// newScoreRevisions puts scores and counts them.
func newScoreRevisions(s *Store) *revisions[eval.Score] {
	all := &totalsCache[scoreTotals]{s: s, kind: record.Scorers}
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

// OfPrediction gives the scores of a prediction; of one judge, the newest comes last. Calls
// that failed say nothing and are not among them. With an error come those that can be read.
func (s *Scores) OfPrediction(k eval.Key) ([]eval.Score, error) {
	return file.Collect(eval.Filter(scanPrefix(context.Background(), s.s, record.Scores, record.PredictionKey(k)), (*eval.Score).HasReply))
}

// Calls yields the scores of a run, by sample, failed calls too; of one judge on one prediction, the
// newest comes last. One that cannot be read yields an error that names it, and the scan goes on.
func (s *Scores) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Score, error] {
	return scanPrefix(ctx, s.s, record.Scores, record.RunKey(id))
}

// Counts gives what each judge's scores of a run come to, in the order of
// names. With an error come those that can be read.
func (s *Scores) Counts(id eval.RunID) ([]eval.ScoreProgress, error) {
	all, err := listPrefix(s.s, record.Scorers, record.RunKey(id))
	return eval.Map(all, func(t scoreTotals) eval.ScoreProgress { return eval.ScoreProgress{Judge: t.Judge, Counts: t.Counts} }), err
}

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

// RecordVote returns once the vote is committed behind the earlier ones of its ballot on that pair,
// together with whatever else waited; the comparison's counts change in the same transaction. A vote is
// never left out: a judge that says the same once more was paid once more.
func (v *Votes) RecordVote(ctx context.Context, p eval.Preference) error {
	_, err := newVoteRevisions(v.s).addInTx(ctx, []eval.Preference{p})
	return eval.WrapError(err, "record vote")
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
	return scanPrefix(ctx, v.s, record.Votes, record.ComparisonPrefix(c))
}

// OnSample gives a comparison's votes on one sample that stand, the order of the lower run
// first: at most one of each order. A failed call stands only where no reply does.
func (v *Votes) OnSample(ctx context.Context, c eval.Comparison, o eval.Ordinal) ([]eval.Preference, error) {
	prefix := record.AppendU32(record.ComparisonPrefix(c), uint32(o))
	all, err := file.Collect(scanPrefix(ctx, v.s, record.Votes, prefix))
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
	a, err := v.s.Runs().readRun(tx, c.A)
	if err != nil {
		return err
	}
	b, err := v.s.Runs().readRun(tx, c.B)
	if err != nil {
		return err
	}
	if a.Config.Dataset != b.Config.Dataset {
		return fmt.Errorf("%w: runs %d and %d are on other datasets", ErrInvalid, c.A, c.B)
	}
	return nil
}

// Comparisons gives every comparison with its totals, by runs and ballots, but for those
// of candidates: prompts that are tried. With an error come those that can be read.
func (v *Votes) Comparisons(ctx context.Context) ([]eval.ComparisonProgress, error) {
	all, err := v.AllComparisons(ctx)
	return eval.Select(all, func(c eval.ComparisonProgress) bool { return eval.JudgeOfCandidate(c.Judge) == "" }), err
}

// AllComparisons gives those of candidates too.
func (v *Votes) AllComparisons(ctx context.Context) ([]eval.ComparisonProgress, error) {
	return file.Collect(scanPrefix(ctx, v.s, record.Comparisons, nil))
}
