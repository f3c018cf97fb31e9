package store

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Detections keeps the objects that detectors found in samples' pictures.
type Detections struct{ s *Store }

// Detections is the handle of detections.
func (s *Store) Detections() *Detections { return &Detections{s} }

func (d *Detections) read(key, raw []byte) (eval.Detected, error) {
	name, o, rest, ok := record.CutSample(key)
	if !ok || len(rest) != 4 {
		return eval.Detected{}, record.Corrupt(record.TableDetections, key, "no key of detections")
	}
	var r record.Detections
	if err := d.s.codec.Decode(record.TableDetections, key, raw, &r); err != nil {
		return eval.Detected{}, err
	}
	out := eval.Detected{Dataset: name, Sample: o, Objects: []eval.Detection{}, At: record.FromMillis(r.At)}
	for _, object := range r.Objects {
		out.Objects = append(out.Objects, eval.Detection(object))
	}
	return out, nil
}

// Put commits what detectors found in one transaction. The same objects as
// those that stand for a sample add nothing; others take their place and leave
// them stored. The dataset must hold the sample, else eval.ErrNotFound.
func (d *Detections) Put(ctx context.Context, all []eval.Detected) (added int, err error) {
	values, size, err := encoded(all, func(one *eval.Detected) ([]byte, error) { return d.s.codec.Encode(record.FromDetected(one)) }, func(one *eval.Detected) int { return 32 + len(one.Dataset) })
	if err != nil {
		return 0, fmt.Errorf("put detections: %w", err)
	}
	err = d.s.file.Do(ctx, size, func(tx *file.Tx) (err error) {
		added, err = putEach(len(all), func(i int) (bool, error) {
			one := &all[i]
			if err := d.s.Datasets().holds(tx, one.Dataset, one.Sample); err != nil {
				return false, err
			}
			key := record.SampleKey(one.Dataset, one.Sample)
			return revise(tx, record.TableDetections, key, values[i], d.read, func(earlier []eval.Detected) bool {
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
	all, err := file.Collect(file.Records(d.s.file.Scan(context.Background(), record.TableDetections, record.SampleKey(name, o), nil), d.read))
	if len(all) == 0 {
		return nil, err
	}
	return all[len(all)-1].Objects, err
}

// All yields what detectors found in the pictures of a dataset, in the order of
// samples; of one sample, the newest comes last. One that cannot be read yields
// an error that names it, and the scan goes on.
func (d *Detections) All(ctx context.Context, name eval.DatasetName) iter.Seq2[eval.Detected, error] {
	return file.Records(d.s.file.Scan(ctx, record.TableDetections, record.AppendName(nil, string(name)), nil), d.read)
}
