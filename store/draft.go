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
type Drafts struct{ records[annotate.Guideline] }

// Drafts is the handle of drafts.
func (s *Store) Drafts() *Drafts {
	return &Drafts{records[annotate.Guideline]{s, record.Drafts}}
}

// Keep keeps what a person has written of a queue's next guideline; an empty
// text removes it.
func (d *Drafts) Keep(ctx context.Context, name annotate.QueueName, who annotate.Annotator, text string, at time.Time) error {
	if err := record.CheckName("annotator", string(who)); err != nil {
		return err
	}
	return d.s.file.Do(ctx, len(text)+128, func(tx *file.Tx) error {
		drafts, key := tx.Table(record.TableDrafts), record.Stream(name, who)
		if text == "" {
			return drafts.Delete(key)
		}
		if _, err := d.s.Queues().in(tx, name); err != nil {
			return file.Reject(err)
		}
		return d.putAt(tx, key, &annotate.Guideline{Text: text, By: who, At: at})
	})
}

// Of gives what a person has written of a queue's next guideline; "" where there is
// nothing.
func (d *Drafts) Of(name annotate.QueueName, who annotate.Annotator) (string, error) {
	one, err := d.one(record.Stream(name, who))
	if errors.Is(err, eval.ErrNotFound) {
		err = nil
	}
	return one.Text, err
}
