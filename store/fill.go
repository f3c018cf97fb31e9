package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

var _ dataset.Filler = (*Datasets)(nil)

// FillSamples gives samples of a dataset what they lack, in one transaction.
// Samples are found by their id; one that says otherwise than the batch gives
// dataset.ErrOtherContent, and nothing of the batch is written.
func (d *Datasets) FillSamples(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	pictures, size, err := picturesOf(batch)
	if err != nil {
		return fmt.Errorf("fill dataset %q: %w", name, err)
	}
	return d.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		asked, err := d.isAskedByRuns(tx, name)
		if err != nil {
			return err
		}
		rows := make([]sampleRow, len(batch))
		for i := range batch { // all of them before any is written: others share the transaction
			r, err := d.changeSample(tx, name, batch[i].Sample.ID, func(have *eval.Sample) (eval.Sample, error) {
				out, _, err := dataset.FillSample(have, &batch[i].Sample)
				if err == nil && asked && (out.Hint != have.Hint || !slices.Equal(out.Pictures, have.Pictures)) {
					err = fmt.Errorf("%w: a run of concord's own has asked questions of it, and sample %s would be asked otherwise from now on", dataset.ErrOtherContent, have.ID)
				}
				return out, err
			})
			if err != nil {
				return file.Reject(fmt.Errorf("fill dataset %q: %w", name, err))
			}
			rows[i] = r
		}
		if err := eval.Each(rows, func(r sampleRow) error { return tx.Table(record.TableSamples).Put(r.key, r.value) }); err != nil {
			return err
		}
		return putPictures(tx, pictures)
	})
}

// isAskedByRuns reports whether a run of our own has put questions of the dataset to a
// model: what is asked must not change under it.
func (d *Datasets) isAskedByRuns(tx *file.Tx, name eval.DatasetName) (bool, error) {
	for run, err := range eachUnder(d.s, record.Runs, tx, nil) {
		if err != nil || run.Config.Dataset == name && run.Config.Origin == eval.Asked {
			return err == nil, err
		}
	}
	return false, nil
}

// changeSample is a stored sample as it is to be written anew.
func (d *Datasets) changeSample(tx *file.Tx, name eval.DatasetName, id eval.SampleID, to func(*eval.Sample) (eval.Sample, error)) (sampleRow, error) {
	o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(name, id)))
	if !ok {
		return sampleRow{}, fmt.Errorf("sample %q: %w", id, eval.ErrNotFound)
	}
	key := record.SampleKey(name, eval.Ordinal(o))
	have, err := d.readSample(key, tx.Table(record.TableSamples).Get(key))
	if err != nil {
		return sampleRow{}, err
	}
	out, err := to(&have)
	if err != nil {
		return sampleRow{}, err
	}
	value, err := d.s.codec.Encode(record.NewSample(&out))
	return sampleRow{key: key, value: value}, err
}

// FillDataset notes what a dataset holds once it was filled: hash, origin, how
// many samples have no truth, and in which columns categories stood.
func (d *Datasets) FillDataset(ctx context.Context, ds eval.Dataset) error {
	return d.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		have, err := d.readDataset(tx, ds.Name)
		if err != nil {
			return file.Reject(err)
		}
		have.Hash, have.Origin, have.NoTruth, have.Coarse, have.Metric = ds.Hash, ds.Origin, ds.NoTruth, ds.Coarse, ds.Metric
		return putValue(d.s, record.Datasets, tx, &have)
	})
}

var _ dataset.PictureSink = (*Datasets)(nil)

// PutPictures gives samples of a dataset their pictures, in one transaction:
// the dataset was made from a file of predictions, which holds none. Samples
// are found by their id; one that has a picture already keeps it.
func (d *Datasets) PutPictures(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	pictures, size, err := picturesOf(batch)
	if err != nil {
		return fmt.Errorf("put images of dataset %q: %w", name, err)
	}
	return d.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		if err := putPictures(tx, pictures); err != nil {
			return err
		}
		for i := range batch {
			if err := d.addPictures(tx, name, &batch[i].Sample); err != nil {
				return file.Reject(fmt.Errorf("put images of dataset %q: %w", name, err))
			}
		}
		return nil
	})
}

func (d *Datasets) addPictures(tx *file.Tx, name eval.DatasetName, s *eval.Sample) error {
	r, err := d.changeSample(tx, name, s.ID, func(have *eval.Sample) (eval.Sample, error) {
		if len(have.Pictures) == 0 || have.Pictures[0].Hash == "" {
			have.Pictures = s.Pictures
		}
		return *have, nil
	})
	if err != nil {
		return err
	}
	return tx.Table(record.TableSamples).Put(r.key, r.value)
}

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
