package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// Datasets keeps datasets, their samples and their pictures.
type Datasets struct{ s *Store }

// Datasets is the handle of datasets.
func (s *Store) Datasets() *Datasets { return &Datasets{s} }

// BeginDataset starts an import. What an import of that name that never finished has left is
// dropped; its pictures stay, by content. A complete dataset of the same hash is left as it is,
// another one gives dataset.ErrOtherContent.
func (d *Datasets) BeginDataset(ctx context.Context, ds eval.Dataset) error {
	if err := record.CheckName("dataset", string(ds.Name)); err != nil {
		return err
	}
	have, err := d.Dataset(ds.Name)
	switch {
	case errors.Is(err, eval.ErrNotFound):
	case err != nil:
		return err
	case have.Complete && have.Hash == ds.Hash:
		return nil
	case have.Complete:
		return fmt.Errorf("begin dataset %q: %w", ds.Name, dataset.ErrOtherContent)
	default:
		remove := func(t record.Table) error { return d.s.file.Remove(ctx, t, record.AppendName(nil, string(ds.Name))) }
		if err := eval.Each([]record.Table{record.TableSamples, record.TableSampleIDs}, remove); err != nil {
			return fmt.Errorf("begin dataset %q: %w", ds.Name, err)
		}
	}
	ds.Complete, ds.Samples = false, 0
	return d.s.file.Apply(ctx, 0, func(tx *file.Tx) error { return putValue(d.s, record.Datasets, tx, &ds) })
}

// FinishDataset marks a dataset complete, as ds describes it. It refuses one
// that does not have as many samples as ds says.
func (d *Datasets) FinishDataset(ctx context.Context, ds eval.Dataset) error {
	return d.s.file.Apply(ctx, 0, func(tx *file.Tx) error {
		have, err := d.readDataset(tx, ds.Name)
		switch {
		case err != nil:
			return file.NewRejection(err)
		case have.Complete && have.Hash != ds.Hash:
			return file.NewRejection(fmt.Errorf("finish dataset %q: %w", ds.Name, dataset.ErrOtherContent))
		case have.Complete:
			return nil
		case have.Samples != ds.Samples:
			return file.NewRejection(fmt.Errorf("finish dataset %q: %w: %d samples are stored, not %d", ds.Name, ErrInvalid, have.Samples, ds.Samples))
		}
		ds.Complete = true
		return putValue(d.s, record.Datasets, tx, &ds)
	})
}

// readDataset reads a dataset within a transaction.
func (d *Datasets) readDataset(tx *file.Tx, name eval.DatasetName) (eval.Dataset, error) {
	return readByName(d.s, record.Datasets, tx, string(name))
}

// Dataset gives eval.ErrNotFound when there is none of that name.
func (d *Datasets) Dataset(name eval.DatasetName) (eval.Dataset, error) {
	ds, err := readInTx(d.s, func(tx *file.Tx) (eval.Dataset, error) { return d.readDataset(tx, name) })
	if errors.Is(err, eval.ErrNotFound) {
		err = cmp.Or(d.s.Authoring().explainMissingDataset(name), err)
	}
	return ds, err
}

// List gives all datasets, also incomplete ones, by name. With an error come those that can be read.
func (d *Datasets) List() ([]eval.Dataset, error) { return listPrefix(d.s, record.Datasets, nil) }

// Samples yields the samples of a dataset by ordinal. A sample that cannot be
// read yields an error that names it, and the scan goes on.
func (d *Datasets) Samples(ctx context.Context, name eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return file.DecodeRecords(d.s.file.Scan(ctx, record.TableSamples, record.AppendName(nil, string(name)), nil), d.decodeSample)
}

// Sample gives eval.ErrNotFound beyond the last ordinal.
func (d *Datasets) Sample(name eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	return readInTx(d.s, func(tx *file.Tx) (eval.Sample, error) { return d.readSampleInTx(tx, name, o) })
}

// readSampleInTx reads a sample within a transaction.
func (d *Datasets) readSampleInTx(tx *file.Tx, name eval.DatasetName, o eval.Ordinal) (eval.Sample, error) {
	key := record.SampleKey(name, o)
	raw := tx.Table(record.TableSamples).Get(key)
	if raw == nil {
		return eval.Sample{}, fmt.Errorf("sample %d of dataset %q: %w", o, name, eval.ErrNotFound)
	}
	return d.decodeSample(key, raw)
}

// SampleByID gives eval.ErrNotFound for an id that the dataset lacks.
func (d *Datasets) SampleByID(name eval.DatasetName, id eval.SampleID) (eval.Sample, error) {
	found, err := d.SamplesByID(name, []eval.SampleID{id})
	if err == nil && found[0].ID == "" {
		err = fmt.Errorf("sample %q of dataset %q: %w", id, name, eval.ErrNotFound)
	}
	if err != nil {
		return eval.Sample{}, err
	}
	return found[0], nil
}

// bytesAtOnce is how much text SamplesByID gives before it gives no more.
const bytesAtOnce = 4 << 20

// SamplesByID gives the samples of ids in their order, an empty one for an id that
// the dataset lacks: of all ids, or, where their text is long, of the first ones.
func (d *Datasets) SamplesByID(name eval.DatasetName, ids []eval.SampleID) ([]eval.Sample, error) {
	return readInTx(d.s, func(tx *file.Tx) ([]eval.Sample, error) {
		out, size := make([]eval.Sample, len(ids)), 0
		for i, id := range ids {
			o, ok := record.DecodeNumber(tx.Table(record.TableSampleIDs).Get(record.IDKey(name, id)))
			if !ok {
				continue
			}
			var err error
			if out[i], err = d.readSampleInTx(tx, name, eval.Ordinal(o)); err != nil {
				return nil, err
			}
			if size += len(out[i].Question) + len(out[i].Hint); size > bytesAtOnce {
				return out[:i+1], nil
			}
		}
		return out, nil
	})
}

// SampleIDs gives the ids of a dataset's samples by their ordinals, without reading the samples.
func (d *Datasets) SampleIDs(ctx context.Context, name eval.DatasetName) ([]eval.SampleID, error) {
	ds, err := d.Dataset(name)
	if err != nil {
		return nil, err
	}
	out := make([]eval.SampleID, ds.Samples)
	prefix := record.AppendName(nil, string(name))
	err = eval.ForEachRead(d.s.file.Scan(ctx, record.TableSampleIDs, prefix, nil), func(p file.Pair) {
		if o, ok := record.DecodeNumber(p.Value); ok && o < uint64(len(out)) {
			out[o] = eval.SampleID(p.Key[len(prefix):])
		}
	})
	return out, err
}

func (d *Datasets) decodeSample(key, raw []byte) (eval.Sample, error) {
	var r record.Sample
	if err := d.s.codec.Decode(record.TableSamples, key, raw, &r); err != nil {
		return eval.Sample{}, err
	}
	if len(key) < 4 {
		return eval.Sample{}, record.NewCorruptError(record.TableSamples, key, "no ordinal")
	}
	return r.ToSample(eval.Ordinal(binary.BigEndian.Uint32(key[len(key)-4:]))), nil
}

// requireWholeDataset refuses a sample that its dataset does not hold, or that is of one whose
// import has not finished.
func (d *Datasets) requireWholeDataset(tx *file.Tx, name eval.DatasetName, o eval.Ordinal) error {
	ds, err := d.readDataset(tx, name)
	switch {
	case err != nil:
		return err
	case !ds.Complete:
		return eval.NewNotFoundError("dataset %q is not imported whole", name)
	}
	return d.holds(tx, name, o)
}

// holds refuses a sample that its dataset does not hold.
func (d *Datasets) holds(tx *file.Tx, name eval.DatasetName, o eval.Ordinal) error {
	if tx.Table(record.TableSamples).Get(record.SampleKey(name, o)) == nil {
		return fmt.Errorf("sample %d of dataset %q: %w", o, name, eval.ErrNotFound)
	}
	return nil
}

// sampleRow is an item of a batch as it will stand in the buckets.
type sampleRow struct {
	ordinal           eval.Ordinal
	id                eval.SampleID
	key, value, idKey []byte
}

// PutSamples commits a batch in one transaction. A sample that is there under the same ordinal
// is overwritten. It gives ErrFinished for a complete dataset, and ErrInvalid for an id that
// another ordinal has already and for a picture whose bytes are not what its hash says.
func (d *Datasets) PutSamples(ctx context.Context, name eval.DatasetName, batch []dataset.Item) error {
	if len(batch) == 0 {
		return nil
	}
	rows, err := d.makeSampleRows(name, batch)
	if err != nil {
		return fmt.Errorf("put samples of dataset %q: %w", name, err)
	}
	pictures, size, err := collectPictures(batch)
	if err != nil {
		return fmt.Errorf("put samples of dataset %q: %w", name, err)
	}
	size += eval.Sum(rows, func(r sampleRow) int { return len(r.value) + 2*len(r.key) })
	return d.s.file.Apply(ctx, size, func(tx *file.Tx) error {
		ds, err := d.readDataset(tx, name)
		if err != nil {
			return file.NewRejection(err)
		}
		if ds.Complete {
			return file.NewRejection(fmt.Errorf("put samples of dataset %q: %w", name, ErrFinished))
		}
		if err := appendNewPictures(tx, pictures); err != nil {
			return err
		}
		added, err := putSampleRows(tx, rows)
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
		rows = append(rows, sampleRow{ordinal: s.Ordinal, id: s.ID, value: value, key: record.SampleKey(name, s.Ordinal), idKey: record.IDKey(name, s.ID)})
	}
	return rows, nil
}

// putSampleRows writes samples and their ids, each in the order of its keys: bbolt
// inserts into a sorted array, so that another order costs the square.
func putSampleRows(tx *file.Tx, rows []sampleRow) (added int, err error) {
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
