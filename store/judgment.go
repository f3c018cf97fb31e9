package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// Judgments keeps what judge models read in predictions.
type Judgments struct{ s *Store }

// Judgments is the handle of judgments.
func (s *Store) Judgments() *Judgments { return &Judgments{s} }

// judgmentRecord is the record of a judgment; the prediction, the judge and
// the revision stand in its key.
type judgmentRecord struct {
	Choice     string `cbor:"1,keyasint,omitempty"`
	Status     uint8  `cbor:"2,keyasint,omitempty"`
	Method     string `cbor:"3,keyasint,omitempty"`
	Raw        string `cbor:"4,keyasint,omitempty"`
	PromptHash string `cbor:"5,keyasint,omitempty"`
	Prompt     int    `cbor:"6,keyasint,omitempty"`
	Completion int    `cbor:"7,keyasint,omitempty"`
	Reasoning  int    `cbor:"8,keyasint,omitempty"`
	Latency    int64  `cbor:"9,keyasint,omitempty"` // nanoseconds
	At         int64  `cbor:"10,keyasint,omitempty"`
}

func fromJudgment(j *eval.Judgment) judgmentRecord {
	return judgmentRecord{
		Choice: string(j.Extraction.Choice), Status: uint8(j.Extraction.Status), Method: j.Extraction.Method,
		Raw: j.Raw, PromptHash: j.Prompt,
		Prompt: j.Usage.Prompt, Completion: j.Usage.Completion, Reasoning: j.Usage.Reasoning,
		Latency: int64(j.Latency), At: millis(j.At),
	}
}

func (r judgmentRecord) judgment(k eval.Key, judge string) eval.Judgment {
	return eval.Judgment{
		Key: k, Judge: judge,
		Extraction: eval.Extraction{Choice: eval.Choice(r.Choice), Status: eval.Status(r.Status), Method: r.Method},
		Raw:        r.Raw, Prompt: r.PromptHash,
		Usage:   eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning},
		Latency: time.Duration(r.Latency), At: fromMillis(r.At),
	}
}

// Put commits judgments in one transaction. One that says what the same judge
// has said of that prediction before (the same reading, raw reply and prompt)
// adds nothing; another one is kept beside it, as its newer revision.
func (j *Judgments) Put(ctx context.Context, all []eval.Judgment) (added int, err error) {
	size := 0
	for i := range all {
		if err := checkName("judge", all[i].Judge); err != nil {
			return 0, err
		}
		size += 64 + len(all[i].Judge) + len(all[i].Raw)
	}
	err = j.s.do(ctx, size, func(tx *bbolt.Tx) error {
		added = 0
		fresh := make(map[string]uint64)
		for i := range all {
			ok, err := j.put(tx, &all[i])
			if err != nil {
				return fmt.Errorf("put judgment of %s by %s: %w", all[i].Key, all[i].Judge, err)
			}
			if ok {
				added++
				fresh[string(runKey(all[i].Run))+all[i].Judge]++
			}
		}
		return addJudges(tx, fresh)
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// put writes a judgment behind the earlier ones of its judge, unless one of
// them says the same.
func (j *Judgments) put(tx *bbolt.Tx, one *eval.Judgment) (bool, error) {
	b := tx.Bucket([]byte(tableJudgments))
	prefix := appendName(predictionKey(one.Key), one.Judge)
	revision := uint32(0)
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		old, err := j.read(k, v)
		if err != nil {
			return false, err
		}
		if old.Extraction == one.Extraction && old.Raw == one.Raw && old.Prompt == one.Prompt {
			return false, nil
		}
		revision++
	}
	raw, err := j.s.codec.encode(fromJudgment(one))
	if err != nil {
		return false, err
	}
	return true, b.Put(appendU32(prefix, revision), raw)
}

// addJudges counts the judgments of each judge of each run.
func addJudges(tx *bbolt.Tx, fresh map[string]uint64) error {
	b := tx.Bucket([]byte(tableJudges))
	for key, n := range fresh {
		if raw := b.Get([]byte(key)); len(raw) == 8 {
			n += binary.BigEndian.Uint64(raw)
		}
		if err := b.Put([]byte(key), u64(n)); err != nil {
			return err
		}
	}
	return nil
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

// Of gives all judgments of a prediction; of one judge, the newest comes
// last. With an error come those that can be read.
func (j *Judgments) Of(k eval.Key) ([]eval.Judgment, error) {
	return collect(records(j.s.scan(context.Background(), tableJudgments, predictionKey(k), nil), j.read))
}

// All yields the judgments of a run by sample and pass; of one judge on one
// prediction, the newest comes last. One that cannot be read yields an error
// that names it, and the scan goes on.
func (j *Judgments) All(ctx context.Context, id eval.RunID) iter.Seq2[eval.Judgment, error] {
	return records(j.s.scan(ctx, tableJudgments, runKey(id), nil), j.read)
}

// Judges names those who judged predictions of a run, in the order of names.
func (j *Judgments) Judges(id eval.RunID) ([]string, error) {
	prefix := runKey(id)
	names, err := collect(records(j.s.scan(context.Background(), tableJudges, prefix, nil),
		func(key, _ []byte) (string, error) { return string(key[len(prefix):]), nil }))
	slices.Sort(names)
	return names, err
}
