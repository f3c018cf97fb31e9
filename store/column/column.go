// Package column keeps in columns what a rule set reads in the predictions of a run, of the samples what
// figures are made of, and many records of one kind as they stand in the project. Columns are derived data
// in a folder of the user's: they may be dropped at any time, and a damaged file is as good as none.
//
// It reads no project: who builds columns says of which records they are, by the sums that
// the project keeps of these, and columns of other records are none.
package column

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"concord/eval"
)

// Samples are those of a dataset, without their texts.
type Samples struct {
	Alike  []eval.Sample    // each once, as far as samples differ in their number, id and images alone
	Which  []uint32         // of Alike, by ordinal
	IDs    []byte           // one behind the other: a million strings would be as many objects
	IDEnds []uint32         // in IDs, by ordinal
	Images [][]eval.Picture // each list once
	Image  []uint32         // of Images, by ordinal
	Texts  bool             // figures are made of texts, too: these columns are not enough

	alike, images map[string]uint32
}

// most is what room is made for at once, whatever number a project states.
const most = 1 << 22

// ReserveSamples makes room for n samples, so that columns are not copied as they grow.
func (c *Samples) ReserveSamples(n int) {
	n = min(n, most)
	c.Which, c.Image, c.IDEnds = slices.Grow(c.Which, n), slices.Grow(c.Image, n), slices.Grow(c.IDEnds, n)
	c.IDs = slices.Grow(c.IDs, 8*n)
}

// AddSample takes the next sample. It reports false for one that is not the next.
func (c *Samples) AddSample(s *eval.Sample) bool {
	if int(s.Ordinal) != len(c.Which) {
		return false
	}
	c.Texts = c.Texts || s.Kind != eval.KindChoice && s.Kind != eval.KindYesNo || s.Metric != "" || s.Reference != "" || len(s.References) > 0
	c.Which = append(c.Which, numberOfKey(&c.alike, keyOfAlikeSamples(s), func() { c.Alike = append(c.Alike, stripTexts(s)) }))
	var images strings.Builder
	for _, p := range s.Pictures {
		images.WriteString(string(p.Hash) + "\x00" + p.Name + "\x00")
	}
	c.Image = append(c.Image, numberOfKey(&c.images, images.String(), func() { c.Images = append(c.Images, slices.Clone(s.Pictures)) }))
	c.IDs = append(c.IDs, s.ID...)
	c.IDEnds = append(c.IDEnds, uint32(len(c.IDs)))
	return true
}

// ReadSample makes s the sample of an ordinal. Its lists are shared.
func (c *Samples) ReadSample(o int, s *eval.Sample) {
	*s = c.Alike[c.Which[o]]
	from := uint32(0)
	if o > 0 {
		from = c.IDEnds[o-1]
	}
	s.Ordinal, s.ID, s.Pictures = eval.Ordinal(o), eval.SampleID(c.IDs[from:c.IDEnds[o]]), c.Images[c.Image[o]]
}

// numberOfKey is that of what has a key, and a new one for what is met first.
func numberOfKey(known *map[string]uint32, key string, first func()) uint32 {
	numbers := eval.EnsureMap(known)
	return eval.GetOrAdd(numbers, key, func() uint32 {
		first()
		return uint32(len(numbers))
	})
}

// stripTexts gives a sample less its texts, and what tells it from others like it.
func stripTexts(s *eval.Sample) eval.Sample {
	return eval.Sample{
		Kind: s.Kind, Options: keepLettersOnly(s.Options), Answer: s.Answer, Taxonomy: slices.Clone(s.Taxonomy), Also: s.Also,
		Split: s.Split, Source: s.Source, Type: s.Type, Groups: slices.Clone(s.Groups),
	}
}

func keepLettersOnly(options []eval.Option) []eval.Option {
	out := make([]eval.Option, len(options))
	for i := range options {
		out[i].Letter = options[i].Letter
	}
	return out
}

func keyOfAlikeSamples(s *eval.Sample) string {
	b := []byte{byte(s.Kind), byte(s.Type)}
	add := func(parts ...string) {
		b = binary.AppendUvarint(b, uint64(len(parts)))
		for _, p := range parts {
			b = append(binary.AppendUvarint(b, uint64(len(p))), p...)
		}
	}
	add(string(s.Answer), s.Split, s.Source)
	b = binary.AppendUvarint(b, uint64(len(s.Options)))
	for i := range s.Options {
		add(string(s.Options[i].Letter))
	}
	add(s.Taxonomy...)
	b = binary.AppendUvarint(b, uint64(len(s.Also))) // else the last path could be a group
	for _, path := range s.Also {
		add(path...)
	}
	for _, g := range s.Groups {
		add(g.Name, g.Value)
	}
	return string(b)
}

// Readings are what a rule set reads in the predictions of a run, by sample and pass.
type Readings struct {
	Kinds  []Reading // each once
	Which  []uint32  // of Kinds, by prediction
	Sample []uint32
	Pass   []uint8

	kinds map[string]uint32
}

// Reading is a prediction without its text, of which it has the first word where a
// figure says whether that is yes or no.
type Reading struct {
	Extracted eval.Extracted
	Failure   *eval.Failure // its kind and status
	Shown     *eval.Shown   // without texts
	Word      string
}

// ReservePredictions makes room for n predictions, so that columns are not copied as they grow.
func (c *Readings) ReservePredictions(n int) {
	n = min(n, most)
	c.Which, c.Sample, c.Pass = slices.Grow(c.Which, n), slices.Grow(c.Sample, n), slices.Grow(c.Pass, n)
}

// wordSize is enough to see whether a text begins with yes or no, as a word.
const wordSize = 8

// AddPrediction takes the next prediction of a sample, and what a rule set reads in it.
func (c *Readings) AddPrediction(s *eval.Sample, p *eval.Prediction, x *eval.Extracted) {
	r := Reading{Extracted: *x}
	key := []byte{byte(x.Status)}
	add := func(text string) { key = append(binary.AppendUvarint(key, uint64(len(text))), text...) }
	add(string(x.Choice))
	add(x.Method)
	if f := p.Failure; f != nil {
		r.Failure = &eval.Failure{Kind: f.Kind, Status: f.Status}
		key = binary.AppendVarint(append(key, 1, byte(f.Kind)), int64(f.Status))
	}
	if p.Shown != nil {
		r.Shown = &eval.Shown{Options: keepLettersOnly(p.Shown.Options), Answer: p.Shown.Answer}
		key = append(key, 2, byte(len(p.Shown.Options)))
		add(string(p.Shown.Answer))
		for i := range p.Shown.Options {
			add(string(p.Shown.Options[i].Letter))
		}
	}
	if s.Kind == eval.KindYesNo {
		text := strings.TrimSpace(p.Text)
		r.Word = text[:min(wordSize, len(text))]
		key = append(key, 3)
		add(r.Word)
	}
	c.Which = append(c.Which, numberOfKey(&c.kinds, string(key), func() { c.Kinds = append(c.Kinds, r) }))
	c.Sample, c.Pass = append(c.Sample, uint32(p.Sample)), append(c.Pass, uint8(p.Pass))
}

// FitsSamples reports whether the readings are of these samples, in their order.
func (c *Readings) FitsSamples(s *Samples) bool {
	sorted := slices.IsSortedFunc(c.Sample, cmp.Compare[uint32])
	last := len(c.Sample) - 1
	return len(c.Which) == len(c.Sample) && len(c.Pass) == len(c.Sample) && sorted && (last < 0 || int(c.Sample[last]) < len(s.Which)) &&
		!slices.ContainsFunc(c.Which, func(n uint32) bool { return int(n) >= len(c.Kinds) })
}

// ReadPredictions gives a question the predictions of a run, of which the first is number from, and gives
// the number of the one behind the last. Room is where predictions stand, empty ones behind its end.
func (c *Readings) ReadPredictions(run eval.RunID, q *eval.Question, from int, room []eval.Prediction) int {
	at := len(room)
	for ; from < len(c.Sample) && c.Sample[from] <= uint32(q.Sample.Ordinal); from++ {
		room = slices.Grow(room, 1)[:len(room)+1]
		r, p := &c.Kinds[c.Which[from]], &room[len(room)-1]
		p.Key = eval.Key{Run: run, Sample: q.Sample.Ordinal, Pass: eval.Pass(c.Pass[from])}
		p.Text, p.Shown, p.Failure, p.Extracted = r.Word, r.Shown, r.Failure, &r.Extracted
	}
	q.Predictions = room[at:len(room):len(room)]
	return from
}

// JoinReadings makes one of what several rule sets read in the same predictions: what each reads comes
// before what the next one does.
func JoinReadings(all []*Readings) *Readings {
	joined := all[len(all)-1]
	for _, one := range slices.Backward(all[:len(all)-1]) {
		next := joined.Kinds
		joined = &Readings{Which: slices.Clone(joined.Which), Sample: one.Sample, Pass: one.Pass}
		known := make(map[[2]uint32]uint32)
		for i, n := range joined.Which {
			pair := [2]uint32{one.Which[i], n}
			joined.Which[i] = eval.GetOrAdd(known, pair, func() uint32 {
				kind := one.Kinds[pair[0]]
				kind.Extracted.Next = &next[pair[1]].Extracted
				joined.Kinds = append(joined.Kinds, kind)
				return uint32(len(joined.Kinds) - 1)
			})
		}
	}
	return joined
}

// format is raised when columns of before would be read as something else, or may be wrong.
const format = 4

// Folder keeps columns of one project, each in a file of its own. The zero value keeps none.
type Folder struct{ path string }

// ColumnsFolder is the folder, within one of the user's, for the project at path.
func ColumnsFolder(within, path string) Folder {
	if within == "" {
		return Folder{}
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return Folder{filepath.Join(within, "columns", hashFileName(path))}
}

func hashFileName(of string) string {
	sum := sha256.Sum256([]byte(of))
	return hex.EncodeToString(sum[:8])
}

// columnHeader says of which records columns are.
type columnHeader struct {
	Format int
	Of     string // what they are, and of which records
}

// LoadColumns reads columns into a pointer. It gives false where there are none that are of just these records.
func (f Folder) LoadColumns(what, of string, into any) bool {
	if f.path == "" {
		return false
	}
	path := filepath.Join(f.path, hashFileName(what))
	if at, err := os.Stat(path); err != nil || !at.Mode().IsRegular() { // a pipe would never end
		return false
	}
	raw, err := os.ReadFile(path)
	if err != nil || len(raw) < sha256.Size || sha256.Sum256(raw[sha256.Size:]) != [sha256.Size]byte(raw) {
		return false
	}
	d := gob.NewDecoder(bytes.NewReader(raw[sha256.Size:]))
	var h columnHeader
	return d.Decode(&h) == nil && h == columnHeader{format, what + "\n" + of} && d.Decode(into) == nil
}

// removeParts removes what those left who were killed while they wrote, which takes no hour.
func (f Folder) removeParts() {
	parts, _ := filepath.Glob(filepath.Join(f.path, "part*"))
	for _, part := range parts {
		if at, err := os.Lstat(part); err == nil && time.Since(at.ModTime()) > time.Hour {
			_ = os.Remove(part) // another time, else
		}
	}
}

// SaveColumns keeps columns in the place of those of before.
func (f Folder) SaveColumns(what, of string, columns any) error {
	if f.path == "" {
		return nil
	}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return err
	}
	f.removeParts()
	out, err := os.CreateTemp(f.path, "part")
	if err != nil {
		return err
	}
	sum := sha256.New()
	e := gob.NewEncoder(io.MultiWriter(out, sum))
	_, err = out.Write(make([]byte, sha256.Size)) // the place of the sum
	err = errors.Join(err, e.Encode(columnHeader{format, what + "\n" + of}), e.Encode(columns))
	if err == nil {
		_, err = out.WriteAt(sum.Sum(nil), 0)
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(out.Name(), filepath.Join(f.path, hashFileName(what)))
	}
	if err != nil {
		return fmt.Errorf("write columns: %w", errors.Join(err, os.Remove(out.Name())))
	}
	return nil
}
