package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"time"

	"go.etcd.io/bbolt"

	"concord/eval"
)

var _ eval.CaptionRecorder = (*Captions)(nil)

// Captions keeps models' descriptions of samples' pictures.
type Captions struct{ s *Store }

// Captions is the handle of captions.
func (s *Store) Captions() *Captions { return &Captions{s} }

// captionRecord is the record of a caption; the sample, the model and the
// revision stand in its key.
type captionRecord struct {
	Text string `cbor:"1,keyasint,omitempty"`
	callRecord
}

func fromCaption(c *eval.Caption) captionRecord {
	r := captionRecord{Text: c.Text, callRecord: callRecord{PromptHash: c.Prompt, Setup: c.Setup, Served: c.Served, Finish: c.Finish}}
	r.cost(c.Usage, c.Latency, c.At)
	r.fail(c.Failure)
	return r
}

func (c *Captions) read(key, raw []byte) (eval.Caption, error) {
	d, o, rest, ok := cutSample(key)
	model, rest, named := cutName(rest)
	if !ok || !named || len(rest) != 4 {
		return eval.Caption{}, corrupt(tableCaptions, key, "no key of a caption")
	}
	var r captionRecord
	if err := c.s.codec.decode(tableCaptions, key, raw, &r); err != nil {
		return eval.Caption{}, err
	}
	return eval.Caption{
		Dataset: d, Sample: o, Model: model, Text: r.Text,
		Prompt: r.PromptHash, Setup: r.Setup, Served: r.Served, Finish: r.Finish,
		Usage: r.usage(), Latency: time.Duration(r.Latency), At: fromMillis(r.At), Failure: r.failure(),
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
	values := make([][]byte, len(all))
	size := 0
	for i := range all {
		if err := checkName("model", all[i].Model); err != nil {
			return 0, err
		}
		if values[i], err = c.s.codec.encode(fromCaption(&all[i])); err != nil {
			return 0, err
		}
		size += 64 + len(all[i].Dataset) + len(all[i].Model) + len(values[i])
	}
	err = c.s.do(ctx, size, func(tx *bbolt.Tx) (err error) {
		added, err = putEach(len(all), func(i int) (bool, error) {
			one := &all[i]
			if err := c.s.holds(tx, one.Dataset, one.Sample); err != nil {
				return false, err
			}
			prefix := appendName(sampleKey(one.Dataset, one.Sample), one.Model)
			return revise(tx, tableCaptions, prefix, values[i], c.read, func(earlier []eval.Caption) bool {
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
	return collect(records(c.s.scan(context.Background(), tableCaptions, sampleKey(d, o), nil), c.read))
}

// All yields the captions of a dataset's samples in the order of samples, of
// one sample as Of gives them. One that cannot be read yields an error that
// names it, and the scan goes on.
func (c *Captions) All(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Caption, error] {
	return records(c.s.scan(ctx, tableCaptions, appendName(nil, string(d)), nil), c.read)
}

// holds refuses a sample that its dataset does not hold.
func (s *Store) holds(tx *bbolt.Tx, d eval.DatasetName, o eval.Ordinal) error {
	if tx.Bucket([]byte(tableSamples)).Get(sampleKey(d, o)) == nil {
		return fmt.Errorf("sample %d of dataset %q: %w", o, d, eval.ErrNotFound)
	}
	return nil
}

// cutSample reads the sample that b begins with.
func cutSample(b []byte) (eval.DatasetName, eval.Ordinal, []byte, bool) {
	name, rest, ok := cutName(b)
	if !ok || len(rest) < 4 {
		return "", 0, nil, false
	}
	return eval.DatasetName(name), eval.Ordinal(binary.BigEndian.Uint32(rest)), rest[4:], true
}
