package fastio

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"concord/eval/bound"
)

// PlainSheet reads the rows of a workbook as pandas, Excel and this package
// write it for predictions: one sheet of numbers, truth values and unformatted
// texts. It is many times quicker than a library that knows all of
// spreadsheets, and gives what that gives, or errNotPlain, upon which the
// library reads the file.
func PlainSheet(book *bound.Archive) ([][]string, error) {
	sheet, shared, err := plainParts(book.File)
	if err != nil {
		return nil, err
	}
	p := plainReader{}
	if shared != nil {
		if err := inPart(book, shared, p.readShared); err != nil {
			return nil, err
		}
	}
	if err := inPart(book, sheet, p.readSheet); err != nil {
		return nil, err
	}
	return p.rows, nil
}

// ImageRest is how the columns begin that go on with a workbook's image cell,
// which Excel would cut: "image (2)" and so on.
const ImageRest = "image "

// plainParts finds the one sheet of a workbook, and the texts that its cells
// share, where it has such.
func plainParts(parts []*zip.File) (sheet, shared *zip.File, err error) {
	for _, f := range parts {
		if strings.Contains(f.Name, `\`) {
			return nil, nil, errNotPlain
		}
		switch name := strings.ToLower(f.Name); {
		case name == "xl/sharedstrings.xml":
			if shared != nil || f.Name != "xl/sharedStrings.xml" {
				return nil, nil, errNotPlain
			}
			shared = f
		case strings.Contains(name, "sheets/") && !strings.Contains(name, "/_rels/"):
			if sheet != nil || f.Name != "xl/worksheets/sheet1.xml" {
				return nil, nil, errNotPlain
			}
			sheet = f
		}
	}
	if sheet == nil {
		return nil, nil, errNotPlain
	}
	return sheet, shared, nil
}

// inPart reads a part to its end, so that its checksum is known to be right.
func inPart(book *bound.Archive, part *zip.File, read func(*markup) error) (err error) {
	in, err := book.Open(part)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := read(newMarkup(in)); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

// plainReader holds what plainSheet has read.
type plainReader struct {
	shared []string
	rows   [][]string
	row    []byte // texts of the cells of the row, one after the other
	cells  []plainCell
	wide   int // cells so far, with the empty ones
	long   int // bytes of their texts
}

// plainCell is a cell with a value: a shared text, or a part of the row's.
type plainCell struct {
	column, from, to int
	shared           string
}

func (p *plainReader) readShared(m *markup) error {
	if err := m.find("sst"); err != nil {
		return err
	}
	var text []byte
	return m.children("sst", "si", func() (err error) {
		if len(m.attr) > 0 {
			return errNotPlain
		}
		if text, err = m.item(text[:0], "/si"); err != nil {
			return err
		}
		if p.shared = append(p.shared, string(text)); len(p.shared) > bound.SharedTexts {
			return errNotPlain // the check says so
		}
		return nil
	})
}

// find goes to the beginning of an element.
func (m *markup) find(name string) error {
	for {
		switch err := m.next(); {
		case err != nil:
			return err
		case !m.wellFormed():
			return errNotPlain
		case m.is(name):
			return nil
		}
	}
}

// children reads the elements of one name that an element which has begun holds,
// up to its end, and nothing else.
func (m *markup) children(of, name string, read func() error) error {
	end := "/" + of
	for !m.void {
		switch err := m.next(); {
		case err != nil:
			return err
		case !m.blank():
			return errNotPlain
		case m.is(end):
			return nil
		case !m.is(name):
			return errNotPlain
		}
		if err := read(); err != nil {
			return err
		}
		m.void = false
	}
	return nil
}

// item reads the one text of an element that has begun, up to its end. How it
// would be pronounced is no part of it.
func (m *markup) item(to []byte, end string) ([]byte, error) {
	if m.void {
		return to, nil
	}
	from, seen := len(to), false
	for {
		switch err := m.next(); {
		case err != nil:
			return to, err
		case !m.blank():
			return to, errNotPlain
		case m.is(end):
			return append(to[:from], characters(to[from:])...), nil
		case m.is("phoneticPr") && m.void && m.wellFormed():
		case !m.is("t") || seen:
			return to, errNotPlain
		default:
			seen = true
			if to, err = m.content(to); err != nil {
				return to, err
			}
		}
	}
}

func (p *plainReader) readSheet(m *markup) error {
	if err := m.find("sheetData"); err != nil {
		return err
	}
	return m.children("sheetData", "row", func() error { return p.readRow(m) })
}

// readRow adds a row, behind those that the sheet leaves out as empty.
func (p *plainReader) readRow(m *markup) error {
	number := 0
	ok := m.attributes(func(name, value []byte) bool {
		if string(name) == "r" {
			number = count(value, bound.SheetRows)
		}
		return !bytes.HasSuffix(name, []byte(":r"))
	})
	if !ok || number <= len(p.rows) {
		return errNotPlain
	}
	for len(p.rows) < number-1 {
		p.rows = append(p.rows, nil)
	}
	p.row, p.cells = p.row[:0], p.cells[:0]
	if err := m.children("row", "c", func() error { return p.readCell(m, number) }); err != nil {
		return err
	}
	texts := p.texts()
	if p.wide += len(texts); p.wide > bound.SheetCells {
		return errNotPlain // the check says so
	}
	if err := TextBudget(&p.long, texts); err != nil {
		return &SheetError{Row: int64(number), Err: err}
	}
	p.rows = append(p.rows, texts)
	if len(p.rows) == 1 && slices.Contains(p.rows[0], ImageRest+"(2)") {
		return errNotPlain // its pictures are better streamed
	}
	return nil
}

// TextBudget adds the texts of a row to those of a sheet that is held in
// memory. Texts that cells share count for each.
func TextBudget(held *int, texts []string) error {
	for _, t := range texts {
		*held += len(t)
	}
	return bound.Check("the text of the sheet", int64(*held), bound.SheetText)
}

// texts are those of the row's cells, up to the last that is not empty.
func (p *plainReader) texts() []string {
	if len(p.cells) == 0 {
		return nil
	}
	row := string(p.row)
	out := make([]string, p.cells[len(p.cells)-1].column)
	for _, c := range p.cells {
		if out[c.column-1] = c.shared; c.shared == "" {
			out[c.column-1] = row[c.from:c.to]
		}
	}
	return out
}

func (p *plainReader) readCell(m *markup, row int) error {
	c := plainCell{from: len(p.row)}
	kind := ""
	ok := m.attributes(func(name, value []byte) bool {
		switch string(name) {
		case "r":
			c.column = column(value, row)
		case "s":
			return count(value, 1<<20) >= 0
		case "t":
			kind = string(value)
		}
		return bytes.IndexByte(name, ':') < 0
	})
	if !ok || c.column < 1 || len(p.cells) > 0 && c.column <= p.cells[len(p.cells)-1].column {
		return errNotPlain
	}
	inline, err := p.readValue(m)
	if err != nil {
		return err
	}
	value := p.row[c.from:]
	switch {
	case inline != (kind == "inlineStr") && (inline || len(value) > 0):
		return errNotPlain
	case kind == "s" && len(value) > 0:
		n := count(value, len(p.shared)-1)
		if n < 0 {
			return errNotPlain
		}
		c.shared, p.row = p.shared[n], p.row[:c.from]
	case kind == "b" && string(value) == "1":
		p.row = append(p.row[:c.from], "TRUE"...)
	case kind == "b" && string(value) == "0":
		p.row = append(p.row[:c.from], "FALSE"...)
	case kind != "" && kind != "n" && kind != "s" && kind != "str" && kind != "inlineStr":
		return errNotPlain
	}
	if c.to = len(p.row); c.to > c.from || c.shared != "" {
		p.cells = append(p.cells, c)
	}
	return nil
}

// readValue appends the value of the cell that has begun, and tells whether it
// stands in the cell as a text.
func (p *plainReader) readValue(m *markup) (inline bool, err error) {
	seen := m.void
	for !m.void || !seen {
		if err := m.next(); err != nil {
			return false, err
		}
		switch {
		case !m.blank():
			return false, errNotPlain
		case m.is("/c"):
			return inline, nil
		case seen:
			return false, errNotPlain
		case m.is("v"):
			p.row, err = m.content(p.row)
		case m.is("is"):
			inline = true
			p.row, err = m.item(p.row, "/is")
		default:
			return false, errNotPlain
		}
		if err != nil {
			return false, err
		}
		seen, m.void = true, false
	}
	return inline, nil
}

// count reads a whole number from 0 to most; -1 is none.
func count(digits []byte, most int) int {
	n, err := strconv.ParseUint(string(digits), 10, 31)
	if err != nil || int(n) > most {
		return -1
	}
	return int(n)
}

// column reads the column of a cell's name, such as AB12, in a row; 0 is none.
func column(name []byte, row int) int {
	n, i := 0, 0
	for ; i < len(name) && i < 3 && name[i] >= 'A' && name[i] <= 'Z'; i++ {
		n = n*26 + int(name[i]-'A') + 1
	}
	if n > bound.Columns || count(name[i:], bound.SheetRows) != row {
		return 0
	}
	return n
}
