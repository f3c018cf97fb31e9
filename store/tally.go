package store

import (
	"context"
	"encoding/binary"
	"fmt"

	"concord/annotate"
	"concord/store/file"
	"concord/store/record"
)

// Tally is what a first frame needs of one annotator in one queue. It is kept
// in the transaction of the act that changes it.
type Tally = record.Tally

func (a *Acts) readTally(tx *file.Tx, key []byte) (t Tally, err error) {
	raw := tx.Table(record.TableTallies).Get(key)
	if raw == nil {
		return t, nil
	}
	return t, a.s.codec.Decode(record.TableTallies, key, raw, &t)
}

func (a *Acts) putTally(tx *file.Tx, key []byte, t Tally) error {
	return a.s.putRecord(tx, record.TableTallies, key, t)
}

// Tallies gives where each annotator stands in a queue. With an error come those
// that can be read.
func (a *Acts) Tallies(q annotate.QueueName) (map[annotate.Annotator]Tally, error) {
	all := make(map[annotate.Annotator]Tally)
	var first error
	for p, err := range a.s.file.Scan(context.Background(), record.TableTallies, record.AppendName(nil, string(q)), nil) {
		var t Tally
		var who string
		if err == nil {
			_, rest, _ := record.CutName(p.Key)
			who, _, _ = record.CutName(rest)
			err = a.s.codec.Decode(record.TableTallies, p.Key, p.Value, &t)
		}
		switch {
		case err == nil:
			all[annotate.Annotator(who)] = t
		case first == nil:
			first = err
		}
	}
	return all, first
}

// countAct adds an act to a tally, and to the acts of its item. What an act
// changes hangs only on the acts of one item, so those few are folded, without
// it and with it. An act that takes another back belongs to the item of that
// one, however long the chain of undo and redo is.
func (a *Acts) countAct(tx *file.Tx, key []byte, one *annotate.Act, t *Tally) (seen priorDisclosure, err error) {
	item, err := a.itemKeyOf(tx, key, one)
	if err != nil {
		return seen, err
	}
	acts, err := a.actsOfItem(tx, key, item)
	if err != nil {
		return seen, err
	}
	before := annotate.FoldActs(acts)
	after := annotate.FoldActs(append(acts, *one))
	decoy, err := a.updateCrowd(tx, one, item, markOf(before.Labels), markOf(after.Labels))
	if err != nil {
		return seen, err
	}
	if seen, err = a.findPriorDisclosure(tx, one, &before, &after); err != nil {
		return seen, err
	}
	seen.decoy = decoy && one.Kind == annotate.Labelled
	t.Acts = one.N
	t.Labelled += len(after.Labels) - len(before.Labels)
	t.Skipped += len(after.Skipped) - len(before.Skipped)
	t.Flagged += len(after.Flagged) - len(before.Flagged)
	return seen, tx.Table(record.TableItemActs).Put(record.AppendU32(record.JoinKeys(key, item), one.N), []byte{})
}

// itemKeyOf is the key of the item that an act is about.
func (a *Acts) itemKeyOf(tx *file.Tx, key []byte, one *annotate.Act) ([]byte, error) {
	for one.Kind == annotate.TookBack {
		if one.Target == 0 || one.Target >= one.N {
			return nil, fmt.Errorf("%w: act %d takes back act %d", ErrInvalid, one.N, one.Target)
		}
		target, err := getRecord(a.s, record.Acts, tx, record.AppendU32(file.Clone(key), one.Target))
		if err != nil {
			return nil, err
		}
		one = &target
	}
	return record.AppendItem(nil, one.Item), nil
}

// actsOfItem gives the acts of one annotator that belong to an item, in order.
func (a *Acts) actsOfItem(tx *file.Tx, key, item []byte) ([]annotate.Act, error) {
	prefix := record.JoinKeys(key, item)
	var acts []annotate.Act
	for p, err := range tx.Table(record.TableItemActs).ScanPrefix(prefix) {
		if err != nil {
			return nil, err
		}
		one, err := getRecord(a.s, record.Acts, tx, record.AppendU32(file.Clone(key), binary.BigEndian.Uint32(p.Key[len(prefix):])))
		if err != nil {
			return nil, err
		}
		acts = append(acts, one)
	}
	return acts, nil
}

// LastNumbers gives the number of the last act of everybody who acted in a queue.
func (a *Acts) LastNumbers(q annotate.QueueName) (map[annotate.Annotator]int, error) {
	all, err := a.Tallies(q)
	if err != nil {
		return nil, err
	}
	out := make(map[annotate.Annotator]int, len(all))
	for who, t := range all {
		out[who] = int(t.Acts)
	}
	return out, nil
}
