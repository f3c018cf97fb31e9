package store

import (
	"bytes"
	"errors"
	"time"

	"go.etcd.io/bbolt"

	"concord/annotate"
	"concord/store/record"
)

// Recent gives up to most of one annotator's last acts in a queue, the last
// first, back to the first one that is older than a time.
func (a *Acts) Recent(q annotate.QueueName, who annotate.Annotator, since time.Time, most int) (out []annotate.Act, err error) {
	prefix := record.Stream(q, who)
	verr := a.s.view(func(tx *bbolt.Tx) error {
		t, terr := a.tally(tx, prefix)
		if terr != nil {
			return terr
		}
		c := tx.Bucket([]byte(record.TableActs)).Cursor()
		for k, raw := c.Seek(record.AppendU32(clone(prefix), t.Acts)); k != nil && bytes.HasPrefix(k, prefix) && len(out) < most; k, raw = c.Prev() {
			one, rerr := a.read(k, raw)
			if rerr != nil {
				err = errors.Join(err, rerr)
				continue
			}
			if one.At.Before(since) {
				return nil
			}
			out = append(out, one)
		}
		return nil
	})
	return out, errors.Join(verr, err)
}
