package store

import (
	"context"
	"iter"
	"slices"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

// Detections keeps the objects that detectors found in samples' pictures.
type Detections struct{ s *Store }

// Detections is the handle of detections.
func (s *Store) Detections() *Detections {
	return &Detections{s}
}

// Put commits what detectors found in one transaction. The same objects as
// those that stand for a sample add nothing; others take their place and leave
// them stored. The dataset must hold the sample, else eval.ErrNotFound.
func (d *Detections) Put(ctx context.Context, all []eval.Detected) (added int, err error) {
	put := revisions[eval.Detected]{
		s: d.s, kind: record.Detected, key: record.Detected.Key,
		may: func(tx *file.Tx, one *eval.Detected) error { return d.s.Datasets().holds(tx, one.Dataset, one.Sample) },
		needless: func(earlier []eval.Detected, one *eval.Detected) bool {
			old := newest(earlier)
			return old != nil && slices.Equal(old.Objects, one.Objects)
		},
	}
	return put.addAll(ctx, "put detections", all)
}

// OfSample gives the objects in a sample's picture that stand: nil when no detector
// has looked, none when it found nothing.
func (d *Detections) OfSample(name eval.DatasetName, o eval.Ordinal) ([]eval.Detection, error) {
	all, err := listUnder(d.s, record.Detected, record.SampleKey(name, o))
	if len(all) == 0 {
		return nil, err
	}
	return all[len(all)-1].Objects, err
}

// All yields what detectors found in the pictures of a dataset, in the order of
// samples; of one sample, the newest comes last. One that cannot be read yields
// an error that names it, and the scan goes on.
func (d *Detections) All(ctx context.Context, name eval.DatasetName) iter.Seq2[eval.Detected, error] {
	return scanUnder(ctx, d.s, record.Detected, record.AppendName(nil, string(name)))
}
