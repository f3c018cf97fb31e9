package store

import (
	"cmp"
	"context"
	"fmt"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Queues keeps queues and what is enrolled in them.
type Queues struct{ records[annotate.Queue] }

// Queues is the handle of queues.
func (s *Store) Queues() *Queues { return &Queues{records[annotate.Queue]{s, record.Queues}} }

func (q *Queues) items() records[annotate.QueueItem] {
	return records[annotate.QueueItem]{q.s, record.Items}
}

func (q *Queues) goldItems() records[annotate.Gold] {
	return records[annotate.Gold]{q.s, record.GoldItems}
}

func (q *Queues) guidelines() records[annotate.Guideline] {
	return records[annotate.Guideline]{q.s, record.Guidelines}
}

// put writes a queue's own record.
func (q *Queues) put(tx *file.Tx, one annotate.Queue) error {
	one.Rule.Listed = cmp.Or(len(one.Rule.IDs), one.Rule.Listed)
	return q.records.put(tx, &one)
}

// in reads a queue within a transaction.
func (q *Queues) in(tx *file.Tx, name annotate.QueueName) (annotate.Queue, error) {
	one, err := q.named(tx, string(name))
	return guided(one), err
}

// guided is a queue with the guideline in force. Before there were versions a queue
// had the one that it was made with.
func guided(q annotate.Queue) annotate.Queue {
	if g := &q.Guideline; g.Text != "" && g.Version == 0 {
		*g = annotate.Guideline{Version: 1, Text: g.Text, By: q.By, At: q.Created}
	}
	return q
}

// keys are the names under which a table has something, of those that can be
// read.
func keys(t *file.Table) (out []string) {
	for p, err := range t.Prefix(nil) {
		if err == nil {
			out = append(out, string(p.Key))
		}
	}
	return out
}

// Queue gives eval.ErrNotFound when there is none of that name.
func (q *Queues) Queue(name annotate.QueueName) (annotate.Queue, error) {
	return view(q.s, func(tx *file.Tx) (annotate.Queue, error) { return q.in(tx, name) })
}

// List gives all queues by name, with the counts of their items, and cheaply:
// the ids that rules ask for are left to IDs. With an error come those that
// can be read.
func (q *Queues) List() ([]annotate.Queue, error) {
	all, err := q.list(nil)
	for i := range all {
		all[i] = guided(all[i])
	}
	return all, err
}

// IDs gives the samples that a queue's rule asks for, in the order given;
// none when it asks for all.
func (q *Queues) IDs(name annotate.QueueName) ([]eval.SampleID, error) {
	pairs := q.s.file.Scan(context.Background(), record.TableQueueIDs, record.AppendName(nil, string(name)), nil)
	return file.Collect(file.Records(pairs, func(_, value []byte) (eval.SampleID, error) { return eval.SampleID(value), nil }))
}

// Finish has a queue grow no further. Its rule was frozen from the start.
func (q *Queues) Finish(ctx context.Context, name annotate.QueueName) error {
	return q.s.file.Do(ctx, 0, func(tx *file.Tx) error {
		one, err := q.in(tx, name)
		if err != nil {
			return file.Reject(err)
		}
		one.Growing = false
		return q.put(tx, one)
	})
}

// Guide puts a version in force; the one before it is kept. It gives
// annotate.ErrConflict for one that does not follow that in force: somebody
// else has written one meanwhile.
func (q *Queues) Guide(ctx context.Context, name annotate.QueueName, g annotate.Guideline) error {
	return q.s.file.Do(ctx, 2*len(g.Text), func(tx *file.Tx) error {
		one, err := q.in(tx, name)
		if err != nil {
			return file.Reject(err)
		}
		if was := one.Guideline; was.Version+1 != g.Version {
			return file.Reject(fmt.Errorf("guideline %d of queue %s: version %d is in force: %w", g.Version, name, was.Version, annotate.ErrConflict))
		}
		if err := q.shelve(tx, name, one.Guideline); err != nil {
			return err
		}
		one.Guideline = g
		return q.put(tx, one)
	})
}

// shelve keeps a version that is in force no more.
func (q *Queues) shelve(tx *file.Tx, name annotate.QueueName, g annotate.Guideline) error {
	if g.Version == 0 {
		return nil
	}
	return q.guidelines().putAt(tx, record.GuidelineKey(name, g.Version), &g)
}

// Guidelines gives all versions of a queue's guideline, the one in force last;
// none where there has never been one.
func (q *Queues) Guidelines(name annotate.QueueName) ([]annotate.Guideline, error) {
	one, err := q.Queue(name)
	if err != nil {
		return nil, err
	}
	out, err := q.guidelines().list(record.AppendName(nil, string(name)))
	if one.Guideline.Version > 0 {
		out = append(out, one.Guideline)
	}
	return out, err
}
