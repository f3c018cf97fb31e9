package store

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"go.etcd.io/bbolt"

	"concord/eval"
)

// Detections keeps the objects that detectors found in samples' pictures.
type Detections struct{ s *Store }

// Detections is the handle of detections.
func (s *Store) Detections() *Detections { return &Detections{s} }

// The record of a sample's objects; the sample and the revision stand in its
// key. Objects are never left out: none is another fact than no record.
type (
	detectionsRecord struct {
		Objects []objectRecord `cbor:"1,keyasint"`
		At      int64          `cbor:"2,keyasint,omitempty"`
	}
	objectRecord struct {
		Label      string  `cbor:"1,keyasint,omitempty"`
		Confidence float64 `cbor:"2,keyasint,omitempty"`
		X1         float64 `cbor:"3,keyasint,omitempty"`
		Y1         float64 `cbor:"4,keyasint,omitempty"`
		X2         float64 `cbor:"5,keyasint,omitempty"`
		Y2         float64 `cbor:"6,keyasint,omitempty"`
	}
)

func fromDetected(d *eval.Detected) detectionsRecord {
	r := detectionsRecord{Objects: []objectRecord{}, At: millis(d.At)}
	for _, o := range d.Objects {
		r.Objects = append(r.Objects, objectRecord(o))
	}
	return r
}

func (d *Detections) read(key, raw []byte) (eval.Detected, error) {
	name, o, rest, ok := cutSample(key)
	if !ok || len(rest) != 4 {
		return eval.Detected{}, corrupt(tableDetections, key, "no key of detections")
	}
	var r detectionsRecord
	if err := d.s.codec.decode(tableDetections, key, raw, &r); err != nil {
		return eval.Detected{}, err
	}
	out := eval.Detected{Dataset: name, Sample: o, Objects: []eval.Detection{}, At: fromMillis(r.At)}
	for _, object := range r.Objects {
		out.Objects = append(out.Objects, eval.Detection(object))
	}
	return out, nil
}

// Put commits what detectors found in one transaction. The same objects as
// those that stand for a sample add nothing; others take their place and leave
// them stored. The dataset must hold the sample, else eval.ErrNotFound.
func (d *Detections) Put(ctx context.Context, all []eval.Detected) (added int, err error) {
	values := make([][]byte, len(all))
	size := 0
	for i := range all {
		if values[i], err = d.s.codec.encode(fromDetected(&all[i])); err != nil {
			return 0, fmt.Errorf("put detections: %w", err)
		}
		size += 32 + len(all[i].Dataset) + len(values[i])
	}
	err = d.s.do(ctx, size, func(tx *bbolt.Tx) (err error) {
		added, err = putEach(len(all), func(i int) (bool, error) {
			one := &all[i]
			if err := d.s.holds(tx, one.Dataset, one.Sample); err != nil {
				return false, err
			}
			key := sampleKey(one.Dataset, one.Sample)
			return revise(tx, tableDetections, key, values[i], d.read, func(earlier []eval.Detected) bool {
				return len(earlier) > 0 && slices.Equal(earlier[len(earlier)-1].Objects, one.Objects)
			})
		})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("put detections: %w", err)
	}
	return added, nil
}

// Of gives the objects in a sample's picture that stand: nil when no detector
// has looked, none when it found nothing.
func (d *Detections) Of(name eval.DatasetName, o eval.Ordinal) ([]eval.Detection, error) {
	all, err := collect(records(d.s.scan(context.Background(), tableDetections, sampleKey(name, o), nil), d.read))
	if len(all) == 0 {
		return nil, err
	}
	return all[len(all)-1].Objects, err
}

// All yields what detectors found in the pictures of a dataset, in the order of
// samples; of one sample, the newest comes last. One that cannot be read yields
// an error that names it, and the scan goes on.
func (d *Detections) All(ctx context.Context, name eval.DatasetName) iter.Seq2[eval.Detected, error] {
	return records(d.s.scan(ctx, tableDetections, appendName(nil, string(name)), nil), d.read)
}
