package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
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

// Append commits acts in their order, all or none. An act that is stored
// already, word for word, is accepted in silence, so that trying again after
// a lost answer is safe; any other act whose number is not the next one gives
// annotate.ErrConflict. An act by which a label stands is kept as informed when
// its person was shown something of the item before. The queue must hold the item, else eval.ErrNotFound. An
// act by which more people would have labelled an item than the queue's
// overlap gives a *annotate.TakenError.
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
	case a.isRepeat(unboundBytes(a.s, record.Acts, tx, at), one, value):
		return nil
	case one.N != t.Acts+1:
		return fmt.Errorf("act %d comes next: %w", t.Acts+1, annotate.ErrConflict)
	case tx.Table(record.TableItemKeys).Get(record.QueueItemKey(one.Queue, one.Item)) == nil:
		return fmt.Errorf("item %s: %w", one.Item, eval.ErrNotFound)
	}
	seen, err := a.countAct(tx, key, one, &t)
	if err != nil {
		return err
	}
	if seen.informed && !one.Informed || seen.decoy != one.Decoy {
		one = seen.markAct(one)
	}
	if err := bindAct(a.s, record.Acts, tx, at, one); err != nil {
		return err
	}
	return a.putTally(tx, key, t)
}

// Acts gives one annotator's acts in a queue, in order. With an error come
// those that can be read.
func (a *Acts) Acts(q annotate.QueueName, who annotate.Annotator) ([]annotate.Act, error) {
	return listUnder(a.s, record.Acts, record.StreamPrefix(q, who))
}

// Stream yields one annotator's acts in a queue, in order, for those who need
// not have them all at once. One that cannot be read yields an error that names
// it, and the scan goes on.
func (a *Acts) Stream(ctx context.Context, q annotate.QueueName, who annotate.Annotator) iter.Seq2[annotate.Act, error] {
	return scanUnder(ctx, a.s, record.Acts, record.StreamPrefix(q, who))
}

// Act gives one act, or eval.ErrNotFound.
func (a *Acts) Act(q annotate.QueueName, who annotate.Annotator, n uint32) (annotate.Act, error) {
	return readOne(a.s, record.Acts, record.AppendU32(record.StreamPrefix(q, who), n))
}

// QueueActs yields all acts in a queue, annotator by annotator, each in order.
// One that cannot be read yields an error that names it, and the scan goes on.
func (a *Acts) QueueActs(ctx context.Context, q annotate.QueueName) iter.Seq2[annotate.Act, error] {
	return scanUnder(ctx, a.s, record.Acts, record.AppendName(nil, string(q)))
}

// Annotators gives everybody who has acted in a queue, by name.
func (a *Acts) Annotators(q annotate.QueueName) ([]annotate.Annotator, error) {
	tallies, err := a.Tallies(q)
	return slices.Sorted(maps.Keys(tallies)), err
}

// Recent gives up to most of one annotator's last acts in a queue, the last
// first, back to the first one that is older than a time.
func (a *Acts) Recent(q annotate.QueueName, who annotate.Annotator, since time.Time, most int) (out []annotate.Act, err error) {
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
func (a *Acts) Heads() (out []annotate.Head, err error) {
	all, err := heads.AllHeads(a.s.file)
	for _, who := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[who].Publish(who))
	}
	return out, err
}

// CheckChains checks everybody's chain of acts, and that the heads that were
// published are in them; those that are no hashes give ErrInvalid. What cannot
// be read is damage, and the rest goes on.
func (a *Acts) CheckChains(ctx context.Context, published []chain.Published) (all []chain.Chain, damage []error, err error) {
	return heads.NewKeeper(a.s.codec).CheckChains(ctx, a.s.file, published)
}
