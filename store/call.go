package store

import (
	"bytes"
	"time"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// callRecord is what records of judges' calls have in common, as fields of
// their own.
type callRecord struct {
	PromptHash     string `cbor:"5,keyasint,omitempty"`
	Setup          string `cbor:"6,keyasint,omitempty"`
	Served         string `cbor:"7,keyasint,omitempty"`
	Finish         string `cbor:"8,keyasint,omitempty"`
	Prompt         int    `cbor:"9,keyasint,omitempty"`
	Completion     int    `cbor:"10,keyasint,omitempty"`
	Reasoning      int    `cbor:"11,keyasint,omitempty"`
	Latency        int64  `cbor:"12,keyasint,omitempty"` // nanoseconds
	At             int64  `cbor:"13,keyasint,omitempty"`
	Failed         bool   `cbor:"14,keyasint,omitempty"`
	FailureKind    uint8  `cbor:"15,keyasint,omitempty"`
	FailureMessage string `cbor:"16,keyasint,omitempty"`
	FailureAfter   int64  `cbor:"17,keyasint,omitempty"` // nanoseconds
	FailureStatus  int    `cbor:"18,keyasint,omitempty"`
}

// cost sets what a call took.
func (r *callRecord) cost(u eval.Usage, latency time.Duration, at time.Time) {
	r.Prompt, r.Completion, r.Reasoning = u.Prompt, u.Completion, u.Reasoning
	r.Latency, r.At = int64(latency), millis(at)
}

func (r *callRecord) usage() eval.Usage {
	return eval.Usage{Prompt: r.Prompt, Completion: r.Completion, Reasoning: r.Reasoning}
}

// fail sets why a call failed; nil for one that did not.
func (r *callRecord) fail(f *eval.Failure) {
	if f == nil {
		return
	}
	r.Failed, r.FailureKind, r.FailureMessage = true, uint8(f.Kind), f.Message
	r.FailureAfter, r.FailureStatus = int64(f.After), f.Status
}

func (r *callRecord) failure() *eval.Failure {
	if !r.Failed {
		return nil
	}
	return toFailure(r.FailureKind, r.FailureMessage, r.FailureAfter, r.FailureStatus)
}

// revise puts a record behind those that stand under prefix, as its newest
// revision, unless the earlier ones, the oldest first, make it needless.
func revise[T any](tx *bbolt.Tx, t table, prefix, value []byte, read func(key, raw []byte) (T, error), needless func(earlier []T) bool) (bool, error) {
	var earlier []T
	rows := tx.Bucket([]byte(t))
	c := rows.Cursor()
	for k, raw := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, raw = c.Next() {
		old, err := read(k, raw)
		if err != nil {
			return false, err
		}
		earlier = append(earlier, old)
	}
	if needless(earlier) {
		return false, nil
	}
	return true, rows.Put(appendU32(clone(prefix), uint32(len(earlier))), value)
}

// standing is the newest of a judge's sayings that is one, or else its newest
// failed call; nil of none.
func standing[T any](all []T, says func(*T) bool) *T {
	for i := len(all) - 1; i >= 0; i-- {
		if says(&all[i]) {
			return &all[i]
		}
	}
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// putEach puts records in one transaction, all or none, and counts those that
// were added. Nothing has been written when the first is refused.
func putEach(n int, put func(i int) (bool, error)) (added int, err error) {
	for i := range n {
		ok, err := put(i)
		switch {
		case err != nil && i == 0:
			return 0, reject(err)
		case err != nil:
			return 0, err
		case ok:
			added++
		}
	}
	return added, nil
}
