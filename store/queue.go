package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	return withGuideline(one), err
}

// withGuideline gives a queue with the guideline in force. Before there were versions a queue
// had the one that it was made with.
func withGuideline(q annotate.Queue) annotate.Queue {
	if g := &q.Guideline; g.Text != "" && g.Version == 0 {
		*g = annotate.Guideline{Version: 1, Text: g.Text, By: q.By, At: q.Created}
	}
	return q
}

// listKeys lists the names under which a table has something, of those that can be
// read.
func listKeys(t *file.Table) (out []string) {
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

// List gives all queues by name, with the counts of their items, and cheaply:
// the ids that rules ask for are left to IDs. With an error come those that
// can be read.
func (q *Queues) List() ([]annotate.Queue, error) {
	all, err := listUnder(q.s, record.Queues, nil)
	for i := range all {
		all[i] = withGuideline(all[i])
	}
	return all, err
}

// FinishGrowing has a queue grow no further. Its rule was frozen from the start.
func (q *Queues) FinishGrowing(ctx context.Context, name annotate.QueueName) error {
	return q.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		one, err := q.readQueue(tx, name)
		if err != nil {
			return file.Reject(err)
		}
		one.Growing = false
		return q.putQueue(tx, one)
	})
}

// SetGuideline puts a version in force; the one before it is kept. It gives
// annotate.ErrConflict for one that does not follow that in force: somebody
// else has written one meanwhile.
func (q *Queues) SetGuideline(ctx context.Context, name annotate.QueueName, g annotate.Guideline) error {
	return q.s.file.Apply(ctx, 2*len(g.Text), func(tx *file.Tx) error {
		one, err := q.readQueue(tx, name)
		if err != nil {
			return file.Reject(err)
		}
		if was := one.Guideline; was.Version+1 != g.Version {
			return file.Reject(fmt.Errorf("guideline %d of queue %s: version %d is in force: %w", g.Version, name, was.Version, annotate.ErrConflict))
		}
		if err := q.archiveGuideline(tx, name, one.Guideline); err != nil {
			return err
		}
		one.Guideline = g
		return q.putQueue(tx, one)
	})
}

// archiveGuideline keeps a version that is in force no more.
func (q *Queues) archiveGuideline(tx *file.Tx, name annotate.QueueName, g annotate.Guideline) error {
	if g.Version == 0 {
		return nil
	}
	return putAt(q.s, record.Guidelines, tx, record.GuidelineKey(name, g.Version), &g)
}

// Guidelines gives all versions of a queue's guideline, the one in force last;
// none where there has never been one.
func (q *Queues) Guidelines(name annotate.QueueName) ([]annotate.Guideline, error) {
	one, err := q.Queue(name)
	if err != nil {
		return nil, err
	}
	out, err := listUnder(q.s, record.Guidelines, record.AppendName(nil, string(name)))
	if one.Guideline.Version > 0 {
		out = append(out, one.Guideline)
	}
	return out, err
}

// Drafts keeps the next versions of guidelines while people write them.
type Drafts struct{ s *Store }

// Drafts is the handle of drafts.
func (s *Store) Drafts() *Drafts { return &Drafts{s} }

// SaveDraft keeps what a person has written of a queue's next guideline; an empty
// text removes it.
func (d *Drafts) SaveDraft(ctx context.Context, name annotate.QueueName, who annotate.Annotator, text string, at time.Time) error {
	if err := record.CheckName("annotator", string(who)); err != nil {
		return err
	}
	return d.s.file.Apply(ctx, len(text)+128, func(tx *file.Tx) error {
		drafts, key := tx.Table(record.TableDrafts), record.StreamPrefix(name, who)
		if text == "" {
			return drafts.Delete(key)
		}
		if _, err := d.s.Queues().readQueue(tx, name); err != nil {
			return file.Reject(err)
		}
		return putAt(d.s, record.Drafts, tx, key, &annotate.Guideline{Text: text, By: who, At: at})
	})
}

// DraftOf gives what a person has written of a queue's next guideline; "" where there is
// nothing.
func (d *Drafts) DraftOf(name annotate.QueueName, who annotate.Annotator) (string, error) {
	one, err := readOne(d.s, record.Drafts, record.StreamPrefix(name, who))
	if errors.Is(err, eval.ErrNotFound) {
		err = nil
	}
	return one.Text, err
}
