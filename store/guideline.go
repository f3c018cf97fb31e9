package store

import (
	"context"
	"fmt"

	"concord/annotate"
	"concord/store/file"
	"concord/store/record"
)

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
	raw, err := q.s.codec.Encode(record.Guideline{Text: g.Text, By: string(g.By), At: record.Millis(g.At)})
	if err != nil {
		return err
	}
	return tx.Table(record.TableGuidelines).Put(record.GuidelineKey(name, g.Version), raw)
}

// Guidelines gives all versions of a queue's guideline, the one in force last;
// none where there has never been one.
func (q *Queues) Guidelines(name annotate.QueueName) ([]annotate.Guideline, error) {
	one, err := q.Queue(name)
	if err != nil {
		return nil, err
	}
	pairs := q.s.file.Scan(context.Background(), record.TableGuidelines, record.AppendName(nil, string(name)), nil)
	out, err := file.Collect(file.Records(pairs, func(key, raw []byte) (annotate.Guideline, error) {
		var r record.Guideline
		if err := q.s.codec.Decode(record.TableGuidelines, key, raw, &r); err != nil {
			return annotate.Guideline{}, err
		}
		n, ok := record.Number(key[len(key)-min(4, len(key)):])
		if !ok {
			return annotate.Guideline{}, record.Corrupt(record.TableGuidelines, key, "no number of a version")
		}
		return annotate.Guideline{Version: int(n), Text: r.Text, By: annotate.Annotator(r.By), At: record.FromMillis(r.At)}, nil
	}))
	if one.Guideline.Version > 0 {
		out = append(out, one.Guideline)
	}
	return out, err
}
