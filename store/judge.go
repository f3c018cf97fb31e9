package store

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

func (j *Judgments) counts(tx *file.Tx, id eval.RunID, judge string) (eval.JudgeCounts, error) {
	key := record.JudgeOf{Run: id, Judge: judge}.Key()
	raw := tx.Table(record.TableJudges).Get(key)
	if raw == nil {
		return eval.JudgeCounts{}, nil
	}
	var r record.Judge
	err := j.s.codec.Decode(record.TableJudges, key, raw, &r)
	return r.Counts(), err
}

func (j *Judgments) putCounts(tx *file.Tx, id eval.RunID, judge string, c eval.JudgeCounts) error {
	return j.s.put(tx, record.TableJudges, record.JudgeOf{Run: id, Judge: judge}.Key(), record.FromJudgeCounts(c))
}

// putFresh keeps the totals of judges whose judgments came from outside.
func (j *Judgments) putFresh(tx *file.Tx, fresh map[record.JudgeOf]*eval.JudgeCounts) error {
	runs := j.s.Runs()
	for of, c := range fresh {
		if err := j.putCounts(tx, of.Run, of.Judge, *c); err != nil {
			return err
		}
		run, err := runs.in(tx, of.Run)
		switch {
		case errors.Is(err, eval.ErrNotFound):
			continue
		case err != nil:
			return err
		case run.Config.Decider() != of.Judge:
			continue
		}
		counts, err := runs.counts(tx, of.Run)
		if err != nil {
			return err
		}
		counts.Reader = ""
		if err := runs.putCounts(tx, of.Run, counts); err != nil {
			return err
		}
	}
	return nil
}

// Judges names those who judged predictions of a run, in the order of names.
func (j *Judgments) Judges(id eval.RunID) ([]string, error) {
	all, err := j.Counts(id)
	var names []string
	for _, one := range all {
		names = append(names, one.Judge)
	}
	return names, err
}

// Counts gives how far each judge of a run has come, in the order of names.
// With an error come those that can be read.
func (j *Judgments) Counts(id eval.RunID) ([]eval.JudgeProgress, error) {
	prefix := record.RunKey(id)
	all, err := file.Collect(file.Records(j.s.file.Scan(context.Background(), record.TableJudges, prefix, nil),
		func(key, raw []byte) (eval.JudgeProgress, error) {
			var r record.Judge
			err := j.s.codec.Decode(record.TableJudges, key, raw, &r)
			return eval.JudgeProgress{Judge: string(key[len(prefix):]), Counts: r.Counts()}, err
		}))
	slices.SortFunc(all, func(a, b eval.JudgeProgress) int { return cmp.Compare(a.Judge, b.Judge) })
	return all, err
}
