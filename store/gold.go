package store

import (
	"context"
	"slices"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/eval"
)

// goldRecord is the known answer of an item, which stands in the key.
type goldRecord struct {
	Verdict uint8  `cbor:"1,keyasint,omitempty"`
	Choice  string `cbor:"2,keyasint,omitempty"`
	Score   int    `cbor:"3,keyasint,omitempty"`
	Vote    uint8  `cbor:"4,keyasint,omitempty"`
	Swapped bool   `cbor:"5,keyasint,omitempty"`
	From    string `cbor:"6,keyasint,omitempty"`
}

func fromGold(g annotate.Gold) goldRecord {
	r := g.Reading
	return goldRecord{
		Verdict: uint8(r.Verdict), Choice: string(r.Choice), Score: r.Score, Vote: uint8(r.Vote), Swapped: r.Swapped, From: g.From,
	}
}

func (r goldRecord) gold(k annotate.ItemKey) annotate.Gold {
	return annotate.Gold{Key: k, From: r.From, Reading: annotate.Reading{
		Verdict: annotate.Verdict(r.Verdict), Choice: eval.Choice(r.Choice), Score: r.Score, Vote: eval.Vote(r.Vote), Swapped: r.Swapped,
	}}
}

// know keeps the items of a queue whose answer is known, before the queue is
// there itself.
func (q *Queues) know(ctx context.Context, name annotate.QueueName, golds []annotate.Gold) error {
	for part := range slices.Chunk(golds, queueBatch) {
		err := q.s.do(ctx, len(part)*100, func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte(tableGolds))
			for i := range part {
				raw, err := q.s.codec.encode(fromGold(part[i]))
				if err != nil {
					return err
				}
				if err := b.Put(enrolKey(name, part[i].Key), raw); err != nil {
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
	pairs := q.s.scan(context.Background(), tableGolds, appendName(nil, string(name)), nil)
	return collect(records(pairs, func(key, raw []byte) (annotate.Gold, error) {
		var r goldRecord
		if err := q.s.codec.decode(tableGolds, key, raw, &r); err != nil {
			return annotate.Gold{}, err
		}
		k, ok := cutItem(key)
		if !ok {
			return annotate.Gold{}, corrupt(tableGolds, key, "no key of an item")
		}
		return r.gold(k), nil
	}))
}
