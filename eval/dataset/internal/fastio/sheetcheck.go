package fastio

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"concord/eval/bound"
)

// SheetError says what is wrong with a sheet, and in which of its rows.
type SheetError struct {
	Row int64 // as the sheet numbers it; 0: before the first
	Err error
}

// Error is the reason with the row.
func (e *SheetError) Error() string {
	if e.Row == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("row %d: %s", e.Row, e.Err)
}

// Unwrap gives the reason.
func (e *SheetError) Unwrap() error { return e.Err }

// CheckShared counts the texts that cells share, and says what is wrong with
// them.
func CheckShared(in io.Reader) (n int, err error) {
	for w := newWellFormed(in); ; {
		switch err := w.next(); {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, fmt.Errorf("shared text %d: %w", n+1, err)
		}
		if w.begin && w.is("si") {
			if n++; n > bound.SharedTexts {
				return n, &bound.Error{What: "what cells share", Most: bound.SharedTexts, Unit: "texts"}
			}
		}
	}
}

// CheckSheet reads a sheet's XML up to the end of its rows, and says what is
// wrong with it as a *SheetError: that it is not well formed or over a budget,
// that rows or cells are out of order, or that a cell refers to none of the
// texts that cells share. Truths tells whether a cell is a truth value.
func CheckSheet(in io.Reader, shared int) (truths bool, err error) {
	c := sheetCheck{xml: newWellFormed(in), shared: shared}
	if err := c.rows(); err != nil {
		return false, &SheetError{Row: c.row, Err: err}
	}
	_, err = io.Copy(io.Discard, in) // so that its checksum is known to be right
	return c.truths, err
}

type sheetCheck struct {
	xml    *wellFormed
	shared int
	truths bool

	row, column  int64 // of the cell that is read
	named, plain bool  // there are rows with a number, and without one
	cells        int64 // with the empty ones
	kind, value  []byte
}

// rows reads up to the end of the rows.
func (c *sheetCheck) rows() error {
	data := 0 // depth of sheetData
	for {
		err := c.xml.next()
		if errors.Is(err, io.EOF) {
			return errors.New("the sheet has no rows: it ends too early")
		}
		if err != nil {
			return err
		}
		depth := len(c.xml.open)
		switch {
		case data == 0:
			if c.xml.begin && c.xml.is("sheetData") {
				if c.xml.end {
					return nil
				}
				data = depth
			}
			continue
		case !c.xml.begin && depth < data:
			return nil
		}
		if err := c.within(depth - data); err != nil {
			return err
		}
	}
}

// within takes a tag so many levels within the rows; that of an element that
// begins has its own level.
func (c *sheetCheck) within(depth int) error {
	if c.xml.begin && c.xml.end {
		depth++ // it was not pushed
	}
	if (c.xml.begin && depth <= 3 || !c.xml.begin && depth <= 1) && len(bytes.TrimSpace(c.xml.text)) > 0 {
		return fmt.Errorf("the text %.40q is in no cell", bytes.TrimSpace(c.xml.text))
	}
	switch {
	case !c.xml.begin && depth == 1:
		return c.endCell()
	case !c.xml.begin && depth == 2 && c.xml.is("v"):
		c.value = append(c.value[:0], bytes.TrimSpace(c.xml.text)...)
		return nil
	case !c.xml.begin:
		return nil
	case depth == 1:
		return c.beginRow()
	case depth == 2 && c.xml.is("c"):
		if err := c.beginCell(); err != nil || !c.xml.end {
			return err
		}
		return c.endCell()
	case depth == 2 && !c.xml.is("extLst"), depth == 3 && !slices.ContainsFunc([]string{"v", "f", "is", "extLst"}, c.xml.is):
		return fmt.Errorf("element %.40q is not that of a cell", c.xml.name)
	}
	return nil
}

func (c *sheetCheck) beginRow() error {
	if !c.xml.is("row") {
		return fmt.Errorf("element %.40q is no row", c.xml.name)
	}
	number, ok := c.attribute("r")
	c.column = 0
	c.named, c.plain = c.named || ok, c.plain || !ok
	last := c.row
	if c.row++; ok {
		n, err := strconv.ParseInt(string(number), 10, 64)
		if err != nil {
			return fmt.Errorf("%.30q is no number of a row", number)
		}
		c.row = n
	}
	switch {
	case c.named && c.plain:
		return errors.New("some rows have a number, and others none")
	case c.row > bound.SheetRows:
		return &bound.Error{What: "its number", Most: bound.SheetRows, Unit: "rows"}
	case c.row <= last:
		return fmt.Errorf("it follows row %d", last)
	}
	return nil
}

func (c *sheetCheck) beginCell() error {
	last := c.column
	c.column++
	if name, ok := c.attribute("r"); ok {
		if c.column = int64(column(name, int(c.row))); c.column == 0 {
			return fmt.Errorf("%.30q is no cell of it", name)
		}
	}
	if c.column > bound.Columns {
		return &bound.Error{What: "it", Most: bound.Columns, Unit: "cells"}
	}
	if c.column <= last {
		return errors.New("its cells are out of order")
	}
	if c.cells += c.column - last; c.cells > bound.SheetCells {
		return &bound.Error{What: "the sheet", Most: bound.SheetCells, Unit: "cells"}
	}
	kind, _ := c.attribute("t")
	c.kind, c.value = append(c.kind[:0], kind...), c.value[:0]
	if len(kind) > 0 && !slices.Contains([]string{"b", "d", "e", "inlineStr", "n", "s", "str"}, string(kind)) {
		return fmt.Errorf("a cell is of the unknown type %.20q", kind)
	}
	c.truths = c.truths || string(kind) == "b"
	return nil
}

// endCell looks at the value of a shared text.
func (c *sheetCheck) endCell() error {
	if string(c.kind) == "s" && len(c.value) > 0 {
		if n := count(c.value, c.shared-1); n < 0 {
			return fmt.Errorf("a cell refers to the shared text %.20q, of %d", c.value, c.shared)
		}
	}
	c.kind = c.kind[:0]
	return nil
}

// attribute is an attribute of the tag. Tags that are not plain are read by
// encoding/xml.
func (c *sheetCheck) attribute(name string) (out []byte, found bool) {
	m := markup{attr: c.xml.attr}
	if m.attributes(func(n, value []byte) bool {
		if string(n) == name {
			out, found = value, true
		}
		return true
	}) {
		return out, found
	}
	tag := slices.Concat([]byte("<a "), c.xml.attr, []byte("/>"))
	token, err := xml.NewDecoder(bytes.NewReader(tag)).RawToken()
	if start, ok := token.(xml.StartElement); ok && err == nil {
		for _, a := range start.Attr {
			if a.Name.Space == "" && a.Name.Local == name {
				return []byte(a.Value), true
			}
		}
	}
	return nil, false
}
