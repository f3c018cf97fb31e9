package tablefile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"embed"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"concord/eval"
	"concord/eval/text"
)

// The formats of tables, by the endings of their files.
const (
	TSV     = "tsv"
	CSV     = "csv"
	XLSX    = "xlsx"
	JSONL   = "jsonl"
	Parquet = "parquet"
)

// ExcelCell is how many characters Excel keeps of a cell; a workbook is written with the rest cut off.
const ExcelCell = 32767

// ImageRest is how the columns begin that go on with a workbook's image cell,
// which Excel would cut: "image (2)" and so on.
const ImageRest = "image "

// Formats lists what New writes.
func Formats() []string { return []string{JSONL, CSV, TSV, XLSX, Parquet} }

// Table writes rows under a header, one at a time, as JSON lines, CSV, TSV, a workbook or
// parquet. A cell is a string, a bool, an integer, a float64, nil for none, or any other value
// that marshals: JSON lines hold it as it is, the others as its JSON.
//
// Nothing that a model wrote can become a formula: a workbook gets text cells, and in CSV and TSV text
// that a spreadsheet would compute gets an apostrophe before it, which reading the file takes away.
type Table struct {
	format   string
	header   []string
	out      *bufio.Writer
	rows     *csv.Writer
	book     *workbookWriter
	columns  *parquetWriter
	written  int
	verbatim bool
	formulas int // cells that got an apostrophe before them
	control  int // cells with characters that a workbook cannot hold
	cut      int // cells over Excel's bound
	firstCut string
}

// New starts a table in one of Formats. Close ends it.
func New(w io.Writer, format string, header []string) (*Table, error) {
	return NewWithPictures(w, format, header, noPictures)
}

// NewWithPictures starts a table whose column image holds pictures, where its format
// is parquet; the other formats take no notice.
func NewWithPictures(w io.Writer, format string, header []string, pictures Pictures) (*Table, error) {
	t := &Table{format: format, header: header, out: bufio.NewWriter(w)}
	switch format {
	case JSONL:
		return t, nil
	case CSV, TSV:
		t.rows = csv.NewWriter(t.out)
		if format == TSV {
			t.rows.Comma = '\t'
		}
		return t, t.rows.Write(header)
	case XLSX:
		return t, t.beginWorkbook()
	case Parquet:
		t.columns = newParquetWriter(t.out, header, pictures)
		return t, nil
	}
	return nil, fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
}

func (t *Table) beginWorkbook() (err error) {
	if t.book, err = newWorkbookWriter(t.out); err != nil {
		return err
	}
	cells := eval.Map(t.header, func(h string) any { return h })
	return t.book.writeRow(cells)
}

// Write writes one row, with as many cells as the header.
func (t *Table) Write(cells []any) error {
	if len(cells) != len(t.header) {
		return fmt.Errorf("write row %d: %d cells, the header has %d", t.written+1, len(cells), len(t.header))
	}
	t.written++
	switch t.format {
	case JSONL:
		return t.writeJSONRow(cells)
	case XLSX:
		return t.writeSheetRow(cells)
	case Parquet:
		return t.columns.writeRow(cells)
	default:
		texts := make([]string, len(cells))
		for i, c := range cells {
			text, err := FormatCell(c)
			if err != nil {
				return fmt.Errorf("write %s: %w", t.header[i], err)
			}
			if _, ok := c.(string); ok {
				text = t.escapeFormula(text)
			}
			texts[i] = text
		}
		return t.rows.Write(texts)
	}
}

// KeepFormulas writes a table in other tools' layout: text that a spreadsheet would compute stays.
func (t *Table) KeepFormulas() *Table {
	t.verbatim = true
	return t
}

// escapeFormula is text from outside in a cell of CSV or TSV.
func (t *Table) escapeFormula(s string) string {
	safe := text.Outside(s).ForCSV()
	if safe == s || t.verbatim && s[0] != '\'' { // what begins with one could not be told from what got one
		return s
	}
	t.formulas++
	return safe
}

// writeJSONRow writes the cells in the order of the header. A nil is null.
func (t *Table) writeJSONRow(cells []any) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	for i, c := range cells {
		line.WriteByte(eval.Either[byte](i == 0, '{', ','))
		if err := e.Encode(t.header[i]); err != nil {
			return err
		}
		line.Truncate(line.Len() - 1) // the encoder's newline
		line.WriteByte(':')
		if f, ok := c.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			c = nil
		}
		if err := e.Encode(c); err != nil {
			return fmt.Errorf("write %s: %w", t.header[i], err)
		}
		line.Truncate(line.Len() - 1)
	}
	line.WriteString("}\n")
	_, err := t.out.Write(line.Bytes())
	return err
}

func (t *Table) writeSheetRow(cells []any) error {
	out := make([]any, len(cells))
	for i, c := range cells {
		switch v := c.(type) {
		case nil, int:
			out[i] = v
			continue
		}
		text, err := FormatCell(c)
		if err != nil {
			return fmt.Errorf("write %s: %w", t.header[i], err)
		}
		if utf8.RuneCountInString(text) > ExcelCell {
			if t.cut++; t.firstCut == "" {
				t.firstCut = fmt.Sprintf("row %d, %s", t.written+1, t.header[i])
			}
			text = string([]rune(text)[:ExcelCell])
		}
		if strings.ContainsFunc(text, func(r rune) bool { // a workbook is XML, which cannot hold it
			return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
		}) {
			t.control++
		}
		out[i] = text
	}
	return t.book.writeRow(out)
}

// FormatCell gives a cell where all cells are text.
func FormatCell(c any) (string, error) {
	switch v := c.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "", nil
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(c)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// Close ends the table and returns what was lost in writing it.
func (t *Table) Close() (warnings []string, err error) {
	switch {
	case t.rows != nil:
		t.rows.Flush()
		err = t.rows.Error()
	case t.book != nil:
		err = t.book.close()
	case t.columns != nil:
		err, warnings = t.columns.out.Close(), t.columns.listLostCells()
	}
	if t.cut > 0 {
		warnings = append(warnings, fmt.Sprintf(
			"%d cells were cut to Excel's %d characters, the first in %s: TSV, parquet and JSON lines keep them whole", t.cut, ExcelCell, t.firstCut))
	}
	if t.formulas > 0 {
		warnings = append(warnings, fmt.Sprintf(
			"%d cells that a spreadsheet would take for a formula have an apostrophe before them: an import takes it away, and JSON lines hold them as they are", t.formulas))
	}
	if t.control > 0 {
		warnings = append(warnings, fmt.Sprintf("%d cells have control characters that a workbook cannot hold: TSV, parquet and JSON lines keep them", t.control))
	}
	return warnings, errors.Join(err, t.out.Flush())
}

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

// workbookWriter writes a workbook row by row and keeps none of them. A library of all that
// spreadsheets can would take ten megabytes of the program to write texts and whole numbers.
type workbookWriter struct {
	zip   *zip.Writer
	sheet io.Writer
	row   int // rows so far
	line  bytes.Buffer
}

func newWorkbookWriter(w io.Writer) (*workbookWriter, error) {
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
			fmt.Fprintf(&b.line, `<c r="%s%d"><v>%d</v></c>`, columnLetters(i), b.row, v)
		case string:
			fmt.Fprintf(&b.line, `<c r="%s%d" t="inlineStr"><is><t xml:space="preserve">`, columnLetters(i), b.row)
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

// columnLetters is the name of a column by its place from 0: A, Z, AA.
func columnLetters(i int) string {
	name := string(rune('A' + i%26))
	if i < 26 {
		return name
	}
	return columnLetters(i/26-1) + name
}

func (b *workbookWriter) close() error {
	_, err := io.WriteString(b.sheet, sheetFoot)
	return errors.Join(err, b.zip.Close())
}
