package file

import (
	"context"
	"slices"

	"concord/store/record"
)

// RemoveRecords is the most records that Remove deletes in one transaction.
const RemoveRecords = 10_000

// Remove deletes the records under prefix, in several transactions.
func (f *File) Remove(ctx context.Context, t record.Table, prefix []byte) error {
	for {
		var keys [][]byte
		for p, err := range f.Scan(ctx, t, prefix, nil) {
			if err != nil {
				return err
			}
			if keys = append(keys, Clone(p.Key)); len(keys) == RemoveRecords {
				break
			}
		}
		if len(keys) == 0 {
			return nil
		}
		keys = slices.Clip(keys)
		err := f.Do(ctx, 0, func(tx *Tx) error {
			b := tx.Table(t)
			for _, k := range keys {
				if err := b.Delete(k); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}
