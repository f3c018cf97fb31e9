package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// sheetRows reads the rows of a workbook's first sheet. Cells are taken raw,
// so that no number format touches an index. Only a truth value is taken as it
// is shown: raw it is 1 or 0, and an option reads TRUE or FALSE.
type sheetRows struct {
	raw   *excelize.Rows
	shown *excelize.Rows // nil where no cell is a truth value
	line  int
}

func openSheet(book *excelize.File) (*sheetRows, error) {
	sheets := book.GetSheetList()
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	truths := holdsTruths(book, len(sheets))
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

// holdsTruths tells whether a cell of some sheet may be a truth value. Large
// sheets are not held in memory, and are not searched for it.
func holdsTruths(book *excelize.File, sheets int) bool {
	searched, found := 0, false
	book.Pkg.Range(func(name, part any) bool {
		path, _ := name.(string)
		if text, ok := part.([]byte); ok && strings.HasPrefix(path, "xl/worksheets/") && strings.HasSuffix(path, ".xml") {
			searched++
			found = found || bytes.Contains(text, []byte(`t="b"`))
		}
		return true
	})
	return found || searched < sheets
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
