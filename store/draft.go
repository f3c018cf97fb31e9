package store

import (
	"context"
	"errors"
	"time"

	"concord/annotate"
	"concord/store/file"
	"concord/store/record"
)

// Drafts keeps the next versions of guidelines while people write them.
type Drafts struct{ s *Store }

// Drafts is the handle of drafts.
func (s *Store) Drafts() *Drafts { return &Drafts{s} }

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
		raw, err := d.s.codec.Encode(record.Guideline{Text: text, By: string(who), At: record.Millis(at)})
		if err != nil {
			return err
		}
		return drafts.Put(key, raw)
	})
}

// Of gives what a person has written of a queue's next guideline; "" where there is
// nothing.
func (d *Drafts) Of(name annotate.QueueName, who annotate.Annotator) (text string, err error) {
	verr := d.s.file.View(func(tx *file.Tx) error {
		key := record.Stream(name, who)
		raw := tx.Table(record.TableDrafts).Get(key)
		if raw == nil {
			return nil
		}
		var r record.Guideline
		err = d.s.codec.Decode(record.TableDrafts, key, raw, &r)
		text = r.Text
		return nil
	})
	return text, errors.Join(verr, err)
}
