package store

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/record"
)

var _ dataset.Illustrator = (*Datasets)(nil)

// PutPictures gives samples of a dataset their pictures, in one transaction:
// the dataset was made from a file of predictions, which holds none. Samples
// are found by their id; one that has a picture already keeps it.
func (d *Datasets) PutPictures(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	pictures, err := picturesOf(batch)
	if err != nil {
		return fmt.Errorf("put pictures of dataset %q: %w", name, err)
	}
	size := 0
	for _, p := range pictures {
		size += len(p.data)
	}
	return d.s.do(ctx, size, func(tx *bbolt.Tx) error {
		if err := putPictures(tx, pictures); err != nil {
			return err
		}
		for i := range batch {
			if err := d.illustrate(tx, name, &batch[i].Sample); err != nil {
				return reject(fmt.Errorf("put pictures of dataset %q: %w", name, err))
			}
		}
		return nil
	})
}

func (d *Datasets) illustrate(tx *bbolt.Tx, name eval.DatasetName, s *eval.Sample) error {
	r, err := d.changed(tx, name, s.ID, func(have *eval.Sample) (eval.Sample, error) {
		if len(have.Pictures) == 0 || have.Pictures[0].Hash == "" {
			have.Pictures = s.Pictures
		}
		return *have, nil
	})
	if err != nil {
		return err
	}
	return tx.Bucket([]byte(record.TableSamples)).Put(r.key, r.value)
}
