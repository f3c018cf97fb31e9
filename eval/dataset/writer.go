package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/profile"
)

// sampleWriter makes items of rows and hands them to the sink in batches. Samples whose
// pictures stand in a row further down wait, without pictures, until the end.
type sampleWriter struct {
	ctx      context.Context
	im       *importer
	put      func(ctx context.Context, name eval.DatasetName, batch []Item) error
	next     eval.Ordinal
	batch    []Item
	size     int
	pictures map[eval.PictureHash]bool // known to the sink, or in the batch
	slots    map[string][]pictureSlot  // pictures of rows that others refer to
	loose    map[eval.PictureHash][]byte
	waiting  []*waitingSample
	due      map[string][]*waitingSample // by the row that they wait for
}

func newSampleWriter(ctx context.Context, im *importer, put func(context.Context, eval.DatasetName, []Item) error) *sampleWriter {
	return &sampleWriter{ctx: ctx, im: im, put: put, pictures: map[eval.PictureHash]bool{}, slots: map[string][]pictureSlot{}, due: map[string][]*waitingSample{}}
}

// pictureSlot is a picture, or a reference to the row that holds it.
type pictureSlot struct {
	picture eval.Picture
	ref     string
}

// waitingSample is a sample whose pictures stand in a row further down.
type waitingSample struct {
	sample eval.Sample
	slots  []pictureSlot
	names  []string
	line   int
	put    bool
}

// maxReferences is how long a chain of references may be.
const maxReferences = 4

// addRow takes one row: as a sample, or for the picture that others refer to.
func (w *sampleWriter) addRow(r *profile.Row, rec *record, e *rowEntry) error {
	wanted := w.im.refs[rec.index]
	if !e.first && !wanted {
		return nil
	}
	if w.size+len(r.Cell(r.Head.Image)) > 2*batchBytes {
		if err := w.flushBatch(); err != nil { // before another large picture is decoded
			return err
		}
	}
	item := Item{Pictures: map[eval.PictureHash][]byte{}}
	slots, err := w.decodePictures(r, &item)
	if err != nil {
		return err
	}
	if wanted {
		w.slots[rec.index] = slots
	}
	if !e.first {
		w.carryPicturesForward(item.Pictures)
		return w.addResolvedSamples(rec.index)
	}
	s := unrotateSample(rec.sample, e.pass)
	s.ID, s.Ordinal = eval.SampleID(w.im.seen.textAt(e.id)), w.next
	w.next++
	w.im.countMissingParts(&s, e)
	pictures, ok := w.resolveReferences(slots, 0)
	if !ok {
		w.queueForPictures(&waitingSample{sample: s, slots: slots, names: r.PicturePaths(), line: r.Line})
		w.carryPicturesForward(item.Pictures)
		return nil
	}
	s.Pictures = pictures
	item.Sample = s
	if err := w.namePictures(&item, r.PicturePaths(), r.Line); err != nil {
		return err
	}
	if err := w.batchItem(item); err != nil || !wanted {
		return err
	}
	return w.addResolvedSamples(rec.index)
}

func (w *sampleWriter) queueForPictures(s *waitingSample) {
	w.waiting = append(w.waiting, s)
	for _, t := range s.slots {
		if t.ref != "" {
			w.due[t.ref] = append(w.due[t.ref], s)
		}
	}
}

// addResolvedSamples puts the samples that waited for a row.
func (w *sampleWriter) addResolvedSamples(index string) error {
	for _, s := range w.due[index] {
		pictures, ok := w.resolveReferences(s.slots, 0)
		if s.put || !ok {
			continue
		}
		s.put = true
		if err := w.addLateSample(s, pictures); err != nil {
			return err
		}
	}
	delete(w.due, index)
	return nil
}

// attachIfUnknown adds a picture to an item, unless it is known.
func (w *sampleWriter) attachIfUnknown(item *Item, h eval.PictureHash, data []byte) {
	if !w.pictures[h] {
		w.pictures[h] = true
		item.Pictures[h] = data
	}
}

// countMissingParts counts what a question lacks: a truth, or passes.
func (im *importer) countMissingParts(s *eval.Sample, e *rowEntry) {
	if !s.HasTruth() {
		im.sum.NoTruth++
	}
	if im.seen.circular && e.passes != 1<<s.PassCount()-1 {
		im.sum.Irregular++
	}
}

// decodePictures decodes the row's pictures into the item. One that cannot be decoded
// is reported and left as a name.
func (w *sampleWriter) decodePictures(r *profile.Row, item *Item) ([]pictureSlot, error) {
	var slots []pictureSlot
	for _, image := range column.SplitImageCell(r.Cell(r.Head.Image)) {
		switch {
		case len(image) == 0:
			continue
		case profile.NamesAnotherRow(image):
			slots = append(slots, pictureSlot{ref: profile.ReferencedIndex(image)})
			continue
		}
		p, data, err := decodePicture(image)
		if err != nil {
			slots = append(slots, pictureSlot{picture: eval.Picture{Name: "unreadable"}})
			if err := w.im.sum.reportProblem(w.im.src.File.NewWarning(r.Line, "%s", err), &w.im.o); err != nil {
				return nil, err
			}
			continue
		}
		slots = append(slots, pictureSlot{picture: p})
		w.attachIfUnknown(item, p.Hash, data)
	}
	return slots, nil
}

// resolveReferences follows references; ok is false while one leads to a row that is
// to come, or in circles.
func (w *sampleWriter) resolveReferences(slots []pictureSlot, depth int) (out []eval.Picture, ok bool) {
	for _, s := range slots {
		if s.ref == "" {
			out = append(out, s.picture)
			continue
		}
		target, known := w.slots[s.ref]
		if !known || depth > maxReferences {
			return nil, false
		}
		pictures, ok := w.resolveReferences(target, depth+1)
		if !ok {
			return nil, false
		}
		out = append(out, pictures...)
	}
	return out, true
}

// namePictures gives an item's pictures the names of the path column; names beyond the pictures are looked
// up in the folder of pictures. Those that are not there are pictures that the project does not hold.
func (w *sampleWriter) namePictures(item *Item, names []string, line int) error {
	s := &item.Sample
	for i, n := range names {
		if i < len(s.Pictures) {
			s.Pictures[i].Name = n
		} else {
			s.Pictures = append(s.Pictures, eval.Picture{Name: n})
		}
	}
	for i := range s.Pictures {
		p := &s.Pictures[i]
		if p.Hash == "" {
			found, data, err := w.im.images.readPicture(p.Name)
			if err != nil {
				if err := w.im.sum.reportProblem(w.im.src.File.NewWarning(line, "%s", err), &w.im.o); err != nil {
					return err
				}
			}
			if data == nil {
				w.im.sum.MissingPictures++
				continue
			}
			*p = found
			w.attachIfUnknown(item, p.Hash, data)
		}
	}
	return nil
}

func (w *sampleWriter) addLateSample(s *waitingSample, pictures []eval.Picture) error {
	item := Item{Sample: s.sample, Pictures: map[eval.PictureHash][]byte{}}
	item.Sample.Pictures = pictures
	if err := w.namePictures(&item, s.names, s.line); err != nil {
		return err
	}
	return w.batchItem(item)
}

// carryPicturesForward holds pictures for the next item that goes out.
func (w *sampleWriter) carryPicturesForward(pictures map[eval.PictureHash][]byte) {
	for h, data := range pictures {
		eval.EnsureMap(&w.loose)[h] = data
		w.size += len(data)
	}
}

// sampleMemory is how many bytes a sample takes for each of its text, until it is committed.
const sampleMemory = 4

// batchItem adds an item to the batch, and hands the batch on before it grows over its bound.
func (w *sampleWriter) batchItem(item Item) error {
	options := eval.Sum(item.Sample.Options, func(o eval.Option) int { return len(o.Text) + 8 })
	size := sampleMemory * (len(item.Sample.Question) + len(item.Sample.Hint) + 256 + options)
	for _, data := range item.Pictures {
		size += len(data)
	}
	if w.size+size > batchBytes && len(w.batch) > 0 {
		if err := w.flushBatch(); err != nil {
			return err
		}
	}
	maps.Copy(item.Pictures, w.loose)
	clear(w.loose)
	w.batch = append(w.batch, item)
	w.size += size
	return nil
}

func (w *sampleWriter) flushBatch() error {
	if len(w.batch) == 0 {
		return nil
	}
	if err := w.put(w.ctx, w.im.o.Name, w.batch); err != nil {
		return fmt.Errorf("put samples: %w", err)
	}
	clear(w.batch)
	w.batch, w.size = w.batch[:0], 0
	return nil
}

// addUnresolvedSamples puts the samples that waited for their pictures.
func (w *sampleWriter) addUnresolvedSamples() error {
	for _, wait := range w.waiting {
		if wait.put {
			continue
		}
		var pictures []eval.Picture
		for _, s := range wait.slots {
			found, ok := w.resolveReferences([]pictureSlot{s}, 0)
			if ok {
				pictures = append(pictures, found...)
				continue
			}
			pictures = append(pictures, eval.Picture{Name: s.ref})
			p := w.im.src.File.NewWarning(wait.line, "the image of row %.64q is referred to, but there is none", s.ref)
			if err := w.im.sum.reportProblem(p, &w.im.o); err != nil {
				return err
			}
		}
		if err := w.addLateSample(wait, pictures); err != nil {
			return err
		}
	}
	return w.flushBatch()
}

// decodePicture turns base64 text into a picture and its bytes.
func decodePicture(image []byte) (eval.Picture, []byte, error) {
	if bytes.HasPrefix(image, []byte("data:")) {
		_, image, _ = bytes.Cut(image, []byte(","))
	}
	encoding := base64.StdEncoding
	image = bytes.TrimSpace(image)
	if !bytes.HasSuffix(image, []byte("=")) && len(image)%4 != 0 {
		encoding = base64.RawStdEncoding
	}
	data := make([]byte, encoding.DecodedLen(len(image)))
	n, err := encoding.Decode(data, image)
	if err != nil {
		return eval.Picture{}, nil, fmt.Errorf("decode image: %w", err)
	}
	if n == 0 {
		return eval.Picture{}, nil, errors.New("decode image: it is empty")
	}
	return hashPicture(data[:n]), data[:n], nil
}

func hashPicture(data []byte) eval.Picture {
	sum := sha256.Sum256(data)
	return eval.Picture{Hash: eval.PictureHash(hex.EncodeToString(sum[:]))}
}
