package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"

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

// labelMark is what one person's label of an item, if there is one, adds to its
// crowd.
type labelMark struct {
	stands  bool
	reading annotate.Reading
	decoy   bool
}

func (m *labelMark) contribution() annotate.Contribution {
	l := annotate.Label{Reading: m.reading, Decoy: m.decoy}
	return l.Contribution()
}

func markOf(labels map[annotate.ItemKey]annotate.Label) (m labelMark) {
	for _, l := range labels {
		m = labelMark{true, l.Reading, l.Decoy}
	}
	return m
}

// updateCrowd takes an act's change into the crowd of an item: those people whose
// label of it stands. There are as many places as the item wants people:
// taking back a label frees one. It reports whether the label is a decoy.
func (a *Acts) updateCrowd(tx *file.Tx, one *annotate.Act, item []byte, before, after labelMark) (decoy bool, err error) {
	if reflect.DeepEqual(before, after) {
		return after.decoy, nil
	}
	q, err := a.s.Queues().readQueue(tx, one.Queue)
	if err != nil {
		return false, err
	}
	b := tx.Table(record.TablePlaces)
	key := append(record.AppendName(nil, string(one.Queue)), item...)
	var have annotate.Crowd
	if raw := b.Get(key); raw != nil {
		if have, err = record.ReadCrowd(key, raw); err != nil {
			return false, err
		}
	}
	known := tx.Table(record.TableGoldItems).Get(key) != nil
	if after.stands && !before.stands && have.People >= q.PeopleAsked(one.Item, have.Differs(), known) {
		return false, &annotate.TakenError{N: one.N, Item: one.Item}
	}
	switch {
	case before.stands:
		have.AddContribution(before.contribution(), -1)
		after.decoy = before.decoy
	case one.Kind == annotate.Labelled:
		after.decoy = q.IsSpareLabel(have, known)
	}
	if after.stands {
		have.AddContribution(after.contribution(), 1)
	}
	if q.Extra == 0 {
		have.Classes = nil
	}
	if have.People <= 0 {
		return false, b.Delete(key)
	}
	return after.decoy, b.Put(key, record.EncodeCrowd(have))
}

// Crowds gives whose label of an item stands, of those items of a queue that
// anybody has labelled. Classes are kept in queues that ask for extra people.
func (a *Acts) Crowds(q annotate.QueueName) (map[annotate.ItemKey]annotate.Crowd, error) {
	out := make(map[annotate.ItemKey]annotate.Crowd)
	for p, err := range a.s.file.Scan(context.Background(), record.TablePlaces, record.AppendName(nil, string(q)), nil) {
		if err != nil {
			return out, err
		}
		k, ok := record.CutItem(p.Key)
		if !ok {
			return out, record.NewCorruptError(record.TablePlaces, p.Key, "no key of an item")
		}
		if out[k], err = record.ReadCrowd(p.Key, p.Value); err != nil {
			return out, err
		}
	}
	return out, nil
}

// RecordSides notes that pairs of a queue, on which nobody has voted here, were seen
// swapped by so many more people elsewhere than not, so that the order in which
// they are shown is balanced over those, too.
func (a *Acts) RecordSides(ctx context.Context, q annotate.QueueName, sides map[annotate.ItemKey]int) error {
	if len(sides) == 0 {
		return nil
	}
	return a.s.file.Apply(ctx, 64*len(sides), func(tx *file.Tx) error {
		b := tx.Table(record.TablePlaces)
		for k, n := range sides {
			if err := b.Put(record.QueueItemKey(q, k), record.EncodeCrowd(annotate.Crowd{Sides: n})); err != nil {
				return err
			}
		}
		return nil
	})
}

// CountLabels gives how many people's label stands of each item of a queue that
// anybody has labelled.
func (a *Acts) CountLabels(q annotate.QueueName) (map[annotate.ItemKey]int, error) {
	places, _, err := a.CountLabelsAndSides(q)
	return places, err
}

// CountLabelsAndSides gives the same in one scan with the sides of pairs: by how many more
// people's standing votes on an item were given on the pair swapped than not;
// balanced ones are left out.
func (a *Acts) CountLabelsAndSides(q annotate.QueueName) (places, sides map[annotate.ItemKey]int, err error) {
	crowds, err := a.Crowds(q)
	places, sides = make(map[annotate.ItemKey]int, len(crowds)), make(map[annotate.ItemKey]int)
	for k, c := range crowds {
		places[k] = c.People
		if c.Sides != 0 {
			sides[k] = c.Sides
		}
	}
	return places, sides, err
}
