package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/tablefile"
)

// The formats of files, as --format names them.
const (
	FormatTSV   = tablefile.TSV
	FormatCSV   = tablefile.CSV
	FormatXLSX  = tablefile.XLSX
	FormatJSON  = "json"
	FormatJSONL = tablefile.JSONL
	FormatLMMS  = "lmms-eval"
	FormatMME   = "mme"

	FormatInspect = "inspect"
	FormatParquet = tablefile.Parquet
)

// Formats lists the formats that can be named.
func Formats() []string {
	return []string{FormatTSV, FormatCSV, FormatXLSX, FormatJSON, FormatJSONL, FormatLMMS, FormatMME, FormatInspect, FormatParquet}
}

// source is a file of rows that can be read again from its start, which an
// import does: once to find out what there is, once to take it.
type source struct {
	path   string
	format string
	open   func() (io.ReadCloser, int64, error)
	asIs   bool       // objects keep their names
	names  []string   // of the columns of TSV and CSV, once they are read
	sheet  [][]string // of a workbook that was read once
	buffer []byte     // of the last reading, for the next
	watch  func(read, total int64)
	mme    []mmeFile // of a folder
	parts  []part    // that the last reading came to
	log    inspectLog
	model  string // that the file, or one beside it, names for all rows
	task   string // of a log: the dataset that it names
	shots  *int   // of a log: worked examples before each question; nil: it does not say

	size     int64
	come     int64 // last reported
	reading  int   // the current one, from 1
	readings int   // how many an import takes, for its progress
}

// openSource finds out the format of the file when none is given.
func openSource(path, format string, watch func(read, total int64)) (*source, error) {
	s := &source{path: path, format: format, watch: watch, open: func() (io.ReadCloser, int64, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, 0, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, 0, errors.Join(err, f.Close())
		}
		if info.IsDir() {
			return nil, 0, errors.Join(errFolder, f.Close())
		}
		return f, info.Size(), nil
	}}
	if err := s.detect(); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return s, nil
}

var errFolder = errors.New("it is a folder")

// detect trusts the content over the file's extension.
func (s *source) detect() error {
	if s.format != "" && !slices.Contains(Formats(), s.format) {
		return fmt.Errorf("unknown format %q: want one of %s", s.format, strings.Join(Formats(), ", "))
	}
	info, err := os.Stat(s.path)
	folder := err == nil && info.IsDir()
	if s.format == "" && (folder || isMME(s.path)) {
		s.format = FormatMME
	}
	switch s.format {
	case FormatMME:
		return s.listMME(folder)
	case "":
		err = s.find()
	default:
		err = nil
	}
	if s.format == FormatLMMS {
		s.lmmsSays()
	}
	return err
}

// find looks at the file's beginning.
func (s *source) find() error {
	f, _, err := s.open()
	if err != nil {
		return err
	}
	head, err := bufio.NewReaderSize(f, 64<<10).Peek(64 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return errors.Join(err, f.Close())
	}
	s.format = sniff(head, strings.ToLower(filepath.Ext(s.path)))
	if s.format == "" {
		err = fmt.Errorf("the format is not known: name one of %s", strings.Join(Formats(), ", "))
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

func sniff(head []byte, ext string) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case isInspect(text):
		return FormatInspect
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return FormatXLSX
	case bytes.HasPrefix(head, []byte(parquetMagic)):
		return FormatParquet
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case len(text) == 0 && ext == "":
		return ""
	case bytes.HasPrefix(text, []byte("[")):
		return FormatJSON
	case bytes.Equal(bytes.TrimSpace(line), []byte("{")):
		return FormatJSON // an object over several lines
	case bytes.HasPrefix(text, []byte("{")):
		if bytes.Contains(line, []byte(`"doc_id"`)) && bytes.Contains(line, []byte(`"filtered_resps"`)) {
			return FormatLMMS
		}
		return FormatJSONL
	case ext == ".csv" && !bytes.Contains(line, []byte("\t")):
		return FormatCSV
	case bytes.Contains(line, []byte("\t")) || ext == ".tsv":
		return FormatTSV
	case bytes.Contains(line, []byte(",")):
		return FormatCSV
	}
	return ""
}

// isTable reports whether all rows have the columns of one header.
func (s *source) isTable() bool {
	return s.format == FormatTSV || s.format == FormatCSV || s.format == FormatXLSX
}

// rows reads the file from its start. A *Problem stands for one row that
// could not be read, and more follow; any other error ends the rows.
func (s *source) rows(ctx context.Context) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		stopped := false
		err := s.each(func(r row, e error) bool {
			if ctx.Err() == nil {
				stopped = !yield(r, e)
			}
			return !stopped && ctx.Err() == nil
		})
		if err = errors.Join(err, context.Cause(ctx)); err != nil && !stopped {
			yield(row{}, fmt.Errorf("read %s: %w", filepath.Base(s.path), err))
		}
	}
}

func (s *source) each(yield func(row, error) bool) (err error) {
	s.reading++
	switch {
	case s.format == FormatMME:
		return s.folder(yield)
	case s.sheet != nil:
		s.yieldSheet(yield)
		return nil
	}
	f, size, err := s.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	s.size = size
	in := &meter{in: f, src: s}
	switch s.format {
	case FormatInspect:
		return s.inspect(f, size, yield)
	case FormatParquet:
		return s.parquet(f, size, yield)
	case FormatTSV:
		return s.delimited(in, '\t', yield)
	case FormatCSV:
		return s.delimited(in, ',', yield)
	case FormatXLSX:
		return s.workbook(in, yield)
	default:
		return s.objects(in, yield)
	}
}

// delimited reads TSV and CSV.
func (s *source) delimited(in io.Reader, delim byte, yield func(row, error) bool) error {
	sp := fastio.NewSplitter(in, s.path, delim)
	sp.Buffer = s.buffer
	defer func() { s.buffer = sp.Buffer }()
	names, err := sp.Header()
	if err != nil {
		return err
	}
	head := newHeader(names)
	sp.Key, s.names = head.index, names
	for {
		cells, line, err := sp.Next()
		var p *Problem
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &p):
			return err
		}
		if !yield(row{line: line, head: head, cells: cells}, err) {
			return nil
		}
	}
}

// progress reports how far the import has come, as a share of the file's
// size over all readings. It never goes back, also when a reading is added.
func (s *source) progress(read int64) {
	if s.watch == nil {
		return
	}
	n := int64(max(s.reading, s.readings))
	s.come = max(s.come, (int64(s.reading-1)*s.size+read)/n)
	s.watch(s.come, s.size)
}

// meter counts what is read of a source's file.
type meter struct {
	in   io.Reader
	src  *source
	read int64
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.in.Read(b)
	m.read += int64(n)
	m.src.progress(m.read)
	return n, err
}

// meterAt counts the same where parts of the file are read by their place.
type meterAt struct {
	in io.ReaderAt
	*meter
}

func (m *meterAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.in.ReadAt(b, off)
	m.read += int64(n)
	m.src.progress(min(m.read, m.src.size))
	return n, err
}
