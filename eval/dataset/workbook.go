package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// workbook reads the first sheet of an xlsx file and keeps it, unless it holds
// pictures: unpacking is most of the work.
func (s *source) workbook(in *meter, yield func(row, error) bool) (err error) {
	if at, ok := in.in.(io.ReaderAt); ok {
		sheet, err := fastio.PlainSheet(&meterAt{in: at, meter: in}, s.size)
		if err == nil && len(sheet) > 0 {
			s.sheet = sheet
			s.yieldSheet(yield)
			return nil
		}
		in.read = 0
	}
	return s.librarySheet(in, yield)
}

// librarySheet reads what is no plain workbook, and says what is wrong with
// what is none at all.
func (s *source) librarySheet(in io.Reader, yield func(row, error) bool) (err error) {
	book, err := excelize.OpenReader(in, excelize.Options{RawCellValue: true, UnzipXMLSizeLimit: 64 << 20, UnzipSizeLimit: 4 << 30})
	if err != nil {
		return fmt.Errorf("open workbook: %w", err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	rows, err := s.openSheet(book)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.close()) }()
	sheet := [][]string{}
	for rows.next() {
		cells, err := rows.cells()
		if err != nil {
			return err
		}
		sheet = append(sheet, cells)
		if len(sheet) == 1 && slices.Contains(cells, fastio.ImageRest+"(2)") {
			return s.streamSheet(rows, cells, yield)
		}
	}
	if err := rows.err(); err != nil {
		return err
	}
	if len(sheet) == 0 {
		return problem.At(s.path, 1, "the file is empty")
	}
	s.sheet = sheet
	s.yieldSheet(yield)
	return nil
}

// streamSheet yields rows whose pictures go on over several cells, one at a
// time.
func (s *source) streamSheet(rows *sheetRows, names []string, yield func(row, error) bool) error {
	head := newHeader(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, fastio.ImageRest+"(") }))
	image := slices.Index(head.names, "image")
	for rows.next() {
		texts, err := rows.cells()
		if err != nil {
			return err
		}
		cells := make([][]byte, len(head.names))
		c := 0
		for i, name := range names {
			text := ""
			if i < len(texts) {
				text = texts[i]
			}
			if strings.HasPrefix(name, fastio.ImageRest+"(") && image >= 0 {
				cells[image] = append(cells[image], text...)
				continue
			}
			cells[c] = []byte(text) // an empty cell is there, unlike a null
			c++
		}
		if len(texts) > 0 && !yield(row{line: rows.line, head: head, cells: cells}, nil) {
			return nil
		}
	}
	s.progress(s.size)
	return rows.err()
}

// progressRows is how many rows of a kept sheet pass between two reports.
const progressRows = 1000

// yieldSheet yields the rows of the kept sheet; a row's line is its number
// in the sheet.
func (s *source) yieldSheet(yield func(row, error) bool) {
	head := newHeader(s.sheet[0])
	cells := make([][]byte, len(head.names))
	for c := range cells {
		cells[c] = []byte{} // an empty cell is there, unlike a null
	}
	for i, texts := range s.sheet[1:] {
		empty := true
		for c := range cells {
			cells[c] = cells[c][:0]
			if c < len(texts) {
				cells[c] = append(cells[c], texts[c]...)
				empty = empty && texts[c] == ""
			}
		}
		if i%progressRows == 0 && s.reading > 1 {
			s.progress(s.size * int64(i+1) / int64(len(s.sheet)))
		}
		if !empty && !yield(row{line: i + 2, head: head, cells: cells}, nil) {
			return
		}
	}
	s.progress(s.size)
}
