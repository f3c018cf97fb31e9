package format

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
)

// placed is a file that is read by place. One that cannot be is held in
// memory.
func placed(in io.Reader, size int64) (io.ReaderAt, int64, error) {
	if at, ok := in.(io.ReaderAt); ok {
		return at, size, nil
	}
	text, err := bound.ReadAll(in, "a file that cannot be read by place", bound.RowBytes)
	return bytes.NewReader(text), int64(len(text)), err
}

// log reads a log in either of its forms.
func (f *File) log(in io.Reader, size int64, l Layout, yield func(Row, error) bool) error {
	at, size, err := placed(in, size)
	if err != nil {
		return err
	}
	magic := make([]byte, len(zipMagic))
	if n, err := at.ReadAt(magic, 0); n == len(magic) && string(magic) == zipMagic {
		return f.archive(at, size, l, yield)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return f.nested(&meter{in: io.NewSectionReader(at, 0, size), file: f}, l, yield)
}

// nested reads one object up to the list of its objects, and those one by
// one.
func (f *File) nested(in io.Reader, l Layout, yield func(Row, error) bool) error {
	head := &counted{in: bound.Reader(in, "what is before the list", bound.RowBytes)}
	dec := json.NewDecoder(head)
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("want the object of a log: %w", cmp.Or(err, errors.New("it is none")))
	}
	none := fmt.Errorf("the log has no %s", l.Log.List)
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fmt.Errorf("line %d: %w", head.lines+1, err)
		}
		if key == l.Log.List {
			rest := io.MultiReader(dec.Buffered(), in)
			els := fastio.NewElements(rest, f.Path, false)
			els.Line = head.lines + 1 - newlines(dec.Buffered())
			if err := els.OpenList(none); err != nil {
				return err
			}
			return f.eachObject(els, l, yield)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("line %d: %w", head.lines+1, err)
		}
		if key == l.Log.About {
			if err := l.Log.Says(value); err != nil {
				return err
			}
		}
	}
	return none
}

// counted counts the lines of what is read.
type counted struct {
	in    io.Reader
	lines int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.lines += bytes.Count(b[:n], []byte("\n"))
	return n, err
}

func newlines(in io.Reader) int {
	text, _ := io.ReadAll(in) // the decoder's buffer never fails
	return bytes.Count(text, []byte("\n"))
}

// archive reads the objects in the entries of a zip.
func (f *File) archive(at io.ReaderAt, size int64, l Layout, yield func(Row, error) bool) error {
	archive, err := bound.OpenArchive(at, size)
	if err != nil {
		return fmt.Errorf("open zip: %w", err)
	}
	entries, err := l.Log.Entries(archive)
	if err != nil {
		return err
	}
	f.parts = f.parts[:0]
	var names []string
	var packed int64
	for i, e := range entries {
		f.parts = append(f.parts, part{filepath.Base(f.Path) + "/" + e.Name, i})
		text, err := Unzip(archive, e)
		r := Row{Line: i + 1, Names: names}
		if err == nil {
			r, err = l.object(names, text, i+1)
		}
		if err != nil {
			err = f.Problem(i+1, "%s", err)
		} else {
			names = r.Names
		}
		if !yield(r, err) {
			return nil
		}
		packed += int64(e.CompressedSize64) //nolint:gosec // of a file that is there
		f.progress(min(packed, f.size))
	}
	return nil
}

// Unzip reads an entry, and no more of it than an object may have, whatever
// the zip says of its size.
func Unzip(a *bound.Archive, e *zip.File) (text []byte, err error) {
	if err := bound.Check("what it unpacks to", unpacked(e), bound.RowBytes); err != nil {
		return nil, err
	}
	in, err := a.Open(e)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return bound.ReadAll(in, "what it unpacks to", bound.RowBytes)
}

// unpacked is what an entry says of its own size.
func unpacked(e *zip.File) int64 { return int64(min(e.UncompressedSize64, 1<<62)) } //nolint:gosec // bounded
