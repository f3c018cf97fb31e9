package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Queues keeps queues and what is enrolled in them.
type Queues struct{ s *Store }

// Queues is the handle of queues.
func (s *Store) Queues() *Queues { return &Queues{s} }

// putQueue writes a queue's own record.
func (q *Queues) putQueue(tx *file.Tx, one annotate.Queue) error {
	one.Rule.Listed = cmp.Or(len(one.Rule.IDs), one.Rule.Listed)
	return putValue(q.s, record.Queues, tx, &one)
}

// readQueue reads a queue within a transaction.
func (q *Queues) readQueue(tx *file.Tx, name annotate.QueueName) (annotate.Queue, error) {
	one, err := readByName(q.s, record.Queues, tx, string(name))
	return withCurrentGuideline(one), err
}

// withCurrentGuideline gives a queue with the guideline in force. Before there were versions a queue
// had the one that it was made with.
func withCurrentGuideline(q annotate.Queue) annotate.Queue {
	if g := &q.Guideline; g.Text != "" && g.Version == 0 {
		*g = annotate.Guideline{Version: 1, Text: g.Text, By: q.By, At: q.Created}
	}
	return q
}

// listReadableNames lists the names under which a table has something, of those that can be read.
func listReadableNames(t *file.Table) (out []string) {
	for p, err := range t.ScanPrefix(nil) {
		if err == nil {
			out = append(out, string(p.Key))
		}
	}
	return out
}

// Queue gives eval.ErrNotFound when there is none of that name.
func (q *Queues) Queue(name annotate.QueueName) (annotate.Queue, error) {
	return readInTx(q.s, func(tx *file.Tx) (annotate.Queue, error) { return q.readQueue(tx, name) })
}

// List gives all queues by name, with the counts of their items, and cheaply: the ids that
// rules ask for are left to IDs. With an error come those that can be read.
func (q *Queues) List() ([]annotate.Queue, error) {
	all, err := listPrefix(q.s, record.Queues, nil)
	return eval.Map(all, withCurrentGuideline), err
}

// FinishGrowing has a queue grow no further. Its rule was frozen from the start.
func (q *Queues) FinishGrowing(ctx context.Context, name annotate.QueueName) error {
	return q.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		one, err := q.readQueue(tx, name)
		if err != nil {
			return file.NewRejection(err)
		}
		one.Growing = false
		return q.putQueue(tx, one)
	})
}

// SetGuideline puts a version in force; the one before it is kept. It gives annotate.ErrConflict for
// one that does not follow that in force: somebody else has written one meanwhile.
func (q *Queues) SetGuideline(ctx context.Context, name annotate.QueueName, g annotate.Guideline) error {
	return q.s.file.Apply(ctx, 2*len(g.Text), func(tx *file.Tx) error {
		one, err := q.readQueue(tx, name)
		if err != nil {
			return file.NewRejection(err)
		}
		if was := one.Guideline; was.Version+1 != g.Version {
			return file.NewRejection(fmt.Errorf("guideline %d of queue %s: version %d is in force: %w", g.Version, name, was.Version, annotate.ErrConflict))
		}
		if was := one.Guideline; was.Version > 0 { // it is in force no more, and kept
			if err := putUnderKey(q.s, record.Guidelines, tx, record.GuidelineKey(name, was.Version), &was); err != nil {
				return err
			}
		}
		one.Guideline = g
		return q.putQueue(tx, one)
	})
}

// Guidelines gives all versions of a queue's guideline, the one in force last;
// none where there has never been one.
func (q *Queues) Guidelines(name annotate.QueueName) ([]annotate.Guideline, error) {
	one, err := q.Queue(name)
	if err != nil {
		return nil, err
	}
	out, err := listPrefix(q.s, record.Guidelines, record.AppendName(nil, string(name)))
	if one.Guideline.Version > 0 {
		out = append(out, one.Guideline)
	}
	return out, err
}

// Drafts keeps the next versions of guidelines while people write them.
type Drafts struct{ s *Store }

// Drafts is the handle of drafts.
func (s *Store) Drafts() *Drafts { return &Drafts{s} }

// SaveGuidelineDraft keeps what a person has written of a queue's next guideline; an empty text removes it.
func (d *Drafts) SaveGuidelineDraft(ctx context.Context, name annotate.QueueName, who annotate.Annotator, text string, at time.Time) error {
	if err := record.CheckName("annotator", string(who)); err != nil {
		return err
	}
	return d.s.file.Apply(ctx, len(text)+128, func(tx *file.Tx) error {
		drafts, key := tx.Table(record.TableDrafts), record.StreamPrefix(name, who)
		if text == "" {
			return drafts.Delete(key)
		}
		if _, err := d.s.Queues().readQueue(tx, name); err != nil {
			return file.NewRejection(err)
		}
		return putUnderKey(d.s, record.Drafts, tx, key, &annotate.Guideline{Text: text, By: who, At: at})
	})
}

// GuidelineDraft gives what a person has written of a queue's next guideline; "" where there is nothing.
func (d *Drafts) GuidelineDraft(name annotate.QueueName, who annotate.Annotator) (string, error) {
	one, err := readOne(d.s, record.Drafts, record.StreamPrefix(name, who))
	if errors.Is(err, eval.ErrNotFound) {
		err = nil
	}
	return one.Text, err
}

// queueBatch is how many items of a new queue are committed at a time.
const queueBatch = 20_000

// CreateQueue makes a queue of items, numbered in their order; of two items with one key the first
// counts. The queue is there, whole, once CreateQueue returns, and not at all before. It gives
// annotate.ErrQueueExists when the name is taken. GoldItems are the items whose answer is known.
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
	err := q.putInBatches(ctx, len(golds), func(tx *file.Tx, i int) error {
		return putUnderKey(q.s, record.GoldItems, tx, record.QueueItemKey(one.Name, golds[i].Key), &golds[i])
	})
	if err != nil {
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
			if added, err = q.appendNewItems(tx, one.Name, one.Items, items[:n]); err != nil || !last {
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
	return q.putInBatches(ctx, len(ids), func(tx *file.Tx, i int) error {
		b := tx.Table(record.TableQueueIDs)
		b.FillPercent = appendFill
		return b.Put(record.ItemKey(name, i), []byte(ids[i]))
	})
}

// putInBatches commits what belongs to a new queue, which may be more than one transaction takes.
func (q *Queues) putInBatches(ctx context.Context, n int, put func(tx *file.Tx, i int) error) error {
	for from := 0; from < n; from += queueBatch {
		to := min(from+queueBatch, n)
		err := q.s.file.Apply(ctx, (to-from)*100, func(tx *file.Tx) error {
			for i := from; i < to; i++ {
				if err := put(tx, i); err != nil {
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

// AppendItems appends items to a growing queue and says how many it did not hold; items that it
// holds are left alone, so that enrolling again after a crash is safe. population is how many
// predictions the rule's filter has found in all so far; it never lowers what is stored. A
// finished queue takes nothing new and gives ErrFinished.
func (q *Queues) AppendItems(ctx context.Context, name annotate.QueueName, items []annotate.QueueItem, population int) (added int, err error) {
	err = q.s.file.Apply(ctx, len(items)*100, func(tx *file.Tx) error {
		one, err := q.readQueue(tx, name)
		if err != nil {
			return file.NewRejection(err)
		}
		if added, err = q.appendNewItems(tx, name, one.Items, items); err != nil {
			return err
		}
		if !one.Growing && (added > 0 || population > one.Population) {
			return fmt.Errorf("add to queue %q: %w", name, ErrFinished)
		}
		one.Items += added
		one.Population = max(one.Population, population)
		return q.putQueue(tx, one)
	})
	return eval.Either(err != nil, 0, added), err
}

// appendNewItems writes the items that the queue does not hold, numbered from next.
func (q *Queues) appendNewItems(tx *file.Tx, name annotate.QueueName, next int, items []annotate.QueueItem) (added int, err error) {
	keys := tx.Table(record.TableItemKeys)
	tx.Table(record.TableItems).FillPercent = appendFill
	for i := range items {
		it := &items[i]
		key := record.QueueItemKey(name, it.Key)
		if keys.Get(key) != nil {
			continue
		}
		index := next + added
		if err := putUnderKey(q.s, record.Items, tx, record.ItemKey(name, index), it); err != nil {
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
	return scanColumns(ctx, q.s, record.Items, record.AppendName(nil, string(name)), itemLayout, nil)
}

// ItemsOfSample gives what a queue asks about one sample, in whatever pass and by whatever
// model: nothing when it asks nothing. It is one look-up, however large the queue is.
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

// IndexOfItem gives the index of an item in a queue, or eval.ErrNotFound.
func (q *Queues) IndexOfItem(name annotate.QueueName, k annotate.ItemKey) (int, error) {
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

// GoldItems gives the items of a queue whose answer is known, in the order of their keys. It is
// for reports, exports and what keeps them hidden, never for a screen on which people label.
func (q *Queues) GoldItems(name annotate.QueueName) ([]annotate.Gold, error) {
	return listPrefix(q.s, record.GoldItems, record.AppendName(nil, string(name)))
}
