package store

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/eval"
)

var _ annotate.ItemAppender = (*Queues)(nil)

// Queues keeps queues and what is enrolled in them.
type Queues struct{ s *Store }

// Queues is the handle of queues.
func (s *Store) Queues() *Queues { return &Queues{s} }

// The records of queues.
type (
	queueRecord struct {
		Rule       ruleRecord `cbor:"1,keyasint"`
		Stratum    uint8      `cbor:"2,keyasint,omitempty"`
		Overlap    int        `cbor:"3,keyasint,omitempty"`
		Growing    bool       `cbor:"4,keyasint,omitempty"`
		Population int        `cbor:"5,keyasint,omitempty"`
		Items      int        `cbor:"6,keyasint,omitempty"`
		Guideline  string     `cbor:"7,keyasint,omitempty"`
		Synthetic  bool       `cbor:"8,keyasint,omitempty"`
		By         string     `cbor:"9,keyasint,omitempty"`
		Created    int64      `cbor:"10,keyasint,omitempty"`
		Criteria   bool       `cbor:"11,keyasint,omitempty"`
		Extra      int        `cbor:"12,keyasint,omitempty"`
		Golds      int        `cbor:"13,keyasint,omitempty"`
		// Of the guideline in force; a record without has its first one.
		Version  int    `cbor:"14,keyasint,omitempty"`
		Author   string `cbor:"15,keyasint,omitempty"`
		Authored int64  `cbor:"16,keyasint,omitempty"`
	}
	ruleRecord struct {
		Dataset  string   `cbor:"1,keyasint,omitempty"`
		Runs     []uint64 `cbor:"2,keyasint,omitempty"`
		From     uint8    `cbor:"3,keyasint,omitempty"`
		Rules    string   `cbor:"4,keyasint,omitempty"`
		Rate     float64  `cbor:"5,keyasint,omitempty"`
		Number   int      `cbor:"6,keyasint,omitempty"`
		Level    int      `cbor:"7,keyasint,omitempty"`
		PerLevel int      `cbor:"8,keyasint,omitempty"`
		Listed   int      `cbor:"9,keyasint,omitempty"`
		Seed     uint64   `cbor:"10,keyasint,omitempty"`
		Anchor   uint64   `cbor:"11,keyasint,omitempty"`
		Whole    bool     `cbor:"12,keyasint,omitempty"`
		Order    uint8    `cbor:"13,keyasint,omitempty"`
		Among    []string `cbor:"14,keyasint,omitempty"`
	}
)

func fromQueue(q annotate.Queue) queueRecord {
	r := queueRecord{
		Rule: ruleRecord{
			Dataset: string(q.Rule.Dataset), From: uint8(q.Rule.From), Rules: q.Rule.Rules,
			Rate: q.Rule.Rate, Number: q.Rule.Number, Level: q.Rule.Level, PerLevel: q.Rule.PerLevel,
			Listed: len(q.Rule.IDs), Seed: q.Rule.Seed, Anchor: uint64(q.Rule.Anchor), Whole: q.Rule.Whole,
			Order: uint8(q.Rule.Order), Among: q.Rule.Among,
		},
		Stratum: uint8(q.Stratum), Overlap: q.Overlap, Growing: q.Growing, Population: q.Population,
		Items: q.Items, Guideline: q.Guideline.Text, Synthetic: q.Synthetic, By: string(q.By), Created: millis(q.Created),
		Criteria: q.Criteria, Extra: q.Extra, Golds: q.Golds,
	}
	r.guide(q.Guideline)
	for _, id := range q.Rule.Runs {
		r.Rule.Runs = append(r.Rule.Runs, uint64(id))
	}
	if r.Rule.Listed == 0 { // the queue was read back
		r.Rule.Listed = q.Rule.Listed
	}
	return r
}

func (r queueRecord) queue(name annotate.QueueName) annotate.Queue {
	q := annotate.Queue{
		Name: name,
		Rule: annotate.Rule{
			Dataset: eval.DatasetName(r.Rule.Dataset), From: annotate.From(r.Rule.From), Rules: r.Rule.Rules,
			Rate: r.Rule.Rate, Number: r.Rule.Number, Level: r.Rule.Level, PerLevel: r.Rule.PerLevel,
			Listed: r.Rule.Listed, Seed: r.Rule.Seed, Anchor: eval.RunID(r.Rule.Anchor), Whole: r.Rule.Whole,
			Order: annotate.Order(r.Rule.Order), Among: r.Rule.Among,
		},
		Stratum: annotate.Stratum(r.Stratum), Overlap: r.Overlap, Growing: r.Growing, Population: r.Population,
		Items: r.Items, Guideline: r.guideline(), Synthetic: r.Synthetic, By: annotate.Annotator(r.By),
		Created: fromMillis(r.Created), Criteria: r.Criteria, Extra: r.Extra, Golds: r.Golds,
	}
	for _, id := range r.Rule.Runs {
		q.Rule.Runs = append(q.Rule.Runs, eval.RunID(id))
	}
	return q
}

// put writes a queue's own record.
func (q *Queues) put(tx *bbolt.Tx, one annotate.Queue) error {
	raw, err := q.s.codec.encode(fromQueue(one))
	if err != nil {
		return err
	}
	return tx.Bucket([]byte(tableQueues)).Put([]byte(one.Name), raw)
}

// in reads a queue within a transaction.
func (q *Queues) in(tx *bbolt.Tx, name annotate.QueueName) (annotate.Queue, error) {
	raw := tx.Bucket([]byte(tableQueues)).Get([]byte(name))
	if raw == nil {
		return annotate.Queue{}, fmt.Errorf("queue %q: %w", name, eval.ErrNotFound)
	}
	return q.read([]byte(name), raw)
}

func (q *Queues) read(key, raw []byte) (annotate.Queue, error) {
	var r queueRecord
	if err := q.s.codec.decode(tableQueues, key, raw, &r); err != nil {
		return annotate.Queue{}, err
	}
	return r.queue(annotate.QueueName(key)), nil
}

// Queue gives eval.ErrNotFound when there is none of that name.
func (q *Queues) Queue(name annotate.QueueName) (one annotate.Queue, err error) {
	verr := q.s.view(func(tx *bbolt.Tx) error { one, err = q.in(tx, name); return nil })
	return one, errors.Join(verr, err)
}

// List gives all queues by name, with the counts of their items, and cheaply:
// the ids that rules ask for are left to IDs. With an error come those that
// can be read.
func (q *Queues) List() ([]annotate.Queue, error) {
	return collect(records(q.s.scan(context.Background(), tableQueues, nil, nil), q.read))
}

// IDs gives the samples that a queue's rule asks for, in the order given;
// none when it asks for all.
func (q *Queues) IDs(name annotate.QueueName) ([]eval.SampleID, error) {
	pairs := q.s.scan(context.Background(), tableQueueIDs, appendName(nil, string(name)), nil)
	return collect(records(pairs, func(_, value []byte) (eval.SampleID, error) { return eval.SampleID(value), nil }))
}

// SetPopulation sets how many predictions the filter of a queue's rule found,
// as a count from scratch says it.
func (q *Queues) SetPopulation(ctx context.Context, name annotate.QueueName, n int) error {
	return q.change(ctx, name, func(one *annotate.Queue) { one.Population = n })
}

// Finish has a queue grow no further. Its rule was frozen from the start.
func (q *Queues) Finish(ctx context.Context, name annotate.QueueName) error {
	return q.change(ctx, name, func(one *annotate.Queue) { one.Growing = false })
}

func (q *Queues) change(ctx context.Context, name annotate.QueueName, edit func(*annotate.Queue)) error {
	return q.s.do(ctx, 0, func(tx *bbolt.Tx) error {
		one, err := q.in(tx, name)
		if err != nil {
			return reject(err)
		}
		edit(&one)
		return q.put(tx, one)
	})
}
