package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/annotate"
)

// tallyRecord is what a first frame needs of one annotator in one queue. It is
// changed in the transaction of the act that changes it.
type tallyRecord struct {
	Acts     uint32 `cbor:"1,keyasint,omitempty"` // number of the last act
	Labelled int    `cbor:"2,keyasint,omitempty"` // items with a label that stands
	Skipped  int    `cbor:"3,keyasint,omitempty"`
	Flagged  int    `cbor:"4,keyasint,omitempty"`

	who annotate.Annotator
}

func (a *Acts) tally(tx *bbolt.Tx, key []byte) (t tallyRecord, err error) {
	raw := tx.Bucket([]byte(tableTallies)).Get(key)
	if raw == nil {
		return t, nil
	}
	return t, a.s.codec.decode(tableTallies, key, raw, &t)
}

func (a *Acts) putTally(tx *bbolt.Tx, key []byte, t tallyRecord) error {
	raw, err := a.s.codec.encode(t)
	if err != nil {
		return err
	}
	return tx.Bucket([]byte(tableTallies)).Put(key, raw)
}

func (a *Acts) tallies(q annotate.QueueName) ([]tallyRecord, error) {
	pairs := a.s.scan(context.Background(), tableTallies, appendName(nil, string(q)), nil)
	return collect(records(pairs, func(key, raw []byte) (t tallyRecord, err error) {
		_, rest, _ := cutName(key)
		who, _, ok := cutName(rest)
		if !ok {
			return t, corrupt(tableTallies, key, "no annotator")
		}
		t.who = annotate.Annotator(who)
		return t, a.s.codec.decode(tableTallies, key, raw, &t)
	}))
}

// count adds an act to a tally, and to the acts of its item. What an act
// changes hangs only on the acts of one item, so those few are folded, without
// it and with it. An act that takes another back belongs to the item of that
// one, however long the chain of undo and redo is.
func (a *Acts) count(tx *bbolt.Tx, key []byte, one *annotate.Act, t *tallyRecord) error {
	item, err := a.root(tx, key, one)
	if err != nil {
		return err
	}
	acts, err := a.ofItem(tx, key, item)
	if err != nil {
		return err
	}
	before := annotate.Fold(acts)
	after := annotate.Fold(append(acts, *one))
	t.Acts = one.N
	t.Labelled += len(after.Labels) - len(before.Labels)
	t.Skipped += len(after.Skipped) - len(before.Skipped)
	t.Flagged += len(after.Flagged) - len(before.Flagged)
	return tx.Bucket([]byte(tableItemActs)).Put(appendU32(join(key, item), one.N), []byte{})
}

// root is the key of the item that an act is about.
func (a *Acts) root(tx *bbolt.Tx, key []byte, one *annotate.Act) ([]byte, error) {
	for one.Kind == annotate.TookBack {
		if one.Target == 0 || one.Target >= one.N {
			return nil, fmt.Errorf("%w: act %d takes back act %d", ErrInvalid, one.N, one.Target)
		}
		target, err := a.one(tx, key, one.Target)
		if err != nil {
			return nil, err
		}
		one = &target
	}
	return predictionKey(one.Item), nil
}

// one reads an act within a transaction.
func (a *Acts) one(tx *bbolt.Tx, key []byte, n uint32) (annotate.Act, error) {
	at := appendU32(clone(key), n)
	return a.read(at, tx.Bucket([]byte(tableActs)).Get(at))
}

// ofItem gives the acts of one annotator that belong to an item, in order.
func (a *Acts) ofItem(tx *bbolt.Tx, key, item []byte) ([]annotate.Act, error) {
	prefix := join(key, item)
	var acts []annotate.Act
	c := tx.Bucket([]byte(tableItemActs)).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		one, err := a.one(tx, key, binary.BigEndian.Uint32(k[len(prefix):]))
		if err != nil {
			return nil, err
		}
		acts = append(acts, one)
	}
	return acts, nil
}
