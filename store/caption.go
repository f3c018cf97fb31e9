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

var _ eval.CaptionRecorder = (*Captions)(nil)

// Captions keeps models' descriptions of samples' pictures.
type Captions struct{ s *Store }

// Captions is the handle of captions.
func (s *Store) Captions() *Captions { return &Captions{s} }

func newCaptionRevisions(s *Store) *revisions[eval.Caption] {
	return &revisions[eval.Caption]{
		s: s, kind: record.Captions, key: record.Captions.Key,
		may: func(tx *file.Tx, one *eval.Caption) error { return s.Datasets().holds(tx, one.Dataset, one.Sample) },
	}
}

// RecordCaption returns once the caption is committed behind the earlier ones
// of its model on that sample, together with whatever else waited.
func (c *Captions) RecordCaption(ctx context.Context, one eval.Caption) error {
	if _, err := newCaptionRevisions(c.s).addInTx(ctx, []eval.Caption{one}); err != nil {
		return fmt.Errorf("record caption of sample %d of %q: %w", one.Sample, one.Dataset, err)
	}
	return nil
}

// Put commits captions in one transaction. One that is, word for word, what
// stands for its sample by the same model adds nothing, nor does a failed call
// beside a caption; another one is kept as the newer revision. The dataset must
// hold the sample, else eval.ErrNotFound.
func (c *Captions) Put(ctx context.Context, all []eval.Caption) (added int, err error) {
	anew := newCaptionRevisions(c.s)
	anew.needless = func(earlier []eval.Caption, one *eval.Caption) bool {
		old := newestSaid(earlier, (*eval.Caption).HasReply)
		return old != nil && old.HasReply() && (!one.HasReply() || old.Text == one.Text)
	}
	return anew.addAll(ctx, "put captions", all)
}

// OfSample gives the captions of a sample, by model; of one model, the newest comes
// last. Calls that failed are among them. With an error come those that can be
// read.
func (c *Captions) OfSample(d eval.DatasetName, o eval.Ordinal) ([]eval.Caption, error) {
	return listUnder(c.s, record.Captions, record.SampleKey(d, o))
}

// All yields the captions of a dataset's samples in the order of samples, of
// one sample as Of gives them. One that cannot be read yields an error that
// names it, and the scan goes on.
func (c *Captions) All(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Caption, error] {
	return scanUnder(ctx, c.s, record.Captions, record.AppendName(nil, string(d)))
}

// Detections keeps the objects that detectors found in samples' pictures.
type Detections struct{ s *Store }

// Detections is the handle of detections.
func (s *Store) Detections() *Detections { return &Detections{s} }

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
