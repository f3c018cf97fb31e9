package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// sampleRow is an item of a batch as it will stand in the buckets.
type sampleRow struct {
	ordinal    eval.Ordinal
	id         eval.SampleID
	key, value []byte
	idKey      []byte
}

// PutSamples commits a batch in one transaction. A sample that is there under
// the same ordinal is overwritten. It gives ErrFinished for a complete
// dataset, and ErrInvalid for an id that another ordinal has already and for
// a picture whose bytes are not what its hash says.
func (d *Datasets) PutSamples(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	if len(batch) == 0 {
		return nil
	}
	rows, err := d.makeSampleRows(name, batch)
	if err != nil {
		return fmt.Errorf("put samples of dataset %q: %w", name, err)
	}
	pictures, size, err := picturesOf(batch)
	if err != nil {
		return fmt.Errorf("put samples of dataset %q: %w", name, err)
	}
	for _, r := range rows {
		size += len(r.value) + 2*len(r.key)
	}
	return d.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		ds, err := d.readDataset(tx, name)
		if err != nil {
			return file.Reject(err)
		}
		if ds.Complete {
			return file.Reject(fmt.Errorf("put samples of dataset %q: %w", name, ErrFinished))
		}
		if err := putPictures(tx, pictures); err != nil {
			return err
		}
		added, err := putRows(tx, rows)
		if err != nil {
			return fmt.Errorf("put samples of dataset %q: %w", name, err)
		}
		ds.Samples += added
		return putValue(d.s, record.Datasets, tx, &ds)
	})
}

func (d *Datasets) makeSampleRows(name eval.DatasetName, batch []dataset.Item) ([]sampleRow, error) {
	rows := make([]sampleRow, 0, len(batch))
	for i := range batch {
		s := &batch[i].Sample
		if err := record.CheckName("sample", string(s.ID)); err != nil {
			return nil, err
		}
		value, err := d.s.codec.Encode(record.NewSample(s))
		if err != nil {
			return nil, err
		}
		rows = append(rows, sampleRow{
			ordinal: s.Ordinal, id: s.ID, value: value,
			key: record.SampleKey(name, s.Ordinal), idKey: record.IDKey(name, s.ID),
		})
	}
	return rows, nil
}

// putRows writes samples and their ids, each in the order of its keys: bbolt
// inserts into a sorted array, so that another order costs the square.
func putRows(tx *file.Tx, rows []sampleRow) (added int, err error) {
	samples, ids := tx.Table(record.TableSamples), tx.Table(record.TableSampleIDs)
	samples.FillPercent = appendFill
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b sampleRow) int { return bytes.Compare(a.key, b.key) })
	for _, r := range rows {
		if samples.Get(r.key) == nil {
			added++
		}
		if err := samples.Put(r.key, r.value); err != nil {
			return 0, err
		}
	}
	slices.SortStableFunc(rows, func(a, b sampleRow) int { return bytes.Compare(a.idKey, b.idKey) })
	for _, r := range rows {
		if o, ok := record.DecodeNumber(ids.Get(r.idKey)); ok && eval.Ordinal(o) != r.ordinal {
			return 0, fmt.Errorf("%w: id %q is sample %d and sample %d", ErrInvalid, r.id, o, r.ordinal)
		}
		if err := ids.Put(r.idKey, record.AppendU32(nil, uint32(r.ordinal))); err != nil {
			return 0, err
		}
	}
	return added, nil
}

// appendFill is how full the pages of a bucket are left whose keys mostly
// arrive in order; bbolt's default leaves them half empty for keys between.
const appendFill = 0.9
