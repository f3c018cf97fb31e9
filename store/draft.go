package store

import (
	"context"
	"errors"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Drafts keeps the next versions of guidelines while people write them.
type Drafts struct{ s *Store }

// Drafts is the handle of drafts.
func (s *Store) Drafts() *Drafts {
	return &Drafts{s}
}

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
