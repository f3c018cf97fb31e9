package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"time"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/eval"
	"concord/store/file"
	"concord/store/heads"
	"concord/store/record"
)

// Acts keeps what people did, act by act.
type Acts struct{ s *Store }

// Acts is the handle of acts.
func (s *Store) Acts() *Acts { return &Acts{s} }

// Append commits acts in their order, all or none. An act that is stored already, word for word, is accepted in
// silence, so that trying again after a lost answer is safe; any other act whose number is not the next one gives
// annotate.ErrConflict. An act by which a label stands is kept as informed when its person was shown something of the
// item before. The queue must hold the item, else eval.ErrNotFound. An act by which more people would have labelled
// an item than the queue's overlap gives a *annotate.TakenError.
func (a *Acts) Append(ctx context.Context, acts []annotate.Act) error {
	return appendActs(ctx, a.s, record.Acts, acts, nil, a.appendAct)
}

func (a *Acts) appendAct(tx *file.Tx, one *annotate.Act, value []byte) error {
	key := record.StreamPrefix(one.Queue, one.Annotator)
	t, err := a.readTally(tx, key)
	if err != nil {
		return err
	}
	at := record.AppendU32(file.Clone(key), one.N)
	switch {
	case a.isStoredAct(unboundBytes(a.s, record.Acts, tx, at), one, value):
		return nil
	case one.N != t.Acts+1:
		return fmt.Errorf("act %d comes next: %w", t.Acts+1, annotate.ErrConflict)
	case tx.Table(record.TableItemKeys).Get(record.QueueItemKey(one.Queue, one.Item)) == nil:
		return fmt.Errorf("item %s: %w", one.Item, eval.ErrNotFound)
	}
	seen, err := a.addActToTally(tx, key, one, &t)
	if err != nil {
		return err
	}
	if seen.informed && !one.Informed || seen.decoy != one.Decoy {
		one = seen.markAct(one)
	}
	if err := putChainedAct(a.s, record.Acts, tx, at, one); err != nil {
		return err
	}
	return a.putTally(tx, key, t)
}

// Acts gives one annotator's acts in a queue, in order. With an error come those that can be read.
func (a *Acts) Acts(q annotate.QueueName, who annotate.Annotator) ([]annotate.Act, error) {
	return listPrefix(a.s, record.Acts, record.StreamPrefix(q, who))
}

// StreamActs yields one annotator's acts in a queue, in order, for those who need not have them all
// at once. One that cannot be read yields an error that names it, and the scan goes on.
func (a *Acts) StreamActs(ctx context.Context, q annotate.QueueName, who annotate.Annotator) iter.Seq2[annotate.Act, error] {
	return scanPrefix(ctx, a.s, record.Acts, record.StreamPrefix(q, who))
}

// Act gives one act, or eval.ErrNotFound.
func (a *Acts) Act(q annotate.QueueName, who annotate.Annotator, n uint32) (annotate.Act, error) {
	return readOne(a.s, record.Acts, record.AppendU32(record.StreamPrefix(q, who), n))
}

// QueueActs yields all acts in a queue, annotator by annotator, each in order.
// One that cannot be read yields an error that names it, and the scan goes on.
func (a *Acts) QueueActs(ctx context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return scanColumns(ctx, a.s, record.Acts, record.AppendName(nil, string(q)), actLayout, nil)
}

// Annotators gives everybody who has acted in a queue, by name.
func (a *Acts) Annotators(q annotate.QueueName) ([]annotate.Annotator, error) {
	tallies, err := a.Tallies(q)
	return slices.Sorted(maps.Keys(tallies)), err
}

// RecentActs gives up to most of one annotator's last acts in a queue, the last
// first, back to the first one that is older than a time.
func (a *Acts) RecentActs(q annotate.QueueName, who annotate.Annotator, since time.Time, most int) (out []annotate.Act, err error) {
	prefix := record.StreamPrefix(q, who)
	verr := a.s.file.View(func(tx *file.Tx) error {
		t, terr := a.readTally(tx, prefix)
		if terr != nil {
			return terr
		}
		if most <= 0 {
			return nil
		}
		for p, rerr := range tx.Table(record.TableActs).ScanDown(prefix, record.AppendU32(file.Clone(prefix), t.Acts)) {
			var one annotate.Act
			if rerr == nil {
				one, rerr = decodeRecord(a.s, record.Acts, p.Key, p.Value)
			}
			if rerr != nil {
				err = errors.Join(err, rerr)
				continue
			}
			if one.At.Before(since) {
				return nil
			}
			if out = append(out, one); len(out) == most {
				return nil
			}
		}
		return nil
	})
	return out, errors.Join(verr, err)
}

// Heads gives the head of everybody's chain of acts, by name.
func (a *Acts) Heads() ([]annotate.Head, error) {
	all, err := heads.AllHeads(a.s.file)
	return eval.Map(slices.Sorted(maps.Keys(all)), func(who annotate.Annotator) annotate.Head {
		return annotate.Head{Person: who, Acts: all[who].Place, Hash: all[who].Hash.String()}
	}), err
}

// CheckChains checks everybody's chain of acts, and that the heads that were published are in them;
// those that are no hashes give ErrInvalid. What cannot be read is damage, and the rest goes on.
func (a *Acts) CheckChains(ctx context.Context, published []chain.Published) (all []chain.Chain, damage []error, err error) {
	return heads.NewKeeper(a.s.codec).CheckChains(ctx, a.s.file, published)
}

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
	raw, err := a.s.codec.Encode(t)
	if err != nil {
		return err
	}
	return tx.Table(record.TableTallies).Put(key, raw)
}

// Tallies gives where each annotator stands in a queue. With an error come those that can be read.
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

// addActToTally adds an act to a tally, and to the acts of its item. What an act changes hangs only
// on the acts of one item, so those few are folded, without it and with it. An act that takes
// another back belongs to the item of that one, however long the chain of undo and redo is.
func (a *Acts) addActToTally(tx *file.Tx, key []byte, one *annotate.Act, t *Tally) (seen priorDisclosure, err error) {
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
	decoy, err := a.updateCrowd(tx, one, item, labelMarkOf(before.Labels), labelMarkOf(after.Labels))
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
	err := eval.EachRead(tx.Table(record.TableItemActs).ScanPrefix(prefix), func(p file.Pair) error {
		one, err := getRecord(a.s, record.Acts, tx, record.AppendU32(file.Clone(key), binary.BigEndian.Uint32(p.Key[len(prefix):])))
		acts = append(acts, one)
		return err
	})
	return acts, err
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

// labelMark is what one person's label of an item, if there is one, adds to its crowd.
type labelMark struct {
	stands  bool
	reading annotate.Reading
	decoy   bool
}

func (m *labelMark) contribution() annotate.Contribution {
	l := annotate.Label{Reading: m.reading, Decoy: m.decoy}
	return l.Contribution()
}

func labelMarkOf(labels map[annotate.ItemKey]annotate.Label) (m labelMark) {
	for _, l := range labels {
		m = labelMark{true, l.Reading, l.Decoy}
	}
	return m
}

// updateCrowd takes an act's change into the crowd of an item: those people whose label of it stands. There are as
// many places as the item wants people: taking back a label frees one. It reports whether the label is a decoy.
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
	err := eval.EachRead(a.s.file.Scan(context.Background(), record.TablePlaces, record.AppendName(nil, string(q)), nil), func(p file.Pair) (err error) {
		k, ok := record.CutItem(p.Key)
		if !ok {
			return record.NewCorruptError(record.TablePlaces, p.Key, "no key of an item")
		}
		out[k], err = record.ReadCrowd(p.Key, p.Value)
		return err
	})
	return out, err
}

// RecordSides notes that pairs of a queue, on which nobody has voted here, were seen swapped by so many
// more people elsewhere than not, so that the order in which they are shown is balanced over those, too.
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

// CountLabels gives how many people's label stands of each item of a queue that anybody has labelled.
func (a *Acts) CountLabels(q annotate.QueueName) (map[annotate.ItemKey]int, error) {
	places, _, err := a.CountLabelsAndSides(q)
	return places, err
}

// CountLabelsAndSides gives the same in one scan with the sides of pairs: by how many more people's
// standing votes on an item were given on the pair swapped than not; balanced ones are left out.
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
