package format

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// librarySheet reads what is no plain workbook. The XML of its sheet was
// checked.
func (f *File) librarySheet(b *book, truths bool, yield func(Row, error) bool) (err error) {
	bare, err := b.bare()
	if err != nil {
		return err
	}
	file, err := excelize.OpenReader(bare, excelize.Options{RawCellValue: true, UnzipXMLSizeLimit: bound.Cell, UnzipSizeLimit: bound.Unpacked})
	if err != nil {
		return fmt.Errorf("open workbook: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	rows, err := openSheet(file, b.name, truths)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.close()) }()
	sheet, held := [][]string{}, 0
	for rows.next() {
		cells, err := rows.cells()
		if err != nil {
			return b.located(err)
		}
		if err := fastio.TextBudget(&held, cells); err != nil {
			return b.located(&fastio.SheetError{Row: int64(rows.line), Err: err})
		}
		sheet = append(sheet, cells)
		if len(sheet) == 1 && slices.Contains(cells, fastio.ImageRest+"(2)") {
			return f.streamSheet(rows, cells, yield)
		}
	}
	if err := rows.err(); err != nil {
		return b.located(err)
	}
	if len(sheet) == 0 {
		return problem.At(f.Path, 1, "the file is empty")
	}
	f.sheet = sheet
	f.yieldSheet(yield)
	return nil
}

// bare is the workbook without what its first sheet does not need, such as
// other sheets and drawn pictures, which the library would unpack in memory.
func (b *book) bare() (io.Reader, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, p := range b.File {
		name := strings.ToLower(strings.ReplaceAll(p.Name, `\`, "/"))
		if p != b.sheet && p != b.shared && (folderOf(name) == "xl/worksheets" || !strings.HasSuffix(name, ".xml") && !strings.HasSuffix(name, ".rels")) {
			continue
		}
		if p != b.sheet && p != b.shared {
			if err := bound.Check("the part "+p.Name, unpacked(p), bookPart); err != nil {
				return nil, err
			}
		}
		if err := z.Copy(p); err != nil {
			return nil, fmt.Errorf("read %s: %w", p.Name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("read workbook: %w", err)
	}
	return &out, nil
}

// bookPart bounds the parts beside the sheet and its texts: styles, names.
const bookPart = 16 << 20

// folderOf is the folder of a part.
func folderOf(name string) string { return name[:max(0, strings.LastIndexByte(name, '/'))] }

// sheetRows reads the rows of a workbook's first sheet. Cells are taken raw,
// so that no number format touches an index. Only a truth value is taken as it
// is shown: raw it is 1 or 0, and an option reads TRUE or FALSE.
type sheetRows struct {
	raw   *excelize.Rows
	shown *excelize.Rows // nil where no cell is a truth value
	line  int
}

func openSheet(file *excelize.File, name string, truths bool) (*sheetRows, error) {
	raw, err := file.Rows(name)
	if err != nil {
		return nil, fmt.Errorf("open sheet: %w", err)
	}
	r := &sheetRows{raw: raw}
	if truths {
		if r.shown, err = file.Rows(name); err != nil {
			return nil, fmt.Errorf("open sheet: %w", errors.Join(err, raw.Close()))
		}
	}
	return r, nil
}

// next goes to the next row of the sheet.
func (r *sheetRows) next() bool {
	r.line++
	if r.shown != nil {
		r.shown.Next()
	}
	return r.raw.Next()
}

// cells are those of the row, without the empty ones at its end.
func (r *sheetRows) cells() ([]string, error) {
	cells, err := r.raw.Columns()
	if err == nil && r.shown != nil {
		var shown []string
		shown, err = r.shown.Columns(excelize.Options{})
		for i := range min(len(cells), len(shown)) {
			if shown[i] == "TRUE" && cells[i] == "1" || shown[i] == "FALSE" && cells[i] == "0" {
				cells[i] = shown[i]
			}
		}
	}
	if err != nil {
		return nil, &fastio.SheetError{Row: int64(r.line), Err: err}
	}
	return cells, nil
}

// err is why the rows ended before the sheet did.
func (r *sheetRows) err() error {
	if err := r.raw.Error(); err != nil {
		return fmt.Errorf("read sheet: %w", err)
	}
	return nil
}

func (r *sheetRows) close() error {
	if r.shown == nil {
		return r.raw.Close()
	}
	return errors.Join(r.raw.Close(), r.shown.Close())
}
