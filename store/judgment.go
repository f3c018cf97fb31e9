package store

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"concord/eval"
)

var _ eval.JudgmentRecorder = (*Judgments)(nil)

// Judgments keeps what judge models read in predictions.
type Judgments struct{ s *Store }

// Judgments is the handle of judgments.
func (s *Store) Judgments() *Judgments { return &Judgments{s} }

// judgmentRecord is the record of a judgment; the prediction, the judge and
// the revision stand in its key.
type judgmentRecord struct {
	Choice         string   `cbor:"1,keyasint,omitempty"`
	Status         uint8    `cbor:"2,keyasint,omitempty"`
	Method         string   `cbor:"3,keyasint,omitempty"`
	Raw            string   `cbor:"4,keyasint,omitempty"`
	PromptHash     string   `cbor:"5,keyasint,omitempty"`
	Prompt         int      `cbor:"6,keyasint,omitempty"`
	Completion     int      `cbor:"7,keyasint,omitempty"`
	Reasoning      int      `cbor:"8,keyasint,omitempty"`
	Latency        int64    `cbor:"9,keyasint,omitempty"` // nanoseconds
	At             int64    `cbor:"10,keyasint,omitempty"`
	Setup          string   `cbor:"11,keyasint,omitempty"`
	Finish         string   `cbor:"12,keyasint,omitempty"`
	Failed         bool     `cbor:"13,keyasint,omitempty"`
	FailureKind    uint8    `cbor:"14,keyasint,omitempty"`
	FailureMessage string   `cbor:"15,keyasint,omitempty"`
	FailureAfter   int64    `cbor:"16,keyasint,omitempty"` // nanoseconds
	FailureStatus  int      `cbor:"17,keyasint,omitempty"`
	Served         string   `cbor:"18,keyasint,omitempty"`
	Earlier        []string `cbor:"19,keyasint,omitempty"`
}

func fromJudgment(j *eval.Judgment) judgmentRecord {
	r := judgmentRecord{
		Choice: string(j.Extraction.Choice), Status: uint8(j.Extraction.Status), Method: j.Extraction.Method,
		Raw: j.Raw, PromptHash: j.Prompt, Setup: j.Setup, Finish: j.Finish, Served: j.Served, Earlier: j.Earlier,
		Prompt: j.Usage.Prompt, Completion: j.Usage.Completion, Reasoning: j.Usage.Reasoning,
		Latency: int64(j.Latency), At: millis(j.At),
	}
	if j.Failure != nil {
		r.Failed, r.FailureKind, r.FailureMessage = true, uint8(j.Failure.Kind), j.Failure.Message
		r.FailureAfter, r.FailureStatus = int64(j.Failure.After), j.Failure.Status
	}
	return r
}

func (r judgmentRecord) judgment(k eval.Key, judge string) eval.Judgment {
	j := eval.Judgment{
		Key: k, Judge: judge,
		Extraction: eval.Extraction{Choice: eval.Choice(r.Choice), Status: eval.Status(r.Status), Method: r.Method},
		Raw:        r.Raw, Prompt: r.PromptHash, Setup: r.Setup, Finish: r.Finish, Served: r.Served, Earlier: r.Earlier,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: fromMillis(r.At),
	}
	if r.Failed {
		j.Failure = toFailure(r.FailureKind, r.FailureMessage, r.FailureAfter, r.FailureStatus)
	}
	return j
}

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
	return j.s.do(ctx, 64+len(one.Judge)+len(raw), func(tx *bbolt.Tx) error {
		run, err := runs.counts(tx, one.Run)
		if err != nil {
			return reject(fmt.Errorf("record judgment of %s by %s: %w", one.Key, one.Judge, err))
		}
		counts, err := j.counts(tx, one.Run, one.Judge)
		if err != nil {
			return reject(err)
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
	if err := checkName("judge", one.Judge); err != nil {
		return nil, err
	}
	if int(one.Extraction.Status) >= eval.Statuses {
		return nil, fmt.Errorf("record judgment of %s by %s: %w: status %d", one.Key, one.Judge, ErrInvalid, one.Extraction.Status)
	}
	return j.s.codec.encode(fromJudgment(one))
}

// Put commits judgments in one transaction. One that says what the same judge
// has said of that prediction before (the same reading, raw reply and prompt)
// adds nothing, nor does a failed call where the judge has had its say; another
// one is kept beside it, as its newer revision. Where the judge decides over the
// passes of a run, the run's counts lose their reader: whoever needs them
// counts anew.
func (j *Judgments) Put(ctx context.Context, all []eval.Judgment) (added int, err error) {
	values := make([][]byte, len(all))
	size := 0
	for i := range all {
		if values[i], err = j.encode(&all[i]); err != nil {
			return 0, err
		}
		size += 64 + len(all[i].Judge) + len(values[i])
	}
	err = j.s.do(ctx, size, func(tx *bbolt.Tx) error {
		added = 0
		fresh := make(map[judgeOf]*eval.JudgeCounts)
		for i := range all {
			one := &all[i]
			of := judgeOf{one.Run, one.Judge}
			c := fresh[of]
			if c == nil {
				have, err := j.counts(tx, of.run, of.judge)
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
func (j *Judgments) put(tx *bbolt.Tx, one *eval.Judgment, raw []byte, counts *eval.JudgeCounts,
	same func(old, one *eval.Judgment) bool,
) (bool, error) {
	b := tx.Bucket([]byte(tableJudgments))
	prefix := appendName(predictionKey(one.Key), one.Judge)
	revision := uint32(0)
	var last *eval.Judgment
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		old, err := j.read(k, v)
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
	return true, b.Put(appendU32(prefix, revision), raw)
}

func (j *Judgments) read(key, raw []byte) (eval.Judgment, error) {
	k, rest, ok := cutKey(key)
	judge, _, named := cutName(rest)
	if !ok || !named {
		return eval.Judgment{}, corrupt(tableJudgments, key, "no key of a judgment")
	}
	var r judgmentRecord
	if err := j.s.codec.decode(tableJudgments, key, raw, &r); err != nil {
		return eval.Judgment{}, err
	}
	return r.judgment(k, judge), nil
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
	return collect(records(j.s.scan(context.Background(), tableJudgments, predictionKey(k), nil), j.read))
}

// Calls yields a run's judgments as All does, those of failed calls too.
func (j *Judgments) Calls(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return records(j.s.scan(ctx, tableJudgments, runKey(id), nil), j.read)
}

// All yields what judges said of a run's predictions, by sample and pass; of
// one judge on one prediction, the newest comes last. Calls that failed say
// nothing and are not among them. One that cannot be read yields an error that
// names it, and the scan goes on.
func (j *Judgments) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return func(yield func(eval.Judgment, error) bool) {
		for one, err := range records(j.s.scan(ctx, tableJudgments, runKey(id), nil), j.read) {
			if (err != nil || one.Reads()) && !yield(one, err) {
				return
			}
		}
	}
}
