package format

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"concord/eval/dataset/internal/fastio"
)

// sheetRows reads the rows of a workbook's first sheet. Cells are taken raw,
// so that no number format touches an index. Only a truth value is taken as it
// is shown: raw it is 1 or 0, and an option reads TRUE or FALSE.
type sheetRows struct {
	raw   *excelize.Rows
	shown *excelize.Rows // nil where no cell is a truth value
	line  int
}

func (f *File) openSheet(book *excelize.File) (*sheetRows, error) {
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	truths, err := f.holdsTruths()
	if err != nil {
		return nil, err
	}
	raw, err := book.Rows(sheets[0])
	if err != nil {
		return nil, fmt.Errorf("open sheet: %w", err)
	}
	r := &sheetRows{raw: raw}
	if truths {
		if r.shown, err = book.Rows(sheets[0]); err != nil {
			return nil, fmt.Errorf("open sheet: %w", errors.Join(err, raw.Close()))
		}
	}
	return r, nil
}

// truth is how a sheet marks a cell as a truth value.
const truth = `t="b"`

// holdsTruths tells whether a cell of some sheet may be a truth value. It
// unpacks the sheets once more for that, which is a small part of parsing them.
func (f *File) holdsTruths() (found bool, err error) {
	in, size, err := f.open()
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	at, ok := in.(io.ReaderAt)
	if !ok {
		return true, nil
	}
	book, err := zip.NewReader(at, size)
	if err != nil {
		return false, fmt.Errorf("unpack workbook: %w", err)
	}
	for _, part := range book.File {
		if !strings.HasPrefix(strings.ToLower(part.Name), "xl/worksheets/sheet") {
			continue
		}
		if found, err = holds(part, truth); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// holds searches a part of a workbook for a text.
func holds(part *zip.File, text string) (found bool, err error) {
	in, err := part.Open()
	if err != nil {
		return false, fmt.Errorf("unpack %s: %w", part.Name, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	buf, kept := make([]byte, fastio.Chunk), 0
	for {
		n, err := in.Read(buf[kept:])
		seen := buf[:kept+n]
		if bytes.Contains(seen, []byte(text)) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("unpack %s: %w", part.Name, err)
		}
		kept = copy(buf, seen[max(0, len(seen)-len(text)+1):])
	}
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
		return nil, fmt.Errorf("read row %d: %w", r.line, err)
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
