package store

import (
	"context"
	"fmt"
	"iter"
	"time"

	"concord/eval"
	"concord/store/file"
	"concord/store/record"
)

var _ eval.CaptionRecorder = (*Captions)(nil)

// Captions keeps models' descriptions of samples' pictures.
type Captions struct{ s *Store }

// Captions is the handle of captions.
func (s *Store) Captions() *Captions { return &Captions{s} }

func (c *Captions) read(key, raw []byte) (eval.Caption, error) {
	d, o, rest, ok := record.CutSample(key)
	model, rest, named := record.CutName(rest)
	if !ok || !named || len(rest) != 4 {
		return eval.Caption{}, record.Corrupt(record.TableCaptions, key, "no key of a caption")
	}
	var r record.Caption
	if err := c.s.codec.Decode(record.TableCaptions, key, raw, &r); err != nil {
		return eval.Caption{}, err
	}
	return eval.Caption{
		Dataset: d, Sample: o, Model: model, Text: r.Text,
		Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.Usage(), Latency: time.Duration(r.Latency), At: record.FromMillis(r.At), Failure: r.Failure(),
	}, nil
}

// RecordCaption returns once the caption is committed behind the earlier ones
// of its model on that sample, together with whatever else waited.
func (c *Captions) RecordCaption(ctx context.Context, one eval.Caption) error {
	if _, err := c.put(ctx, []eval.Caption{one}, func(_, _ *eval.Caption) bool { return false }); err != nil {
		return fmt.Errorf("record caption of sample %d of %q: %w", one.Sample, one.Dataset, err)
	}
	return nil
}

// Put commits captions in one transaction. One that is, word for word, what
// stands for its sample by the same model adds nothing, nor does a failed call
// beside a caption; another one is kept as the newer revision. The dataset must
// hold the sample, else eval.ErrNotFound.
func (c *Captions) Put(ctx context.Context, all []eval.Caption) (added int, err error) {
	added, err = c.put(ctx, all, func(old, one *eval.Caption) bool {
		return old.Reads() && (!one.Reads() || old.Text == one.Text)
	})
	if err != nil {
		return 0, fmt.Errorf("put captions: %w", err)
	}
	return added, nil
}

// put commits captions but those that are needless beside the one that stands.
func (c *Captions) put(ctx context.Context, all []eval.Caption, needless func(old, one *eval.Caption) bool) (added int, err error) {
	encode := func(one *eval.Caption) ([]byte, error) {
		if err := record.CheckName("model", one.Model); err != nil {
			return nil, err
		}
		return c.s.codec.Encode(record.FromCaption(one))
	}
	values, size, err := encoded(all, encode, func(one *eval.Caption) int { return 64 + len(one.Dataset) + len(one.Model) })
	if err != nil {
		return 0, err
	}
	err = c.s.file.Do(ctx, size, func(tx *file.Tx) (err error) {
		added, err = putEach(len(all), func(i int) (bool, error) {
			one := &all[i]
			if err := c.s.Datasets().holds(tx, one.Dataset, one.Sample); err != nil {
				return false, err
			}
			prefix := record.AppendName(record.SampleKey(one.Dataset, one.Sample), one.Model)
			return revise(tx, record.TableCaptions, prefix, values[i], c.read, func(earlier []eval.Caption) bool {
				old := standing(earlier, (*eval.Caption).Reads)
				return old != nil && needless(old, one)
			})
		})
		return err
	})
	return added, err
}

// Of gives the captions of a sample, by model; of one model, the newest comes
// last. Calls that failed are among them. With an error come those that can be
// read.
func (c *Captions) Of(d eval.DatasetName, o eval.Ordinal) ([]eval.Caption, error) {
	return file.Collect(file.Records(c.s.file.Scan(context.Background(), record.TableCaptions, record.SampleKey(d, o), nil), c.read))
}

// All yields the captions of a dataset's samples in the order of samples, of
// one sample as Of gives them. One that cannot be read yields an error that
// names it, and the scan goes on.
func (c *Captions) All(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Caption, error] {
	return file.Records(c.s.file.Scan(ctx, record.TableCaptions, record.AppendName(nil, string(d)), nil), c.read)
}
