package format

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
)

// xmlReader reads the XML of a part of a workbook, tag by tag. encoding/xml says whether it is well formed.
type xmlReader struct {
	xml   *xml.Decoder
	in    *bufio.Reader
	size  int  // bytes since the last tag or text
	tag   bool // they are those of a tag
	aside bool // of a comment or another one that is no element
	depth int  // elements that have begun
}

func newXMLReader(in io.Reader) *xmlReader {
	m := &xmlReader{in: bufio.NewReaderSize(in, fastio.Chunk)}
	m.xml = xml.NewDecoder(m)
	return m
}

// Read is for the decoder alone, which calls ReadByte.
func (m *xmlReader) Read(b []byte) (int, error) { return m.in.Read(b) }

// ReadByte gives the decoder a byte, unless the tag or the text is over its budget.
func (m *xmlReader) ReadByte() (byte, error) {
	c, err := m.in.ReadByte()
	switch m.size++; {
	case c == '<' && !m.tag:
		m.size, m.tag, m.aside = 0, true, false
	case m.tag && m.size == 1:
		m.aside = c == '!' || c == '?'
	case m.tag && !m.aside && m.size > bound.Tag:
		return 0, &bound.Error{What: "a tag", Most: bound.Tag}
	case m.size > bound.SheetCell:
		return 0, &bound.Error{What: "the text of a cell, or between cells,", Most: bound.SheetCell}
	}
	return c, err
}

// nextToken gives the next tag or text, valid until the one after it; io.EOF once all elements have ended.
func (m *xmlReader) nextToken() (xml.Token, error) {
	for {
		token, err := m.xml.Token()
		if err != nil {
			return nil, err
		}
		if _, text := token.(xml.CharData); !text { // behind a text a tag has begun
			m.tag, m.size = false, 0
		}
		switch token.(type) {
		case xml.StartElement:
			if m.depth++; m.depth > bound.Depth {
				return nil, &bound.Error{What: "the nesting of elements", Most: bound.Depth, Unit: "levels"}
			}
		case xml.EndElement:
			m.depth--
		case xml.Directive:
			return nil, errors.New("a document type, which no workbook has")
		case xml.Comment, xml.ProcInst:
			continue
		}
		return token, nil
	}
}

// readElementText reads the text of the element that has begun, up to its end: that of its elements t, or of
// itself where it is called v. How a text is pronounced is no part of it.
func (m *xmlReader) readElementText(name string) (string, error) {
	var out []byte
	depth, takes, spoken := m.depth, name == "v", 0
	for {
		token, err := m.nextToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" && spoken == 0 {
				spoken = m.depth
			}
			takes = t.Name.Local == "t" && spoken == 0
		case xml.EndElement:
			if m.depth < spoken {
				spoken = 0
			}
			if takes = false; m.depth < depth {
				if name != "v" {
					out = escaped.ReplaceAllFunc(out, decodeXlsxEscape)
				}
				return string(out), nil
			}
		case xml.CharData:
			if takes {
				out = append(out, t...)
			}
		}
	}
}

// escaped is how a workbook writes a character that XML cannot hold.
var escaped = regexp.MustCompile(`_x[a-fA-F\d]{4}_`)

// decodeXlsxEscape reads one. Half of a surrogate pair is nothing.
func decodeXlsxEscape(s []byte) []byte {
	c, _ := strconv.Unquote(`"\u` + string(s[2:6]) + `"`)
	return []byte(c)
}

func readSharedStrings(in io.Reader) (texts []string, err error) {
	for m := newXMLReader(in); ; {
		token, err := m.nextToken()
		if errors.Is(err, io.EOF) {
			return texts, nil
		}
		if begin, ok := token.(xml.StartElement); ok && begin.Name.Local == "si" {
			if len(texts) == bound.SharedTexts {
				return nil, &bound.Error{What: "what cells share", Most: bound.SharedTexts, Unit: "texts"}
			}
			var text string
			text, err = m.readElementText("si")
			texts = append(texts, text)
		}
		if err != nil {
			return nil, fmt.Errorf("shared text %d: %w", max(len(texts), 1), err)
		}
	}
}

// sheetReader reads the rows of a sheet: what stands in the cells, untouched by any number format. It
// refuses rows and cells that are out of order, and cells that refer to none of the texts that cells share.
type sheetReader struct {
	*xmlReader
	shared []string

	row          int  // as the sheet numbers it; 0: before the first
	named, plain bool // there are rows with a number, and without one
	wide         int  // cells so far, with the empty ones
	column       int  // of the last cell, from 1
	cells        []string
}

// eachRow yields the rows up to the last, less the empty cells at their ends, until
// yield returns false or an error. Rows that the sheet leaves out are left out.
func (s *sheetReader) eachRow(yield func(cells []string) (bool, error)) error {
	for {
		token, err := s.nextToken()
		if errors.Is(err, io.EOF) {
			return errors.New("the sheet has no rows: it ends too early")
		}
		if err != nil {
			return err
		}
		if begin, ok := token.(xml.StartElement); ok && begin.Name.Local == "sheetData" {
			break
		}
	}
	return s.eachChild(func(begin xml.StartElement) error {
		if begin.Name.Local != "row" {
			return fmt.Errorf("element %.40q is no row", begin.Name.Local)
		}
		if err := s.takeRowNumber(begin); err != nil {
			return err
		}
		if err := s.eachChild(s.readCell); err != nil {
			return err
		}
		more, err := yield(slices.Clone(s.cells))
		if err == nil && !more {
			err = errStopped
		}
		return err
	})
}

// eachChild reads the elements of the one that has begun, up to its end, between which no text may stand.
func (s *sheetReader) eachChild(read func(xml.StartElement) error) error {
	for {
		token, err := s.nextToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.CharData:
			if text := bytes.TrimSpace(t); len(text) > 0 {
				return fmt.Errorf("the text %.40q is in no cell", text)
			}
		case xml.StartElement:
			if err := read(t); err != nil {
				return err
			}
		}
	}
}

// findAttribute finds an attribute of a tag, without a prefix.
func findAttribute(of xml.StartElement, name string) (string, bool) {
	i := slices.IndexFunc(of.Attr, func(a xml.Attr) bool { return a.Name.Space == "" && a.Name.Local == name })
	if i < 0 {
		return "", false
	}
	return of.Attr[i].Value, true
}

func (s *sheetReader) takeRowNumber(begin xml.StartElement) error {
	number, ok := findAttribute(begin, "r")
	s.column, s.cells = 0, s.cells[:0]
	s.named, s.plain = s.named || ok, s.plain || !ok
	last := s.row
	if s.row++; ok {
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return fmt.Errorf("%.30q is no number of a row", number)
		}
		s.row = int(n)
	}
	switch {
	case s.named && s.plain:
		return errors.New("some rows have a number, and others none")
	case s.row > bound.SheetRows:
		return &bound.Error{What: "its number", Most: bound.SheetRows, Unit: "rows"}
	case s.row <= last:
		return fmt.Errorf("it follows row %d", last)
	}
	return nil
}

func (s *sheetReader) readCell(begin xml.StartElement) error {
	if begin.Name.Local == "extLst" {
		return s.xml.Skip()
	}
	if begin.Name.Local != "c" {
		return fmt.Errorf("element %.40q is not that of a cell", begin.Name.Local)
	}
	last := s.column
	s.column++
	if name, ok := findAttribute(begin, "r"); ok {
		if s.column = parseColumnNumber(name, s.row); s.column == 0 {
			return fmt.Errorf("%.30q is no cell of it", name)
		}
	}
	switch s.wide += s.column - last; {
	case s.column > bound.Columns:
		return &bound.Error{What: "it", Most: bound.Columns, Unit: "cells"}
	case s.column <= last:
		return errors.New("its cells are out of order")
	case s.wide > bound.SheetCells:
		return &bound.Error{What: "the sheet", Most: bound.SheetCells, Unit: "cells"}
	}
	kind, _ := findAttribute(begin, "t")
	if kind != "" && !slices.Contains([]string{"b", "d", "e", "inlineStr", "n", "s", "str"}, kind) {
		return fmt.Errorf("a cell is of the unknown type %.20q", kind)
	}
	var value string
	err := s.eachChild(func(part xml.StartElement) (err error) {
		var text string
		switch name := part.Name.Local; name {
		case "f", "extLst":
			_, err = s.readElementText(name)
		case "v", "is":
			text, err = s.readElementText(name)
		default:
			return fmt.Errorf("element %.40q is not that of a cell", name)
		}
		if kind == "inlineStr" || part.Name.Local == "v" {
			value += text
		}
		return err
	})
	if err != nil {
		return err
	}
	if value, err = s.resolveCellValue(kind, value); err == nil && value != "" {
		for len(s.cells) < s.column-1 {
			s.cells = append(s.cells, "")
		}
		s.cells = append(s.cells, value)
	}
	return err
}

// resolveCellValue gives what the value of a cell stands for: a text that cells share, or a truth value.
func (s *sheetReader) resolveCellValue(kind, value string) (string, error) {
	switch {
	case kind == "s" && value != "":
		if n := parseNumberUpTo(string(bytes.TrimSpace([]byte(value))), len(s.shared)-1); n >= 0 {
			return s.shared[n], nil
		}
		return "", fmt.Errorf("a cell refers to the shared text %.20q, of %d", value, len(s.shared))
	case kind == "b" && value == "1":
		return "TRUE", nil
	case kind == "b" && value == "0":
		return "FALSE", nil
	}
	return value, nil
}

// parseNumberUpTo reads a whole number from 0 to most; -1 is none.
func parseNumberUpTo(digits string, most int) int {
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || int(n) > most {
		return -1
	}
	return int(n)
}

// parseColumnNumber reads the column of a cell's name, such as AB12, in a row; 0 is none.
func parseColumnNumber(name string, row int) int {
	n, i := 0, 0
	for ; i < len(name) && i < 3 && name[i] >= 'A' && name[i] <= 'Z'; i++ {
		n = n*26 + int(name[i]-'A') + 1
	}
	if n > bound.Columns || parseNumberUpTo(name[i:], bound.SheetRows) != row {
		return 0
	}
	return n
}
