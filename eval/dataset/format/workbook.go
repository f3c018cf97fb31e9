package format

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
func (f *File) workbook(in *meter, yield func(Row, error) bool) (err error) {
	if at, ok := in.in.(io.ReaderAt); ok {
		sheet, err := fastio.PlainSheet(&meterAt{in: at, meter: in}, f.size)
		if err == nil && len(sheet) > 0 {
			f.sheet = sheet
			f.yieldSheet(yield)
			return nil
		}
		in.read = 0
	}
	return f.librarySheet(in, yield)
}

// librarySheet reads what is no plain workbook, and says what is wrong with
// what is none at all.
func (f *File) librarySheet(in io.Reader, yield func(Row, error) bool) (err error) {
	book, err := excelize.OpenReader(in, excelize.Options{RawCellValue: true, UnzipXMLSizeLimit: 64 << 20, UnzipSizeLimit: 4 << 30})
	if err != nil {
		return fmt.Errorf("open workbook: %w", err)
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	rows, err := f.openSheet(book)
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
			return f.streamSheet(rows, cells, yield)
		}
	}
	if err := rows.err(); err != nil {
		return err
	}
	if len(sheet) == 0 {
		return problem.At(f.Path, 1, "the file is empty")
	}
	f.sheet = sheet
	f.yieldSheet(yield)
	return nil
}

// streamSheet yields rows whose pictures go on over several cells, one at a
// time.
func (f *File) streamSheet(rows *sheetRows, names []string, yield func(Row, error) bool) error {
	head := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, fastio.ImageRest+"(") })
	image := slices.Index(head, "image")
	for rows.next() {
		texts, err := rows.cells()
		if err != nil {
			return err
		}
		cells := make([][]byte, len(head))
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
		if len(texts) > 0 && !yield(Row{Line: rows.line, Names: head, Cells: cells}, nil) {
			return nil
		}
	}
	f.progress(f.size)
	return rows.err()
}

// progressRows is how many rows of a kept sheet pass between two reports.
const progressRows = 1000

// yieldSheet yields the rows of the kept sheet; a row's line is its number
// in the sheet.
func (f *File) yieldSheet(yield func(Row, error) bool) {
	head := f.sheet[0]
	cells := make([][]byte, len(head))
	for c := range cells {
		cells[c] = []byte{} // an empty cell is there, unlike a null
	}
	for i, texts := range f.sheet[1:] {
		empty := true
		for c := range cells {
			cells[c] = cells[c][:0]
			if c < len(texts) {
				cells[c] = append(cells[c], texts[c]...)
				empty = empty && texts[c] == ""
			}
		}
		if i%progressRows == 0 && f.reading > 1 {
			f.progress(f.size * int64(i+1) / int64(len(f.sheet)))
		}
		if !empty && !yield(Row{Line: i + 2, Names: head, Cells: cells}, nil) {
			return
		}
	}
	f.progress(f.size)
}
