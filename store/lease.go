package store

import (
	"context"

	"concord/annotate"
	"concord/store/file"
	"concord/store/record"
)

// Leases keeps what each annotator has in front of them in each queue, so that
// they find it there again, and nobody else does, when the process ended.
type Leases struct{ s *Store }

// Leases is the handle of leases.
func (s *Store) Leases() *Leases { return &Leases{s} }

// Put notes leases of a queue, each in the place of the one that the annotator
// had there; one without Until gives it up.
func (l *Leases) Put(ctx context.Context, q annotate.QueueName, all ...annotate.Lease) error {
	return l.s.file.Do(ctx, 128*len(all), func(tx *file.Tx) error {
		b := tx.Table(record.TableLeases)
		for _, one := range all {
			key := record.Stream(q, one.Who)
			if one.Until.IsZero() {
				if err := b.Delete(key); err != nil {
					return err
				}
				continue
			}
			k := one.Item
			raw, err := l.s.codec.Encode(record.Lease{
				Run: uint64(k.Run), Sample: uint32(k.Sample), Pass: uint8(k.Pass), Against: uint64(k.Against), Until: record.Millis(one.Until),
			})
			if err != nil {
				return err
			}
			if err := b.Put(key, raw); err != nil {
				return err
			}
		}
		return nil
	})
}

// Of gives the leases of a queue, by annotator, those that have run out too.
func (l *Leases) Of(q annotate.QueueName) ([]annotate.Lease, error) {
	pairs := l.s.file.Scan(context.Background(), record.TableLeases, record.AppendName(nil, string(q)), nil)
	return file.Collect(file.Records(pairs, func(key, raw []byte) (annotate.Lease, error) {
		_, rest, _ := record.CutName(key)
		who, _, ok := record.CutName(rest)
		if !ok {
			return annotate.Lease{}, record.Corrupt(record.TableLeases, key, "no key of a lease")
		}
		var r record.Lease
		if err := l.s.codec.Decode(record.TableLeases, key, raw, &r); err != nil {
			return annotate.Lease{}, err
		}
		return annotate.Lease{Item: record.ItemOf(r.Run, r.Sample, r.Pass, r.Against), Who: annotate.Annotator(who), Until: record.FromMillis(r.Until)}, nil
	}))
}
