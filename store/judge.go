package store

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// judgeRecord is the record of one judge's totals over a run.
type judgeRecord struct {
	Judged     int   `cbor:"1,keyasint,omitempty"`
	Failures   int   `cbor:"2,keyasint,omitempty"`
	Fallback   int   `cbor:"3,keyasint,omitempty"`
	Statuses   []int `cbor:"4,keyasint,omitempty"`
	Prompt     int   `cbor:"5,keyasint,omitempty"` // tokens, as the next two
	Completion int   `cbor:"6,keyasint,omitempty"`
	Reasoning  int   `cbor:"7,keyasint,omitempty"`
}

func fromJudgeCounts(c eval.JudgeCounts) judgeRecord {
	return judgeRecord{
		Judged: c.Judged, Failures: c.Failures, Fallback: c.Fallback, Statuses: c.Statuses[:],
		Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Reasoning: c.Usage.Reasoning,
	}
}

func (r judgeRecord) counts() eval.JudgeCounts {
	c := eval.JudgeCounts{
		Judged: r.Judged, Failures: r.Failures, Fallback: r.Fallback,
		Usage: eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
	}
	copy(c.Statuses[:], r.Statuses)
	return c
}

// judgeOf names a judge of a run.
type judgeOf struct {
	run   eval.RunID
	judge string
}

func (o judgeOf) key() []byte { return append(runKey(o.run), o.judge...) }

func (j *Judgments) counts(tx *bbolt.Tx, id eval.RunID, judge string) (eval.JudgeCounts, error) {
	key := judgeOf{id, judge}.key()
	raw := tx.Bucket([]byte(tableJudges)).Get(key)
	if raw == nil {
		return eval.JudgeCounts{}, nil
	}
	var r judgeRecord
	err := j.s.codec.decode(tableJudges, key, raw, &r)
	return r.counts(), err
}

func (j *Judgments) putCounts(tx *bbolt.Tx, id eval.RunID, judge string, c eval.JudgeCounts) error {
	raw, err := j.s.codec.encode(fromJudgeCounts(c))
	if err != nil {
		return err
	}
	return tx.Bucket([]byte(tableJudges)).Put(judgeOf{id, judge}.key(), raw)
}

// putFresh keeps the totals of judges whose judgments came from outside.
func (j *Judgments) putFresh(tx *bbolt.Tx, fresh map[judgeOf]*eval.JudgeCounts) error {
	runs := j.s.Runs()
	for of, c := range fresh {
		if err := j.putCounts(tx, of.run, of.judge, *c); err != nil {
			return err
		}
		run, err := runs.in(tx, of.run)
		switch {
		case errors.Is(err, eval.ErrNotFound):
			continue
		case err != nil:
			return err
		case run.Config.Decider() != of.judge:
			continue
		}
		counts, err := runs.counts(tx, of.run)
		if err != nil {
			return err
		}
		counts.Reader = ""
		if err := runs.putCounts(tx, of.run, counts); err != nil {
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
	prefix := runKey(id)
	all, err := collect(records(j.s.scan(context.Background(), tableJudges, prefix, nil),
		func(key, raw []byte) (eval.JudgeProgress, error) {
			var r judgeRecord
			err := j.s.codec.decode(tableJudges, key, raw, &r)
			return eval.JudgeProgress{Judge: string(key[len(prefix):]), Counts: r.counts()}, err
		}))
	slices.SortFunc(all, func(a, b eval.JudgeProgress) int { return cmp.Compare(a.Judge, b.Judge) })
	return all, err
}
