package tablefile

import (
	"archive/zip"
	"bytes"
	"embed"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"

	"concord/eval"
)

// bookParts are the parts of a workbook of one sheet, without the sheet.
//
//go:embed all:book
var bookParts embed.FS

const (
	sheetHead = xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	sheetFoot = `</sheetData></worksheet>`

	// appPart names the program and its version.
	appPart = xml.Header + `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>concord %s</Application></Properties>`
)

// sheetRows and sheetColumns are how many of them Excel opens.
const (
	sheetRows    = 1 << 20
	sheetColumns = 1 << 14
)

// workbookWriter writes a workbook row by row and keeps none of them. A library of all
// that spreadsheets can would take ten megabytes of the program to write texts
// and whole numbers.
type workbookWriter struct {
	zip   *zip.Writer
	sheet io.Writer
	row   int // rows so far
	line  bytes.Buffer
}

func newBook(w io.Writer) (*workbookWriter, error) {
	b := &workbookWriter{zip: zip.NewWriter(w)}
	parts, err := fs.Sub(bookParts, "book")
	if err != nil {
		return nil, fmt.Errorf("open workbook: %w", err)
	}
	if err := b.zip.AddFS(parts); err != nil {
		return nil, fmt.Errorf("open workbook: %w", err)
	}
	app, err := b.zip.Create("docProps/app.xml")
	if err != nil {
		return nil, fmt.Errorf("open workbook: %w", err)
	}
	if _, err := fmt.Fprintf(app, appPart, eval.ThisBuild()); err != nil {
		return nil, fmt.Errorf("open workbook: %w", err)
	}
	if b.sheet, err = b.zip.Create("xl/worksheets/sheet1.xml"); err != nil {
		return nil, fmt.Errorf("open sheet: %w", err)
	}
	_, err = io.WriteString(b.sheet, sheetHead)
	return b, err
}

// underscored is what a reader of a workbook takes for a character's number.
var underscored = regexp.MustCompile(`_x[0-9a-fA-F]{4}`)

// writeRow writes a row of texts and ints, nil where there is no cell.
func (b *workbookWriter) writeRow(cells []any) error {
	if b.row++; b.row > sheetRows || len(cells) > sheetColumns {
		return fmt.Errorf("write row %d: a sheet has at most %d rows of %d cells", b.row, sheetRows, sheetColumns)
	}
	b.line.Reset()
	fmt.Fprintf(&b.line, `<row r="%d">`, b.row)
	for i, c := range cells {
		switch v := c.(type) {
		case int:
			fmt.Fprintf(&b.line, `<c r="%s%d"><v>%d</v></c>`, columnName(i), b.row, v)
		case string:
			fmt.Fprintf(&b.line, `<c r="%s%d" t="inlineStr"><is><t xml:space="preserve">`, columnName(i), b.row)
			if err := xml.EscapeText(&b.line, []byte(underscored.ReplaceAllString(v, "_x005F$0"))); err != nil {
				return fmt.Errorf("write row %d: %w", b.row, err)
			}
			b.line.WriteString(`</t></is></c>`)
		}
	}
	b.line.WriteString(`</row>`)
	_, err := b.sheet.Write(b.line.Bytes())
	return err
}

// columnName is the name of a column by its place from 0: A, Z, AA.
func columnName(i int) string {
	name := string(rune('A' + i%26))
	if i < 26 {
		return name
	}
	return columnName(i/26-1) + name
}

func (b *workbookWriter) close() error {
	_, err := io.WriteString(b.sheet, sheetFoot)
	return errors.Join(err, b.zip.Close())
}
