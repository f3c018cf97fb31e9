package store

import (
	"context"
	"errors"
	"fmt"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Counts gives a run's totals. Where Reader is not the reader in use, its
// Statuses and Questions say nothing: count anew and call SetCounts.
func (r *Runs) Counts(id eval.RunID) (c eval.Counts, err error) {
	verr := r.s.file.View(func(tx *file.Tx) error { c, err = r.counts(tx, id); return nil })
	return c, errors.Join(verr, err)
}

func (r *Runs) counts(tx *file.Tx, id eval.RunID) (eval.Counts, error) {
	raw := tx.Table(record.TableCounts).Get(record.RunKey(id))
	if raw == nil {
		return eval.Counts{}, fmt.Errorf("run %d: %w", id, eval.ErrNotFound)
	}
	var rec record.Counts
	if err := r.s.codec.Decode(record.TableCounts, record.RunKey(id), raw, &rec); err != nil {
		return eval.Counts{}, err
	}
	c := eval.Counts{
		Predictions: rec.Predictions, Failures: rec.Failures, Questions: rec.Questions, Reader: rec.Reader,
		Usage: eval.Usage{Prompt: rec.Prompt, Completion: rec.Completion, Reasoning: rec.Reasoning},
	}
	copy(c.Statuses[:], rec.Statuses)
	return c, nil
}

func (r *Runs) putCounts(tx *file.Tx, id eval.RunID, c eval.Counts) error {
	raw, err := r.s.codec.Encode(record.Counts{
		Predictions: c.Predictions, Failures: c.Failures, Questions: c.Questions,
		Statuses: c.Statuses[:], Reader: c.Reader,
		Prompt: c.Usage.Prompt, Completion: c.Usage.Completion, Reasoning: c.Usage.Reasoning,
	})
	if err != nil {
		return err
	}
	return tx.Table(record.TableCounts).Put(record.RunKey(id), raw)
}

// SetCounts keeps what a reader found when it counted a run anew; was is what
// Counts gave before. It gives ErrChanged, and keeps nothing, when the totals
// are no longer these, or c does not have as many predictions and failures:
// facts, or judgments that closed a question, arrived during the count. The
// usage stays as it is: no reading changes what was paid.
func (r *Runs) SetCounts(ctx context.Context, id eval.RunID, was, c eval.Counts) error {
	return r.s.file.Do(ctx, 0, func(tx *file.Tx) error {
		have, err := r.counts(tx, id)
		if err != nil {
			return file.Reject(err)
		}
		if have != was || have.Predictions != c.Predictions || have.Failures != c.Failures {
			return file.Reject(fmt.Errorf("set counts of run %d, now %d predictions, %d of them failures, and %d questions: %w",
				id, have.Predictions, have.Failures, have.Questions, ErrChanged))
		}
		c.Usage = have.Usage
		return r.putCounts(tx, id, c)
	})
}
