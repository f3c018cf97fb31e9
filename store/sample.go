package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"concord/eval"
	"concord/eval/dataset"
)

// row is an item of a batch as it will stand in the buckets.
type row struct {
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
	rows, err := d.rows(name, batch)
	if err != nil {
		return fmt.Errorf("put samples of dataset %q: %w", name, err)
	}
	pictures, err := picturesOf(batch)
	if err != nil {
		return fmt.Errorf("put samples of dataset %q: %w", name, err)
	}
	size := 0
	for _, r := range rows {
		size += len(r.value) + 2*len(r.key)
	}
	for _, p := range pictures {
		size += len(p.data)
	}
	return d.s.do(ctx, size, func(tx *bbolt.Tx) error {
		ds, err := d.in(tx, name)
		if err != nil {
			return reject(err)
		}
		if ds.Complete {
			return reject(fmt.Errorf("put samples of dataset %q: %w", name, ErrFinished))
		}
		if err := putPictures(tx, pictures); err != nil {
			return err
		}
		added, err := putRows(tx, rows)
		if err != nil {
			return fmt.Errorf("put samples of dataset %q: %w", name, err)
		}
		ds.Samples += added
		return d.put(tx, ds)
	})
}

func (d *Datasets) rows(name eval.DatasetName, batch []dataset.Item) ([]row, error) {
	rows := make([]row, 0, len(batch))
	for i := range batch {
		s := &batch[i].Sample
		if err := checkName("sample", string(s.ID)); err != nil {
			return nil, err
		}
		value, err := d.s.codec.encode(fromSample(s))
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			ordinal: s.Ordinal, id: s.ID, value: value,
			key: sampleKey(name, s.Ordinal), idKey: idKey(name, s.ID),
		})
	}
	return rows, nil
}

// putRows writes samples and their ids, each in the order of its keys: bbolt
// inserts into a sorted array, so that another order costs the square.
func putRows(tx *bbolt.Tx, rows []row) (added int, err error) {
	samples, ids := tx.Bucket([]byte(tableSamples)), tx.Bucket([]byte(tableSampleIDs))
	samples.FillPercent = appendFill
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b row) int { return bytes.Compare(a.key, b.key) })
	for _, r := range rows {
		if samples.Get(r.key) == nil {
			added++
		}
		if err := samples.Put(r.key, r.value); err != nil {
			return 0, err
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return bytes.Compare(a.idKey, b.idKey) })
	for _, r := range rows {
		if o, ok := number(ids.Get(r.idKey)); ok && eval.Ordinal(o) != r.ordinal {
			return 0, fmt.Errorf("%w: id %q is sample %d and sample %d", ErrInvalid, r.id, o, r.ordinal)
		}
		if err := ids.Put(r.idKey, appendU32(nil, uint32(r.ordinal))); err != nil {
			return 0, err
		}
	}
	return added, nil
}

// appendFill is how full the pages of a bucket are left whose keys mostly
// arrive in order; bbolt's default leaves them half empty for keys between.
const appendFill = 0.9

// The records of datasets and samples. Names of buckets and keys are not
// repeated in them.
type (
	datasetRecord struct {
		Samples   int    `cbor:"1,keyasint,omitempty"`
		NoTruth   int    `cbor:"2,keyasint,omitempty"`
		Circular  bool   `cbor:"3,keyasint,omitempty"`
		Hash      string `cbor:"4,keyasint,omitempty"`
		Complete  bool   `cbor:"5,keyasint,omitempty"`
		Synthetic bool   `cbor:"6,keyasint,omitempty"`
		Origin    string `cbor:"7,keyasint,omitempty"`
		Added     int    `cbor:"8,keyasint,omitempty"`
		Coarse    bool   `cbor:"9,keyasint,omitempty"`
	}
	sampleRecord struct {
		ID       string          `cbor:"1,keyasint,omitempty"`
		Kind     uint8           `cbor:"2,keyasint,omitempty"`
		Question string          `cbor:"3,keyasint,omitempty"`
		Hint     string          `cbor:"4,keyasint,omitempty"`
		Options  []optionRecord  `cbor:"5,keyasint,omitempty"`
		Answer   string          `cbor:"6,keyasint,omitempty"`
		Pictures []pictureRecord `cbor:"7,keyasint,omitempty"`
		Taxonomy []string        `cbor:"8,keyasint,omitempty"`
		Split    string          `cbor:"9,keyasint,omitempty"`
		Source   string          `cbor:"10,keyasint,omitempty"`
		Ref      string          `cbor:"11,keyasint,omitempty"`
		Type     uint8           `cbor:"12,keyasint,omitempty"`
	}
	optionRecord struct {
		Letter string `cbor:"1,keyasint,omitempty"`
		Text   string `cbor:"2,keyasint,omitempty"`
	}
	pictureRecord struct {
		Hash string `cbor:"1,keyasint,omitempty"`
		Name string `cbor:"2,keyasint,omitempty"`
	}
)

func fromDataset(d eval.Dataset) datasetRecord {
	return datasetRecord{
		Samples: d.Samples, NoTruth: d.NoTruth, Circular: d.Circular, Hash: d.Hash,
		Complete: d.Complete, Synthetic: d.Synthetic, Origin: d.Origin, Added: d.Added, Coarse: d.Coarse,
	}
}

func (r datasetRecord) dataset(name eval.DatasetName) eval.Dataset {
	return eval.Dataset{
		Name: name, Samples: r.Samples, NoTruth: r.NoTruth, Circular: r.Circular, Hash: r.Hash,
		Complete: r.Complete, Synthetic: r.Synthetic, Origin: r.Origin, Added: r.Added, Coarse: r.Coarse,
	}
}

func fromSample(s *eval.Sample) sampleRecord {
	r := sampleRecord{
		ID: string(s.ID), Kind: uint8(s.Kind), Question: s.Question, Hint: s.Hint,
		Options: fromOptions(s.Options), Answer: string(s.Answer), Taxonomy: s.Taxonomy,
		Split: s.Split, Source: s.Source, Ref: s.Reference, Type: uint8(s.Type),
	}
	for _, p := range s.Pictures {
		r.Pictures = append(r.Pictures, pictureRecord{Hash: string(p.Hash), Name: p.Name})
	}
	return r
}

func (r sampleRecord) sample(o eval.Ordinal) eval.Sample {
	s := eval.Sample{
		Ordinal: o, ID: eval.SampleID(r.ID), Kind: eval.Kind(r.Kind), Question: r.Question, Hint: r.Hint,
		Options: toOptions(r.Options), Answer: eval.Choice(r.Answer), Taxonomy: r.Taxonomy,
		Split: r.Split, Source: r.Source, Reference: r.Ref, Type: eval.QuestionType(r.Type),
	}
	for _, p := range r.Pictures {
		s.Pictures = append(s.Pictures, eval.Picture{Hash: eval.PictureHash(p.Hash), Name: p.Name})
	}
	return s
}

func fromOptions(options []eval.Option) []optionRecord {
	var out []optionRecord
	for _, o := range options {
		out = append(out, optionRecord{Letter: string(o.Letter), Text: o.Text})
	}
	return out
}

func toOptions(records []optionRecord) []eval.Option {
	var out []eval.Option
	for _, r := range records {
		out = append(out, eval.Option{Letter: eval.Choice(r.Letter), Text: r.Text})
	}
	return out
}
