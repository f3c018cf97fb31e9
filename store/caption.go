package store

import (
	"context"
	"fmt"
	"iter"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

var _ eval.CaptionRecorder = (*Captions)(nil)

// Captions keeps models' descriptions of samples' pictures.
type Captions struct{ s *Store }

// Captions is the handle of captions.
func (s *Store) Captions() *Captions {
	return &Captions{s}
}

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
