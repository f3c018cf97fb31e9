package store

import (
	"context"
	"slices"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/store/record"
)

// know keeps the items of a queue whose answer is known, before the queue is
// there itself.
func (q *Queues) know(ctx context.Context, name annotate.QueueName, golds []annotate.Gold) error {
	for part := range slices.Chunk(golds, queueBatch) {
		err := q.s.do(ctx, len(part)*100, func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte(record.TableGolds))
			for i := range part {
				raw, err := q.s.codec.Encode(record.FromGold(part[i]))
				if err != nil {
					return err
				}
				if err := b.Put(record.EnrolKey(name, part[i].Key), raw); err != nil {
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

// Golds gives the items of a queue whose answer is known, in the order of
// their keys. It is for reports, exports and what keeps them hidden, never for
// a screen on which people label.
func (q *Queues) Golds(name annotate.QueueName) ([]annotate.Gold, error) {
	pairs := q.s.scan(context.Background(), record.TableGolds, record.AppendName(nil, string(name)), nil)
	return collect(records(pairs, func(key, raw []byte) (annotate.Gold, error) {
		var r record.Gold
		if err := q.s.codec.Decode(record.TableGolds, key, raw, &r); err != nil {
			return annotate.Gold{}, err
		}
		k, ok := record.CutItem(key)
		if !ok {
			return annotate.Gold{}, record.Corrupt(record.TableGolds, key, "no key of an item")
		}
		return r.Gold(k), nil
	}))
}
