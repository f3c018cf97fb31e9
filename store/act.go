package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/eval"
)

// Acts keeps what people did, act by act.
type Acts struct{ s *Store }

// Acts is the handle of acts.
func (s *Store) Acts() *Acts { return &Acts{s} }

// actRecord is the record of an act; the queue, the annotator and the number
// stand in its key.
type actRecord struct {
	Run        uint64   `cbor:"1,keyasint,omitempty"`
	Sample     uint32   `cbor:"2,keyasint,omitempty"`
	Pass       uint8    `cbor:"3,keyasint,omitempty"`
	Kind       uint8    `cbor:"4,keyasint,omitempty"`
	Verdict    uint8    `cbor:"5,keyasint,omitempty"`
	Choice     string   `cbor:"6,keyasint,omitempty"`
	Several    []string `cbor:"7,keyasint,omitempty"`
	Reason     string   `cbor:"8,keyasint,omitempty"`
	Confidence float64  `cbor:"9,keyasint,omitempty"`
	Text       string   `cbor:"10,keyasint,omitempty"`
	Target     uint32   `cbor:"11,keyasint,omitempty"`
	Imported   bool     `cbor:"12,keyasint,omitempty"`
	At         int64    `cbor:"13,keyasint,omitempty"`
	Spent      int64    `cbor:"14,keyasint,omitempty"` // nanoseconds
	Against    uint64   `cbor:"15,keyasint,omitempty"`
	Informed   bool     `cbor:"16,keyasint,omitempty"`
	Vote       uint8    `cbor:"17,keyasint,omitempty"`
	Swapped    bool     `cbor:"18,keyasint,omitempty"`
	Criteria   string   `cbor:"19,keyasint,omitempty"`
	Score      int      `cbor:"20,keyasint,omitempty"`
	Cause      uint8    `cbor:"21,keyasint,omitempty"`
	Guideline  int      `cbor:"22,keyasint,omitempty"`
}

func fromAct(a *annotate.Act) actRecord {
	r := actRecord{
		Run: uint64(a.Item.Run), Sample: uint32(a.Item.Sample), Pass: uint8(a.Item.Pass),
		Against: uint64(a.Item.Against), Kind: uint8(a.Kind),
		Verdict: uint8(a.Reading.Verdict), Choice: string(a.Reading.Choice),
		Vote: uint8(a.Reading.Vote), Swapped: a.Reading.Swapped, Criteria: a.Reading.Criteria, Score: a.Reading.Score,
		Reason: a.Reason, Confidence: a.Confidence, Text: a.Text, Target: a.Target,
		Imported: a.Imported, Informed: a.Informed, At: millis(a.At), Spent: int64(a.Spent), Cause: uint8(a.Cause), Guideline: a.Guideline,
	}
	for _, c := range a.Reading.Several {
		r.Several = append(r.Several, string(c))
	}
	return r
}

func (r actRecord) act(q annotate.QueueName, who annotate.Annotator, n uint32) annotate.Act {
	a := annotate.Act{
		Queue: q, Annotator: who, N: n,
		Item: itemOf(r.Run, r.Sample, r.Pass, r.Against),
		Kind: annotate.ActKind(r.Kind), Reason: r.Reason, Confidence: r.Confidence, Text: r.Text,
		Reading: annotate.Reading{
			Verdict: annotate.Verdict(r.Verdict), Choice: eval.Choice(r.Choice),
			Vote: eval.Vote(r.Vote), Swapped: r.Swapped, Criteria: r.Criteria, Score: r.Score,
		},
		Target: r.Target, Imported: r.Imported, Informed: r.Informed, At: fromMillis(r.At), Spent: time.Duration(r.Spent), Cause: annotate.Cause(r.Cause),
		Guideline: r.Guideline,
	}
	for _, c := range r.Several {
		a.Reading.Several = append(a.Reading.Several, eval.Choice(c))
	}
	return a
}

func itemOf(run uint64, sample uint32, pass uint8, against uint64) annotate.ItemKey {
	return annotate.ItemKey{
		Key:     eval.Key{Run: eval.RunID(run), Sample: eval.Ordinal(sample), Pass: eval.Pass(pass)},
		Against: eval.RunID(against),
	}
}

// stream is the part of a key that acts of one annotator in one queue share.
func stream(q annotate.QueueName, who annotate.Annotator) []byte {
	return appendName(appendName(nil, string(q)), string(who))
}

// Append commits acts in their order, all or none. An act that is stored
// already, word for word, is accepted in silence, so that trying again after
// a lost answer is safe; any other act whose number is not the next one gives
// annotate.ErrConflict. The queue must hold the item, else eval.ErrNotFound. An
// act by which more people would have labelled an item than the queue's
// overlap gives a *annotate.TakenError.
func (a *Acts) Append(ctx context.Context, acts []annotate.Act) error {
	values, size, err := a.encode(acts)
	if err != nil {
		return err
	}
	return a.s.do(ctx, size, func(tx *bbolt.Tx) error { return a.appendAll(tx, acts, values) })
}

// encode gives acts as they will stand in the file, and about how many bytes
// they take there.
func (a *Acts) encode(acts []annotate.Act) (values [][]byte, size int, err error) {
	values = make([][]byte, len(acts))
	for i := range acts {
		if err := checkName("annotator", string(acts[i].Annotator)); err != nil {
			return nil, 0, err
		}
		raw, err := a.s.codec.encode(fromAct(&acts[i]))
		if err != nil {
			return nil, 0, err
		}
		values[i] = raw
		size += 2*len(raw) + 256
	}
	return values, size, nil
}

func (a *Acts) appendAll(tx *bbolt.Tx, acts []annotate.Act, values [][]byte) error {
	for i := range acts {
		if err := a.append(tx, &acts[i], values[i]); err != nil {
			one := &acts[i]
			return fmt.Errorf("append act %d of %s in queue %q: %w", one.N, one.Annotator, one.Queue, err)
		}
	}
	return nil
}

func (a *Acts) append(tx *bbolt.Tx, one *annotate.Act, value []byte) error {
	key := stream(one.Queue, one.Annotator)
	t, err := a.tally(tx, key)
	if err != nil {
		return err
	}
	at := appendU32(clone(key), one.N)
	b := tx.Bucket([]byte(tableActs))
	switch {
	case bytes.Equal(b.Get(at), value):
		return nil
	case one.N != t.Acts+1:
		return fmt.Errorf("act %d comes next: %w", t.Acts+1, annotate.ErrConflict)
	case tx.Bucket([]byte(tableItemKeys)).Get(enrolKey(one.Queue, one.Item)) == nil:
		return fmt.Errorf("item %s: %w", one.Item, eval.ErrNotFound)
	}
	if err := a.count(tx, key, one, &t); err != nil {
		return err
	}
	if err := b.Put(at, value); err != nil {
		return err
	}
	return a.putTally(tx, key, t)
}

func (a *Acts) read(key, raw []byte) (annotate.Act, error) {
	q, rest, ok := cutName(key)
	who, n, named := cutName(rest)
	if !ok || !named || len(n) != 4 {
		return annotate.Act{}, corrupt(tableActs, key, "no key of an act")
	}
	var r actRecord
	if err := a.s.codec.decode(tableActs, key, raw, &r); err != nil {
		return annotate.Act{}, err
	}
	return r.act(annotate.QueueName(q), annotate.Annotator(who), binary.BigEndian.Uint32(n)), nil
}

// Acts gives one annotator's acts in a queue, in order. With an error come
// those that can be read.
func (a *Acts) Acts(q annotate.QueueName, who annotate.Annotator) ([]annotate.Act, error) {
	return collect(records(a.s.scan(context.Background(), tableActs, stream(q, who), nil), a.read))
}

// Stream yields one annotator's acts in a queue, in order, for those who need
// not have them all at once. One that cannot be read yields an error that names
// it, and the scan goes on.
func (a *Acts) Stream(ctx context.Context, q annotate.QueueName, who annotate.Annotator) iter.Seq2[annotate.Act, error] {
	return records(a.s.scan(ctx, tableActs, stream(q, who), nil), a.read)
}

// Act gives one act, or eval.ErrNotFound.
func (a *Acts) Act(q annotate.QueueName, who annotate.Annotator, n uint32) (one annotate.Act, err error) {
	verr := a.s.view(func(tx *bbolt.Tx) error {
		key := appendU32(stream(q, who), n)
		raw := tx.Bucket([]byte(tableActs)).Get(key)
		if raw == nil {
			err = fmt.Errorf("act %d of %s in queue %q: %w", n, who, q, eval.ErrNotFound)
			return nil
		}
		one, err = a.read(key, raw)
		return nil
	})
	return one, errors.Join(verr, err)
}

// QueueActs yields all acts in a queue, annotator by annotator, each in order.
// One that cannot be read yields an error that names it, and the scan goes on.
func (a *Acts) QueueActs(ctx context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return records(a.s.scan(ctx, tableActs, appendName(nil, string(q)), nil), a.read)
}

// Annotators gives everybody who has acted in a queue, by name.
func (a *Acts) Annotators(q annotate.QueueName) ([]annotate.Annotator, error) {
	tallies, err := a.Tally(q)
	return slices.Sorted(maps.Keys(tallies)), err
}
