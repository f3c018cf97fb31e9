package dataset

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval/dataset/internal/fastio"
)

// An evaluation log of inspect_ai is one JSON object with its samples in a
// list, or a zip (.eval) with a file for each sample.
const (
	inspectSamples = "samples/"
	inspectHeader  = "header.json"         // of a log that was finished
	inspectStart   = "_journal/start.json" // of one that was not
)

// Bounds of a log's zip: what an entry, and all of them, may unpack to.
const (
	entryLimit = fastio.CellLimit + fastio.CellLimit/2
	unzipLimit = 16 << 30
)

var inspectText = regexp.MustCompile(`^\{\s*"(version|status|eval)"\s*:`)

// isInspect tells a log by its head: by the name of a zip's first entry, or
// by how the object begins.
func isInspect(head []byte) bool {
	if name, ok := zipName(head); ok {
		return name == inspectHeader || strings.HasPrefix(name, "_journal/") || strings.HasPrefix(name, inspectSamples)
	}
	return inspectText.Match(head) && bytes.Contains(head, []byte(`"eval"`)) && bytes.Contains(head, []byte(`"task"`))
}

// zipName is the name of a zip's first entry.
func zipName(head []byte) (string, bool) {
	const fixed = 30 // bytes of a local header before the name
	if len(head) < fixed || !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return "", false
	}
	n := int(head[26]) | int(head[27])<<8
	return string(head[fixed:min(fixed+n, len(head))]), true
}

// inspectLog is what a log says of all its samples.
type inspectLog struct {
	Task    string                     `json:"task"`
	Args    map[string]json.RawMessage `json:"task_args"`
	Model   string                     `json:"model"`
	Dataset struct {
		Name string            `json:"name"`
		IDs  []json.RawMessage `json:"sample_ids"`
	} `json:"dataset"`
}

// inspect reads a log in either of its forms.
func (s *source) inspect(f io.Reader, size int64, yield func(row, error) bool) error {
	at, ok := f.(io.ReaderAt)
	if !ok { // no file: what a test holds in memory
		text, err := io.ReadAll(io.LimitReader(f, entryLimit))
		if err != nil {
			return err
		}
		at, size = bytes.NewReader(text), int64(len(text))
	}
	magic := make([]byte, 4)
	if n, err := at.ReadAt(magic, 0); n == len(magic) && string(magic) == "PK\x03\x04" {
		return s.inspectZip(at, size, yield)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return s.inspectObject(&meter{in: io.NewSectionReader(at, 0, size), src: s}, yield)
}

// inspectObject reads the log's one object up to its samples, and those one
// by one.
func (s *source) inspectObject(in io.Reader, yield func(row, error) bool) error {
	head := &counted{in: in, left: entryLimit}
	dec := json.NewDecoder(head)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("want an object of inspect_ai's log: %w", cmp.Or(err, errors.New("it is none")))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fmt.Errorf("line %d: %w", head.lines+1, err)
		}
		if key == "samples" {
			rest := io.MultiReader(dec.Buffered(), in)
			els := fastio.NewElements(rest, s.path, false)
			els.Line = head.lines + 1 - newlines(dec.Buffered())
			if err := els.OpenList(errNoSamples); err != nil {
				return err
			}
			return s.eachObject(els, yield)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %w", head.lines+1, err)
		}
		if key == "eval" {
			if err := s.inspectSays(value); err != nil {
				return err
			}
		}
	}
	return errNoSamples
}

var errNoSamples = errors.New("the log has no samples")

// inspectSays takes what the log says of all samples.
func (s *source) inspectSays(text []byte) error {
	s.log = inspectLog{}
	if err := json.Unmarshal(text, &s.log); err != nil {
		return fmt.Errorf("read the log's head: %w", err)
	}
	s.model, s.task = s.log.Model, cmp.Or(s.log.Dataset.Name, s.log.Task)
	s.shots = shotsOf(s.log.Args, "fewshot", "num_fewshot", "n_shots", "shots")
	return nil
}

// counted reads no more than it may, and counts lines.
type counted struct {
	in    io.Reader
	left  int
	lines int
}

var errHead = fmt.Errorf("what stands before the samples is over the limit of %d MB", entryLimit>>20)

func (c *counted) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHead
	}
	n, err := c.in.Read(b[:min(len(b), c.left)])
	c.left -= n
	c.lines += bytes.Count(b[:n], []byte("\n"))
	return n, err
}

func newlines(in io.Reader) int {
	text, _ := io.ReadAll(in) // the decoder's buffer never fails
	return bytes.Count(text, []byte("\n"))
}

// inspectZip reads the log's files of samples, in the order of the run.
func (s *source) inspectZip(at io.ReaderAt, size int64, yield func(row, error) bool) error {
	archive, err := zip.NewReader(at, size)
	if err != nil {
		return fmt.Errorf("open zip: %w", err)
	}
	var head, start *zip.File
	var samples []*zip.File
	for _, f := range archive.File {
		switch {
		case f.Name == inspectHeader:
			head = f
		case f.Name == inspectStart:
			start = f
		case strings.HasPrefix(f.Name, inspectSamples) && strings.HasSuffix(f.Name, ".json"):
			samples = append(samples, f)
		}
	}
	if head = cmp.Or(head, start); head == nil || len(samples) == 0 {
		return errors.New("the zip has no samples of inspect_ai")
	}
	if err := s.inspectHead(head); err != nil {
		return err
	}
	s.sortSamples(samples)
	return s.inspectEntries(samples, yield)
}

func (s *source) inspectHead(f *zip.File) error {
	text, err := unzip(f)
	if err != nil {
		return err
	}
	var log struct {
		Eval json.RawMessage `json:"eval"`
	}
	if err := json.Unmarshal(text, &log); err != nil {
		return fmt.Errorf("read %s: %w", f.Name, err)
	}
	return s.inspectSays(log.Eval)
}

func (s *source) inspectEntries(samples []*zip.File, yield func(row, error) bool) error {
	s.parts = s.parts[:0]
	var head *header
	var unzipped, packed int64
	for i, f := range samples {
		s.parts = append(s.parts, part{filepath.Base(s.path) + "/" + f.Name, i})
		text, err := unzip(f)
		unzipped += int64(len(text))
		if unzipped > unzipLimit {
			return fmt.Errorf("the log unpacks to over %d GB", unzipLimit>>30)
		}
		r := row{line: i + 1, head: head}
		if err == nil {
			r, err = s.object(head, text, i+1)
		}
		if err != nil {
			err = s.problem(i+1, "%s", err)
		} else {
			head = r.head
		}
		if !yield(r, err) {
			return nil
		}
		packed += int64(f.CompressedSize64) //nolint:gosec // of a file that is there
		s.progress(min(packed, s.size))
	}
	return nil
}

// unzip reads an entry, and no more of it than the bound, whatever the zip
// says of its size.
func unzip(f *zip.File) ([]byte, error) {
	if f.UncompressedSize64 > entryLimit {
		return nil, fmt.Errorf("it unpacks to %d MB, over the limit of %d MB", f.UncompressedSize64>>20, entryLimit>>20)
	}
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(in, entryLimit+1))
	switch err = errors.Join(err, in.Close()); {
	case len(text) > entryLimit:
		return nil, fmt.Errorf("it unpacks to over the limit of %d MB", entryLimit>>20)
	case err != nil:
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return text, nil
}

// sortSamples puts the files in the order of the log's list of ids, and those
// that it does not list behind, by number or name: a zip has them as they came.
func (s *source) sortSamples(files []*zip.File) {
	place := make(map[string]int, len(s.log.Dataset.IDs))
	for i, id := range s.log.Dataset.IDs {
		place[string(fastio.Text(id))] = i + 1
	}
	type at struct {
		place, number, epoch int
		name                 string
	}
	of := make(map[*zip.File]at, len(files))
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(f.Name, inspectSamples), ".json")
		a := at{name: name, place: len(place) + 1}
		if i := strings.LastIndex(name, "_epoch_"); i >= 0 {
			a.epoch, _ = strconv.Atoi(name[i+len("_epoch_"):]) // 0 for none
			a.name = name[:i]
		}
		a.number, _ = strconv.Atoi(a.name)
		if p, ok := place[a.name]; ok {
			a.place = p
		}
		of[f] = a
	}
	slices.SortStableFunc(files, func(x, y *zip.File) int {
		a, b := of[x], of[y]
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.number, b.number), cmp.Compare(a.name, b.name), cmp.Compare(a.epoch, b.epoch))
	})
}
