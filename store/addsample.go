package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// AddSample adds a sample to a whole dataset: one that stands in for a discarded one,
// say. It gets the ordinal behind the last one; all else of it, its id too, is
// given. The dataset counts it and keeps its hash, which is of the file that it
// was imported from. An id that the dataset has already gives ErrInvalid, but
// with the same sample under it nothing happens, so that trying again is safe.
func (d *Datasets) AddSample(ctx context.Context, name eval.DatasetName, item dataset.Item) (eval.Sample, error) {
	wrap := func(err error) error { return fmt.Errorf("add sample %q to dataset %q: %w", item.Sample.ID, name, err) }
	if err := record.CheckName("sample", string(item.Sample.ID)); err != nil {
		return eval.Sample{}, wrap(err)
	}
	pictures, size, err := picturesOf([]dataset.Item{item})
	if err != nil {
		return eval.Sample{}, wrap(err)
	}
	added := item.Sample
	err = d.s.file.Apply(ctx, 4096+size, func(tx *file.Tx) error {
		ds, err := d.readDataset(tx, name)
		if err != nil {
			return file.Reject(wrap(err))
		}
		if !ds.Complete {
			return file.Reject(wrap(fmt.Errorf("%w: its import has not finished", ErrInvalid)))
		}
		if o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(name, item.Sample.ID))); ok {
			added.Ordinal = eval.Ordinal(o)
			return file.Reject(d.checkTaken(tx, name, &added))
		}
		added.Ordinal = nextOrdinal(tx, name)
		rows, err := d.makeSampleRows(name, []dataset.Item{{Sample: added}})
		if err != nil {
			return file.Reject(wrap(err))
		}
		if err := putPictures(tx, pictures); err != nil {
			return err
		}
		if _, err := putRows(tx, rows); err != nil {
			return wrap(err)
		}
		ds.Samples++
		ds.Added++
		if !added.HasTruth() {
			ds.NoTruth++
		}
		return putValue(d.s, record.Datasets, tx, &ds)
	})
	return added, err
}

// checkTaken is nil when the very sample stands under its id.
func (d *Datasets) checkTaken(tx *file.Tx, name eval.DatasetName, s *eval.Sample) error {
	have, err := d.sampleIn(tx, name, s.Ordinal)
	if err == nil && !reflect.DeepEqual(record.NewSample(&have), record.NewSample(s)) {
		err = fmt.Errorf("add sample %q to dataset %q: %w: sample %d has this id", s.ID, name, ErrInvalid, s.Ordinal)
	}
	return err
}

// nextOrdinal gives the ordinal behind the last one of a dataset.
func nextOrdinal(tx *file.Tx, name eval.DatasetName) eval.Ordinal {
	prefix := record.AppendName(nil, string(name))
	last, ok := tx.Table(record.TableSamples).LastUnder(prefix)
	if !ok || len(last.Key) != len(prefix)+4 {
		return 0
	}
	return eval.Ordinal(binary.BigEndian.Uint32(last.Key[len(prefix):])) + 1
}
