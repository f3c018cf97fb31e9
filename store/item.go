package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// queueBatch is how many items of a new queue are committed at a time.
const queueBatch = 20_000

// CreateQueue makes a queue of items, numbered in their order; of two items
// with one key the first counts. The queue is there, whole, once CreateQueue
// returns, and not at all before. It gives annotate.ErrQueueExists when the
// name is taken. GoldItems are the items whose answer is known.
func (q *Queues) CreateQueue(ctx context.Context, one annotate.Queue, items []annotate.QueueItem, golds ...annotate.Gold) error {
	if err := record.CheckName("queue", string(one.Name)); err != nil {
		return err
	}
	q.s.creating.Lock()
	defer q.s.creating.Unlock()
	if _, err := q.Queue(one.Name); !errors.Is(err, eval.ErrNotFound) {
		if err != nil {
			return err
		}
		return fmt.Errorf("create queue %q: %w", one.Name, annotate.ErrQueueExists)
	}
	// What a crash has left of an earlier attempt at this name.
	for _, t := range []record.Table{record.TableQueueIDs, record.TableItems, record.TableItemKeys, record.TableGoldItems} {
		if err := q.s.file.Remove(ctx, t, record.AppendName(nil, string(one.Name))); err != nil {
			return fmt.Errorf("create queue %q: %w", one.Name, err)
		}
	}
	if one.Created.IsZero() {
		one.Created = q.s.now()
	}
	one.Items, one.GoldItems = 0, len(golds)
	if err := q.putGoldItems(ctx, one.Name, golds); err != nil {
		return fmt.Errorf("create queue %q: %w", one.Name, err)
	}
	if err := q.putAskedIDs(ctx, one.Name, one.Rule.IDs); err != nil {
		return fmt.Errorf("create queue %q: %w", one.Name, err)
	}
	for {
		n := min(len(items), queueBatch)
		last := n == len(items)
		var added int
		err := q.s.file.Apply(ctx, n*100, func(tx *file.Tx) (err error) {
			if added, err = q.appendItems(tx, one.Name, one.Items, items[:n]); err != nil || !last {
				return err
			}
			whole := one
			whole.Items += added
			return q.putQueue(tx, whole)
		})
		if err != nil {
			return fmt.Errorf("create queue %q: %w", one.Name, err)
		}
		one.Items += added
		if items = items[n:]; last {
			return nil
		}
	}
}

// putAskedIDs keeps the ids that a queue's rule asks for.
func (q *Queues) putAskedIDs(ctx context.Context, name annotate.QueueName, ids []eval.SampleID) error {
	next := uint32(0)
	for part := range slices.Chunk(ids, queueBatch) {
		from := next
		err := q.s.file.Apply(ctx, len(part)*100, func(tx *file.Tx) error {
			b := tx.Table(record.TableQueueIDs)
			b.FillPercent = appendFill
			for i, id := range part {
				if err := b.Put(record.ItemKey(name, int(from)+i), []byte(id)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		next += uint32(len(part))
	}
	return nil
}

// AppendItems appends items to a growing queue and says how many it did not hold;
// items that it holds are left alone, so that enrolling again after a crash
// is safe. population is how many predictions the rule's filter has found in
// all so far; it never lowers what is stored. A finished queue takes nothing
// new and gives ErrFinished.
func (q *Queues) AppendItems(ctx context.Context, name annotate.QueueName, items []annotate.QueueItem, population int) (added int, err error) {
	err = q.s.file.Apply(ctx, len(items)*100, func(tx *file.Tx) error {
		one, err := q.readQueue(tx, name)
		if err != nil {
			return file.Reject(err)
		}
		if added, err = q.appendItems(tx, name, one.Items, items); err != nil {
			return err
		}
		if !one.Growing && (added > 0 || population > one.Population) {
			return fmt.Errorf("add to queue %q: %w", name, ErrFinished)
		}
		one.Items += added
		one.Population = max(one.Population, population)
		return q.putQueue(tx, one)
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// appendItems writes the items that the queue does not hold, numbered from next.
func (q *Queues) appendItems(tx *file.Tx, name annotate.QueueName, next int, items []annotate.QueueItem) (added int, err error) {
	keys := tx.Table(record.TableItemKeys)
	tx.Table(record.TableItems).FillPercent = appendFill
	for i := range items {
		it := &items[i]
		key := record.QueueItemKey(name, it.Key)
		if keys.Get(key) != nil {
			continue
		}
		index := next + added
		if err := putAt(q.s, record.Items, tx, record.ItemKey(name, index), it); err != nil {
			return 0, fmt.Errorf("add %s: %w", it.Key, err)
		}
		if err := keys.Put(key, record.AppendU32(nil, uint32(index))); err != nil {
			return 0, fmt.Errorf("add %s: %w", it.Key, err)
		}
		added++
	}
	return added, nil
}

// QueueItems yields the items of a queue in the order of enrolment. One that
// cannot be read yields an error that names it, and the scan goes on.
func (q *Queues) QueueItems(ctx context.Context, name annotate.QueueName) iter.Seq2[annotate.QueueItem, error] {
	return scanUnder(ctx, q.s, record.Items, record.AppendName(nil, string(name)))
}

// ItemsOfSample gives what a queue asks about one sample, in whatever pass and by
// whatever model: nothing when it asks nothing. It is one look-up, however
// large the queue is.
func (q *Queues) ItemsOfSample(name annotate.QueueName, o eval.Ordinal) ([]annotate.ItemKey, error) {
	prefix := record.AppendU32(record.AppendName(nil, string(name)), uint32(o))
	pairs := q.s.file.Scan(context.Background(), record.TableItemKeys, prefix, nil)
	return file.Collect(file.DecodeRecords(pairs, func(key, _ []byte) (annotate.ItemKey, error) {
		k, ok := record.CutItem(key[len(prefix)-4:])
		if !ok {
			return k, record.NewCorruptError(record.TableItemKeys, key, "no key of an item")
		}
		return k, nil
	}))
}

// QueueItem gives eval.ErrNotFound for an index that the queue does not have.
func (q *Queues) QueueItem(name annotate.QueueName, index int) (annotate.QueueItem, error) {
	return readInTx(q.s, func(tx *file.Tx) (annotate.QueueItem, error) { return q.readItem(tx, name, index) })
}

func (q *Queues) readItem(tx *file.Tx, name annotate.QueueName, index int) (annotate.QueueItem, error) {
	if index < 0 {
		return annotate.QueueItem{}, fmt.Errorf("item %d of queue %q: %w", index, name, eval.ErrNotFound)
	}
	return getRecord(q.s, record.Items, tx, record.ItemKey(name, index))
}

// IndexOf gives the index of an item in a queue, or eval.ErrNotFound.
func (q *Queues) IndexOf(name annotate.QueueName, k annotate.ItemKey) (int, error) {
	raw, err := q.s.file.Get(record.TableItemKeys, record.QueueItemKey(name, k))
	if err != nil {
		return 0, err
	}
	n, ok := record.DecodeNumber(raw)
	if !ok {
		return 0, fmt.Errorf("item %s in queue %q: %w", k, name, eval.ErrNotFound)
	}
	return int(n), nil
}

// putGoldItems keeps the items of a queue whose answer is known, before the queue is
// there itself.
func (q *Queues) putGoldItems(ctx context.Context, name annotate.QueueName, golds []annotate.Gold) error {
	for part := range slices.Chunk(golds, queueBatch) {
		err := q.s.file.Apply(ctx, len(part)*100, func(tx *file.Tx) error {
			for i := range part {
				if err := putAt(q.s, record.GoldItems, tx, record.QueueItemKey(name, part[i].Key), &part[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// GoldItems gives the items of a queue whose answer is known, in the order of
// their keys. It is for reports, exports and what keeps them hidden, never for
// a screen on which people label.
func (q *Queues) GoldItems(name annotate.QueueName) ([]annotate.Gold, error) {
	return listUnder(q.s, record.GoldItems, record.AppendName(nil, string(name)))
}
