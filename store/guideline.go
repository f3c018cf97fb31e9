package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/annotate"
)

// guidelineRecord is a guideline that is in force no more. That in force
// stands in its queue's record, so that opening a queue reads nothing else.
type guidelineRecord struct {
	Text string `cbor:"1,keyasint,omitempty"`
	By   string `cbor:"2,keyasint,omitempty"`
	At   int64  `cbor:"3,keyasint,omitempty"`
}

func guidelineKey(q annotate.QueueName, version int) []byte {
	return appendU32(appendName(nil, string(q)), uint32(version))
}

// guide takes the guideline in force up.
func (r *queueRecord) guide(g annotate.Guideline) {
	r.Guideline, r.Version, r.Author, r.Authored = g.Text, g.Version, string(g.By), millis(g.At)
}

// guideline is the one in force. Before there were versions a queue had the
// one that it was made with.
func (r *queueRecord) guideline() annotate.Guideline {
	switch {
	case r.Guideline == "":
		return annotate.Guideline{}
	case r.Version == 0:
		return annotate.Guideline{Version: 1, Text: r.Guideline, By: annotate.Annotator(r.By), At: fromMillis(r.Created)}
	}
	return annotate.Guideline{Version: r.Version, Text: r.Guideline, By: annotate.Annotator(r.Author), At: fromMillis(r.Authored)}
}

// Guide puts a version in force; the one before it is kept. It gives
// annotate.ErrConflict for one that does not follow that in force: somebody
// else has written one meanwhile.
func (q *Queues) Guide(ctx context.Context, name annotate.QueueName, g annotate.Guideline) error {
	return q.s.do(ctx, 2*len(g.Text), func(tx *bbolt.Tx) error {
		one, err := q.in(tx, name)
		if err != nil {
			return reject(err)
		}
		if was := one.Guideline; was.Version+1 != g.Version {
			return reject(fmt.Errorf("guideline %d of queue %s: version %d is in force: %w", g.Version, name, was.Version, annotate.ErrConflict))
		}
		if err := q.shelve(tx, name, one.Guideline); err != nil {
			return err
		}
		one.Guideline = g
		return q.put(tx, one)
	})
}

// shelve keeps a version that is in force no more.
func (q *Queues) shelve(tx *bbolt.Tx, name annotate.QueueName, g annotate.Guideline) error {
	if g.Version == 0 {
		return nil
	}
	raw, err := q.s.codec.encode(guidelineRecord{Text: g.Text, By: string(g.By), At: millis(g.At)})
	if err != nil {
		return err
	}
	return tx.Bucket([]byte(tableGuidelines)).Put(guidelineKey(name, g.Version), raw)
}

// Guidelines gives all versions of a queue's guideline, the one in force last;
// none where there has never been one.
func (q *Queues) Guidelines(name annotate.QueueName) ([]annotate.Guideline, error) {
	one, err := q.Queue(name)
	if err != nil {
		return nil, err
	}
	pairs := q.s.scan(context.Background(), tableGuidelines, appendName(nil, string(name)), nil)
	out, err := collect(records(pairs, func(key, raw []byte) (annotate.Guideline, error) {
		var r guidelineRecord
		if err := q.s.codec.decode(tableGuidelines, key, raw, &r); err != nil {
			return annotate.Guideline{}, err
		}
		n, ok := number(key[len(key)-min(4, len(key)):])
		if !ok {
			return annotate.Guideline{}, corrupt(tableGuidelines, key, "no number of a version")
		}
		return annotate.Guideline{Version: int(n), Text: r.Text, By: annotate.Annotator(r.By), At: fromMillis(r.At)}, nil
	}))
	if one.Guideline.Version > 0 {
		out = append(out, one.Guideline)
	}
	return out, err
}
