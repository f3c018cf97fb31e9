package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
	"concord/eval/dataset/tablefile"
	"concord/eval/text"
)

// The containers.
const (
	TSV     = tablefile.TSV
	CSV     = tablefile.CSV
	XLSX    = tablefile.XLSX
	JSON    = "json" // an array of objects
	JSONL   = tablefile.JSONL
	Parquet = tablefile.Parquet
	Object  = "object" // one object that is a whole table
	Log     = "log"    // one object that holds a list of objects, or a zip with an object in each entry
	Texts   = "texts"  // the lines of several text files
)

// Named are the containers that are named where a file has no layout.
var Named = []string{TSV, CSV, XLSX, JSON, JSONL, Object}

// Row is one row of a file: cells, each under its name. Cells are valid until
// the next row. Names are the same slice for as long as they do not change.
type Row struct {
	Line   int // where it starts in the file, from 1
	Names  []string
	Cells  [][]byte
	Broken bool // bytes that are no valid UTF-8 were replaced before it was cut
}

// Layout names what a container holds. A nil function leaves names and values as they are.
type Layout struct {
	Keys   []string                                                // names that the column of row ids may have, the first that is there counts
	Object func(text []byte, like []string) (fastio.Object, error) // members of a JSON object, as fastio.ParseLenientObject gives them
	Column func(path []string) (name string, ok bool)              // of a parquet column, levels of lists left out; not ok: not wanted
	Line   func(file int, text []byte) (Row, error)                // of one of several text files
	Log    LogLayout
}

// LogLayout says where a log keeps its objects. All of it is needed for one.
type LogLayout struct {
	List    string                                                 // the member of the log's object that holds them
	About   string                                                 // the member before it that says what is true of all
	Says    func(about json.RawMessage) error                      // is told that
	Entries func(all *bound.Archive) (rows []*zip.File, err error) // of a zip, those that hold one each
}

// Opener opens a file at its start and tells its size in bytes. What it opens
// is read by place where it is an io.ReaderAt, too.
type Opener func() (io.ReadCloser, int64, error)

// File is a file of rows that can be read again from its start, which an
// import does: once to find out what there is, once to take it.
type File struct {
	Path     string
	Kind     string   // one of the containers
	Texts    []string // paths of the files of Texts
	Shards   []string // paths within the folder of files that are read as one
	Folder   bool     // Path is a folder, and Texts are within it
	Readings int      // how many there will be, for the progress

	open   Opener
	watch  func(read, total int64)
	names  []string   // of the columns of TSV and CSV, once they are read
	sheet  [][]string // of a workbook that was read once
	buffer []byte     // of the last reading, for the next
	parts  []filePart // that the last reading came to

	size    int64
	come    int64 // last reported
	reading int   // the current one, from 1
}

// NewFromOpener gives a file that open opens, of a container that is known or set later. Path stands in problems.
func NewFromOpener(path, kind string, open Opener, watch func(read, total int64)) *File {
	return &File{Path: path, Kind: kind, open: open, watch: watch}
}

// NewFromPath gives the file at a path. Nothing is opened before it is read, and then only what is a regular file.
func NewFromPath(path string, watch func(read, total int64)) *File {
	return NewFromOpener(path, "", openWithSize(func() (*os.File, error) { return bound.OpenRegular(path) }), watch)
}

func openWithSize(open func() (*os.File, error)) Opener {
	return func() (io.ReadCloser, int64, error) {
		f, err := open()
		if err != nil {
			return nil, 0, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, 0, errors.Join(err, f.Close())
		}
		return f, info.Size(), nil
	}
}

// headBytes is how much of a file tells its container.
const headBytes = 64 << 10

// ReadHead reads the file's beginning.
func (f *File) ReadHead() (head []byte, err error) {
	in, _, err := f.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return PeekHead(bufio.NewReaderSize(in, headBytes))
}

// PeekHead is the same of a stream, which is not advanced. Its buffer has to hold 64 KB.
func PeekHead(in *bufio.Reader) ([]byte, error) {
	head, err := in.Peek(headBytes)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// IsTable reports whether all rows have the columns of one header.
func (f *File) IsTable() bool { return f.Kind == TSV || f.Kind == CSV || f.Kind == XLSX }

// Header is the header of TSV and CSV, once it is read; nil before.
func (f *File) Header() []string { return f.names }

// ResetProgress forgets the readings so far, for the progress.
func (f *File) ResetProgress() { f.reading = 0 }

// EachRowUncounted reads the file as Rows does, beside the readings that count.
func (f *File) EachRowUncounted(l Layout, yield func(Row, error) bool) error {
	reading, watch, come := f.reading, f.watch, f.come
	f.watch = nil
	defer func() { f.reading, f.watch, f.come = reading, watch, come }()
	return f.readRows(l, yield)
}

// EachRow reads the file from its start, until yield returns false. A *problem.Problem stands for one
// row that could not be read, and more follow; the error ends the rows.
func (f *File) EachRow(l Layout, yield func(Row, error) bool) error {
	rows := 0
	var over error
	err := f.readRows(l, func(r Row, err error) bool {
		if rows++; rows > bound.Rows {
			over = fmt.Errorf("line %d: %w", r.Line, &bound.Error{What: "the file", Most: bound.Rows, Unit: "rows"})
			return false
		}
		return yield(r, err)
	})
	return errors.Join(over, err)
}

func (f *File) readRows(l Layout, yield func(Row, error) bool) (err error) {
	f.reading++
	switch {
	case f.Kind == Texts:
		return f.readTextFolder(l, yield)
	case f.sheet != nil:
		f.replaySheet(yield)
		return nil
	case len(f.Shards) > 0:
		return f.readShards(l, yield)
	}
	opened, size, err := f.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	f.size = size
	in := &countingReader{in: opened, file: f}
	switch f.Kind {
	case Log:
		return f.readEvalLog(opened, size, l, yield)
	case Object:
		return f.readKeyed(in, l, yield)
	case Parquet:
		return f.readParquet(opened, size, l, yield)
	case TSV:
		return f.readDelimited(in, '\t', l.Keys, yield)
	case CSV:
		return f.readDelimited(in, ',', l.Keys, yield)
	case XLSX:
		return f.readWorkbook(in, size, yield)
	default:
		return f.eachObjectRow(fastio.NewElements(in, f.Path, f.Kind != JSON), l, yield)
	}
}

// readDelimited reads TSV and CSV.
func (f *File) readDelimited(in io.Reader, delim byte, keys []string, yield func(Row, error) bool) error {
	sp := fastio.NewSplitter(in, f.Path, delim)
	sp.Buffer = f.buffer
	defer func() { f.buffer = sp.Buffer }()
	names, err := sp.ReadHeader()
	if err != nil {
		return err
	}
	f.names = names
	for _, key := range keys {
		if sp.Key = slices.Index(names, key); sp.Key >= 0 {
			break
		}
	}
	for {
		cells, line, err := sp.Next()
		var p *problem.Problem
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &p):
			return err
		}
		for i, c := range cells {
			if len(c) > 1 && c[0] == '\'' { // before what a spreadsheet would compute
				cells[i] = []byte(text.UnescapeCSV(string(c)))
			}
		}
		if !yield(Row{Line: line, Names: names, Cells: cells}, err) {
			return nil
		}
	}
}

// filePart is one file of several that are read as one. Lines are counted over
// all parts; start is how many come before this one's first.
type filePart struct {
	name  string
	start int
}

// locateLine finds the file that holds a line, and the line within it.
func (f *File) locateLine(line int) (path string, own int) {
	if line == 0 || len(f.parts) == 0 {
		return f.Path, line
	}
	i, _ := slices.BinarySearchFunc(f.parts, line, func(p filePart, line int) int { return cmp.Compare(p.start, line) })
	p := f.parts[max(i-1, 0)]
	return p.name, line - p.start
}

// NewProblem gives one about a line of the file; 0 is the file as a whole.
func (f *File) NewProblem(line int, format string, args ...any) *problem.Problem {
	path, own := f.locateLine(line)
	p := problem.NewAt(path, own, format, args...)
	if len(f.parts) > 0 && line != 0 {
		p.File = filepath.ToSlash(path) // the base names of parts are not unique
	}
	return p
}

// NewWarning gives the same of a row that is kept.
func (f *File) NewWarning(line int, format string, args ...any) *problem.Problem {
	p := f.NewProblem(line, format, args...)
	p.Warning = true
	return p
}

// The bytes that binary containers begin with.
const (
	zipMagic     = "PK\x03\x04"
	parquetMagic = "PAR1" // and ends with
)

// TrimBOMAndSpace gives the beginning of a file without a byte order mark and white space.
func TrimBOMAndSpace(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// DetectContainer tells the container of a file by its beginning, and where that leaves it open by the
// file's extension (lower case, with the dot), and says why. It gives "" for none.
func DetectContainer(head []byte, ext string) (kind, reason string) {
	switch {
	case bytes.HasPrefix(head, []byte(zipMagic)):
		return XLSX, "it is a zip"
	case bytes.HasPrefix(head, []byte(parquetMagic)):
		return Parquet, "it begins with " + parquetMagic
	}
	text := TrimBOMAndSpace(head)
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case len(text) == 0 && ext == "":
		return "", "it is empty"
	case bytes.HasPrefix(text, []byte("[")):
		return JSON, "it begins with a list"
	case bytes.Equal(bytes.TrimSpace(line), []byte("{")):
		return JSON, "it begins with an object over several lines"
	case bytes.HasPrefix(text, []byte("{")):
		return JSONL, "its first line begins with an object"
	case ext == ".csv" && !bytes.Contains(line, []byte("\t")):
		return CSV, "it is called .csv, and its first line has no tab"
	case bytes.Contains(line, []byte("\t")):
		return TSV, "its first line has tabs"
	case ext == ".tsv":
		return TSV, "it is called .tsv"
	case bytes.Contains(line, []byte(",")):
		return CSV, "its first line has commas"
	}
	return "", "its first line has neither tabs nor commas"
}

// WrapProgress wraps what is told how far the file has been read.
func (f *File) WrapProgress(wrap func(watch func(read, total int64)) func(read, total int64)) {
	if f.watch != nil {
		f.watch = wrap(f.watch)
	}
}

// reportProgress reports how far the import has come, as a share of the file's
// size over all readings. It never goes back, also when a reading is added.
func (f *File) reportProgress(read int64) {
	if f.watch == nil {
		return
	}
	n := int64(max(f.reading, f.Readings))
	f.come = max(f.come, (int64(f.reading-1)*f.size+read)/n)
	f.watch(f.come, f.size)
}

type countingReader struct {
	in   io.Reader
	file *File
	read int64
}

func (m *countingReader) Read(b []byte) (int, error) {
	n, err := m.in.Read(b)
	m.read += int64(n)
	m.file.reportProgress(m.read)
	return n, err
}

// countingReaderAt counts the same where parts of the file are read by their place.
type countingReaderAt struct {
	in io.ReaderAt
	*countingReader
}

func (m *countingReaderAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.in.ReadAt(b, off)
	m.read += int64(n)
	m.file.reportProgress(min(m.read, m.file.size))
	return n, err
}
