package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

var _ eval.JudgmentRecorder = (*Judgments)(nil)

// Judgments keeps what judge models read in predictions.
type Judgments struct{ s *Store }

// Judgments is the handle of judgments.
func (s *Store) Judgments() *Judgments { return &Judgments{s} }

// RecordJudgment returns once the judgment is committed behind the earlier
// ones of its judge on that prediction, together with whatever else waited;
// the judge's counts change in the same transaction, and the run's when the
// judgment closes its question. A judgment is never left out: a second failed
// call is another fact than the first.
func (j *Judgments) RecordJudgment(ctx context.Context, one eval.Judgment, closes bool) error {
	raw, err := j.encode(&one)
	if err != nil {
		return err
	}
	runs := j.s.Runs()
	return j.s.file.Do(ctx, 64+len(one.Judge)+len(raw), func(tx *file.Tx) error {
		run, err := runs.counts(tx, one.Run)
		if err != nil {
			return file.Reject(fmt.Errorf("record judgment of %s by %s: %w", one.Key, one.Judge, err))
		}
		counts, err := j.counts(tx, one.Run, one.Judge)
		if err != nil {
			return file.Reject(err)
		}
		if _, err := j.put(tx, &one, raw, &counts, nil); err != nil {
			return fmt.Errorf("record judgment of %s by %s: %w", one.Key, one.Judge, err)
		}
		if err := j.putCounts(tx, one.Run, one.Judge, counts); err != nil || !closes {
			return err
		}
		run.Questions++
		return runs.putCounts(tx, one.Run, run)
	})
}

func (j *Judgments) encode(one *eval.Judgment) ([]byte, error) {
	if err := record.CheckName("judge", one.Judge); err != nil {
		return nil, err
	}
	if int(one.Extraction.Status) >= eval.Statuses {
		return nil, fmt.Errorf("record judgment of %s by %s: %w: status %d", one.Key, one.Judge, ErrInvalid, one.Extraction.Status)
	}
	return j.s.codec.Encode(record.FromJudgment(one))
}

// Put commits judgments in one transaction. One that says what the same judge
// has said of that prediction before (the same reading, raw reply and prompt)
// adds nothing, nor does a failed call where the judge has had its say; another
// one is kept beside it, as its newer revision. Where the judge decides over the
// passes of a run, the run's counts lose their reader: whoever needs them
// counts anew.
func (j *Judgments) Put(ctx context.Context, all []eval.Judgment) (added int, err error) {
	values, size, err := encoded(all, j.encode, func(one *eval.Judgment) int { return 64 + len(one.Judge) })
	if err != nil {
		return 0, err
	}
	err = j.s.file.Do(ctx, size, func(tx *file.Tx) error {
		added = 0
		fresh := make(map[record.JudgeOf]*eval.JudgeCounts)
		for i := range all {
			one := &all[i]
			of := record.JudgeOf{Run: one.Run, Judge: one.Judge}
			c := fresh[of]
			if c == nil {
				have, err := j.counts(tx, of.Run, of.Judge)
				if err != nil {
					return err
				}
				c = &have
			}
			ok, err := j.put(tx, one, values[i], c, saysNothingNew)
			if err != nil {
				return fmt.Errorf("put judgment of %s by %s: %w", one.Key, one.Judge, err)
			}
			if ok {
				added++
				fresh[of] = c
			}
		}
		return j.putFresh(tx, fresh)
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// saysNothingNew also leaves out a failed call behind a reading, whose place it
// would take, and one that failed as another did.
func saysNothingNew(old, one *eval.Judgment) bool {
	switch {
	case one.Failure == nil:
		return old.Failure == nil && old.Extraction == one.Extraction && old.Raw == one.Raw && old.Prompt == one.Prompt
	case old.Failure == nil:
		return true
	}
	a, b := old.Failure, one.Failure
	return a.Kind == b.Kind && a.Status == b.Status && a.Message == b.Message
}

// put writes a judgment behind the earlier ones of its judge and counts it,
// unless it is the same as one of them; same may be nil, and has them all kept.
func (j *Judgments) put(tx *file.Tx, one *eval.Judgment, raw []byte, counts *eval.JudgeCounts,
	same func(old, one *eval.Judgment) bool,
) (bool, error) {
	b := tx.Table(record.TableJudgments)
	prefix := record.AppendName(record.PredictionKey(one.Key), one.Judge)
	revision := uint32(0)
	var last *eval.Judgment
	for p, err := range b.Prefix(prefix) {
		if err != nil {
			return false, err
		}
		old, err := j.read(p.Key, p.Value)
		if err != nil {
			return false, err
		}
		if same != nil && same(&old, one) {
			return false, nil
		}
		last = &old
		revision++
	}
	counts.Take(one, last)
	return true, b.Put(record.AppendU32(prefix, revision), raw)
}

func (j *Judgments) read(key, raw []byte) (eval.Judgment, error) {
	k, rest, ok := record.CutKey(key)
	judge, _, named := record.CutName(rest)
	if !ok || !named {
		return eval.Judgment{}, record.Corrupt(record.TableJudgments, key, "no key of a judgment")
	}
	var r record.Judgment
	if err := j.s.codec.Decode(record.TableJudgments, key, raw, &r); err != nil {
		return eval.Judgment{}, err
	}
	return r.Judgment(k, judge), nil
}

// Of gives what judges said of a prediction; of one judge, the newest comes
// last. Calls that failed say nothing and are not among them. With an error
// come those that can be read.
func (j *Judgments) Of(k eval.Key) ([]eval.Judgment, error) {
	all, err := j.Attempts(k)
	return slices.DeleteFunc(all, func(one eval.Judgment) bool { return !one.Reads() }), err
}

// Attempts gives what came of every call about a prediction, failed ones too,
// by judge; of one judge, the newest comes last. With an error come those that
// can be read.
func (j *Judgments) Attempts(k eval.Key) ([]eval.Judgment, error) {
	return file.Collect(file.Records(j.s.file.Scan(context.Background(), record.TableJudgments, record.PredictionKey(k), nil), j.read))
}

// Calls yields a run's judgments as All does, those of failed calls too.
func (j *Judgments) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return file.Records(j.s.file.Scan(ctx, record.TableJudgments, record.RunKey(id), nil), j.read)
}

// All yields what judges said of a run's predictions, by sample and pass; of
// one judge on one prediction, the newest comes last. Calls that failed say
// nothing and are not among them. One that cannot be read yields an error that
// names it, and the scan goes on.
func (j *Judgments) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		for one, err := range file.Records(j.s.file.Scan(ctx, record.TableJudgments, record.RunKey(id), nil), j.read) {
			if (err != nil || one.Reads()) && !yield(one, err) {
				return
			}
		}
	}
}

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
