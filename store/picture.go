package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"

	"concord/eval"
	"concord/eval/dataset"
	"concord/store/file"
	"concord/store/record"
)

// picture is a picture on its way into the file.
type picture struct {
	sum, data []byte
}

// collectPictures gathers the pictures of a batch, each once, by hash, and checks
// that their bytes are what their hash says. size is how many bytes they are.
func collectPictures(batch []dataset.Item) (all []picture, size int, err error) {
	seen := make(map[eval.PictureHash]bool)
	for i := range batch {
		for hash, data := range batch[i].Pictures {
			if seen[hash] {
				continue
			}
			seen[hash] = true
			sum := sha256.Sum256(data)
			if hex.EncodeToString(sum[:]) != string(hash) {
				return nil, 0, fmt.Errorf("%w: image %q has other bytes (SHA-256 %x)", ErrInvalid, hash, sum)
			}
			all, size = append(all, picture{sum: sum[:], data: data}), size+len(data)
		}
	}
	slices.SortFunc(all, func(a, b picture) int { return bytes.Compare(a.sum, b.sum) })
	return all, size, nil
}

// appendNewPictures appends the pictures that the file does not hold. Their bytes
// stand in the order of arrival, and the hash leads to them: under the hash
// itself, each picture would have its random neighbours written anew.
func appendNewPictures(tx *file.Tx, pictures []picture) error {
	index, blobs := tx.Table(record.TablePictures), tx.Table(record.TableBlobs)
	blobs.FillPercent = 1
	for _, p := range pictures {
		if index.Get(p.sum) != nil {
			continue
		}
		n, err := blobs.NextNumber()
		if err != nil {
			return err
		}
		if err := blobs.Put(record.EncodeU64(n), p.data); err != nil {
			return fmt.Errorf("put image %x: %w", p.sum, err)
		}
		if err := index.Put(p.sum, record.EncodeU64(n)); err != nil {
			return fmt.Errorf("put image %x: %w", p.sum, err)
		}
	}
	return nil
}

// Picture gives the bytes of a picture, checked against its hash, or eval.ErrNotFound.
func (d *Datasets) Picture(hash eval.PictureHash) ([]byte, error) {
	sum, err := hex.DecodeString(string(hash))
	if err != nil || len(sum) != sha256.Size {
		return nil, fmt.Errorf("image %q: %w: not a SHA-256", hash, eval.ErrNotFound)
	}
	var number, data []byte
	err = d.s.file.View(func(tx *file.Tx) error {
		number = file.Clone(tx.Table(record.TablePictures).Get(sum))
		if number != nil {
			data = file.Clone(tx.Table(record.TableBlobs).Get(number))
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case number == nil:
		return nil, fmt.Errorf("image %s: %w", hash, eval.ErrNotFound)
	case sha256.Sum256(data) != [sha256.Size]byte(sum):
		return nil, record.NewCorruptError(record.TableBlobs, number, "other bytes than the hash of the image says")
	}
	return data, nil
}

// Texts keeps what configurations name by its hash: prompt templates and the
// settings of judges. A text is never changed, since its hash is its name.
type Texts struct{ s *Store }

// Texts is the handle of texts.
func (s *Store) Texts() *Texts { return &Texts{s} }

// Put keeps a text and gives its SHA-256, in hexadecimal. A text that is there costs no commit.
func (t *Texts) Put(ctx context.Context, text string) (hash string, err error) {
	sum := sha256.Sum256([]byte(text))
	hash = hex.EncodeToString(sum[:])
	have, err := t.s.file.Get(record.TableTexts, sum[:])
	if err != nil || have != nil {
		return hash, err
	}
	err = t.s.file.Apply(ctx, len(text)+len(sum), func(tx *file.Tx) error {
		return tx.Table(record.TableTexts).Put(sum[:], []byte(text))
	})
	return hash, eval.WrapError(err, "put text %s", hash[:12])
}

// Text gives the text of a hash, or eval.ErrNotFound.
func (t *Texts) Text(hash string) ([]byte, error) {
	sum, err := hex.DecodeString(hash)
	if err != nil || len(sum) != sha256.Size {
		return nil, fmt.Errorf("%w: %q is no SHA-256", ErrInvalid, hash)
	}
	text, err := t.s.file.Get(record.TableTexts, sum)
	switch {
	case err != nil:
		return nil, err
	case text == nil:
		return nil, fmt.Errorf("text %s: %w", hash[:12], eval.ErrNotFound)
	case sha256.Sum256(text) != [sha256.Size]byte(sum):
		return nil, record.NewCorruptError(record.TableTexts, sum, "another text is stored under this hash")
	}
	return text, nil
}

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
	_, err := newCaptionRevisions(c.s).addInTx(ctx, []eval.Caption{one})
	return eval.WrapError(err, "record caption of sample %d of %q", one.Sample, one.Dataset)
}

// Put commits captions in one transaction. One that is, word for word, what stands for its
// sample by the same model adds nothing, nor does a failed call beside a caption; another one
// is kept as the newer revision. The dataset must hold the sample, else eval.ErrNotFound.
func (c *Captions) Put(ctx context.Context, all []eval.Caption) (added int, err error) {
	anew := newCaptionRevisions(c.s)
	anew.needless = func(earlier []eval.Caption, one *eval.Caption) bool {
		old := newestSaid(earlier, (*eval.Caption).HasReply)
		return old != nil && old.HasReply() && (!one.HasReply() || old.Text == one.Text)
	}
	return anew.addAll(ctx, "put captions", all)
}

// OfSample gives the captions of a sample, by model; of one model, the newest comes last. Calls
// that failed are among them. With an error come those that can be read.
func (c *Captions) OfSample(d eval.DatasetName, o eval.Ordinal) ([]eval.Caption, error) {
	return listPrefix(c.s, record.Captions, record.SampleKey(d, o))
}

// All yields the captions of a dataset's samples in the order of samples, of one sample as Of
// gives them. One that cannot be read yields an error that names it, and the scan goes on.
func (c *Captions) All(ctx context.Context, d eval.DatasetName) iter.Seq2[eval.Caption, error] {
	return scanPrefix(ctx, c.s, record.Captions, record.AppendName(nil, string(d)))
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
	all, err := listPrefix(d.s, record.Detected, record.SampleKey(name, o))
	if len(all) == 0 {
		return nil, err
	}
	return all[len(all)-1].Objects, err
}

// All yields what detectors found in the pictures of a dataset, in the order of samples; of one sample,
// the newest comes last. One that cannot be read yields an error that names it, and the scan goes on.
func (d *Detections) All(ctx context.Context, name eval.DatasetName) iter.Seq2[eval.Detected, error] {
	return scanPrefix(ctx, d.s, record.Detected, record.AppendName(nil, string(name)))
}
