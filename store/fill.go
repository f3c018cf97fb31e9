package store

import (
	"context"
	"fmt"
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
