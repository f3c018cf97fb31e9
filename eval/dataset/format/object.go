package format

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"concord/eval/bound"
	"concord/eval/dataset/internal/fastio"
	"concord/eval/dataset/problem"
)

// eachObjectRow makes rows of the objects that are cut out of JSON arrays and JSON lines. An object becomes a
// row whose columns are its names; null is an empty cell, and a list or an object within stays JSON.
func (f *File) eachObjectRow(els *fastio.Elements, l Layout, yield func(Row, error) bool) error {
	rows := objectRows{read: l.Object}
	for {
		text, line, err := els.Next()
		var p *problem.Problem
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.As(err, &p):
			return err
		}
		r := Row{Line: line}
		if err == nil {
			if r, err = rows.makeRow(text, line); err != nil {
				var next *problem.Problem
				if next = problem.NewAt(f.Path, line, "%s", err); !els.Lines && errors.Is(err, fastio.ErrNoObject) {
					next = els.Resync(line, err.Error())
				}
				err = next
			}
		}
		if !yield(r, err) {
			return nil
		}
	}
}

// objectRows makes rows of objects, whose columns are in the order of their names.
type objectRows struct {
	read  func(text []byte, like []string) (fastio.Object, error) // nil: ParseObject
	like  []string                                                // names of the last object, as they stand in it
	names []string                                                // in their order
	order []int                                                   // where each stands
	cells [][]byte
}

// makeRow makes a row of one object. Its cells are valid until the next.
func (o *objectRows) makeRow(text []byte, line int) (Row, error) {
	read := o.read
	if read == nil {
		read = fastio.ParseLenientObject
	}
	members, err := read(text, o.like)
	switch {
	case errors.Is(err, fastio.ErrNoObject):
		return Row{}, fmt.Errorf("%w: write the row as {\"column\": value, ...}, or leave it out", err)
	case err != nil:
		return Row{}, err
	}
	if !slices.EqualFunc(members, o.like, func(m fastio.Member, name string) bool { return m.Name == name }) {
		o.planColumnOrder(members)
	}
	o.cells = o.cells[:0]
	for _, at := range o.order {
		o.cells = append(o.cells, fastio.TextOfJSON(members[at].Value))
	}
	return Row{Line: line, Names: o.names, Cells: o.cells, Broken: !utf8.Valid(text)}, nil
}

// planColumnOrder finds the order of the columns of an object with other names than the last.
func (o *objectRows) planColumnOrder(members fastio.Object) {
	o.like, o.names, o.order = make([]string, len(members)), make([]string, len(members)), make([]int, len(members))
	for i, m := range members {
		o.like[i], o.order[i] = m.Name, i
	}
	slices.SortFunc(o.order, func(a, b int) int { return strings.Compare(o.like[a], o.like[b]) })
	for i, at := range o.order {
		o.names[i] = o.like[at]
	}
}

// checkFooterSize refuses a file whose description of itself, which is read whole, is too long.
func checkFooterSize(at io.ReaderAt, size int64) error {
	var tail [8]byte                                          // the length and a mark
	n, _ := at.ReadAt(tail[:], max(size-int64(len(tail)), 0)) // whoever opens it says why it cannot be read
	if n < len(tail) {
		return nil
	}
	return bound.CheckSize("the footer", int64(binary.LittleEndian.Uint32(tail[:])), bound.Directories)
}

// checkUnpackedSize refuses a file that says of itself that it has too many rows, or unpacks to far more than it has.
func checkUnpackedSize(file *parquet.File, size int64) error {
	if n := file.NumRows(); n > bound.Rows {
		return fmt.Errorf("row %d: %w", bound.Rows+1, &bound.Error{What: "the file", Most: bound.Rows, Unit: "rows", Found: n})
	}
	var all int64
	for _, g := range file.Metadata().RowGroups {
		for i := range g.Columns {
			all += max(g.Columns[i].MetaData.TotalUncompressedSize, 0)
		}
	}
	return bound.CheckSize("what the file unpacks to", all, min(bound.Unpacked, bound.UnpackedFree+bound.Ratio*size))
}

// checkPageSizes refuses a file with a page that unpacks to far more than it has, or with more values than a
// table can have. A page is read whole, and what the file says of itself beside its pages need not be true.
func checkPageSizes(at io.ReaderAt, file *parquet.File) error {
	row := int64(1) // the first of the group
	groups := file.Metadata().RowGroups
	for g := range groups {
		for c := range groups[g].Columns {
			column := &groups[g].Columns[c].MetaData
			if err := checkColumnPageSizes(at, column); err != nil {
				return fmt.Errorf("column %q of the rows from %d: %w", strings.Join(column.PathInSchema, "."), row, err)
			}
		}
		row += groups[g].NumRows
	}
	return nil
}

// checkColumnPageSizes looks at the headers of the pages of a column in one group of
// rows. What it cannot read, whoever reads the rows finds.
func checkColumnPageSizes(at io.ReaderAt, c *format.ColumnMetaData) error {
	from := cmp.Or(max(c.DictionaryPageOffset, 0), c.DataPageOffset)
	chunk := io.NewSectionReader(at, from, max(c.TotalCompressedSize, 0))
	values := int64(0)
	for pos, h := range eachPageHeader(chunk) {
		packed := int64(h.CompressedPageSize)
		if err := bound.CheckSize("what a page unpacks to", int64(h.UncompressedPageSize), bound.UnpackedFree+bound.Ratio*packed); err != nil {
			return fmt.Errorf("at byte %d: %w", from+pos, err)
		}
		switch {
		case h.DataPageHeader.Valid:
			values += int64(h.DataPageHeader.V.NumValues)
		case h.DataPageHeaderV2.Valid:
			values += int64(h.DataPageHeaderV2.V.NumValues)
		}
		if values > bound.Values {
			return &bound.Error{What: "the column", Most: bound.Values, Unit: "values"}
		}
	}
	return nil
}

// eachPageHeader yields the headers of a column's pages, with where each begins, up to one that cannot be read.
func eachPageHeader(chunk *io.SectionReader) iter.Seq2[int64, *format.PageHeader] {
	return func(yield func(int64, *format.PageHeader) bool) {
		var protocol thrift.CompactProtocol
		buffer := bufio.NewReaderSize(nil, 512)
		for pos := int64(0); pos < chunk.Size(); {
			in := io.NewSectionReader(chunk, pos, chunk.Size()-pos)
			buffer.Reset(in)
			var h format.PageHeader
			if err := thrift.NewDecoder(protocol.NewReader(buffer)).Decode(&h); err != nil || h.CompressedPageSize < 0 || !yield(pos, &h) {
				return
			}
			read, _ := in.Seek(0, io.SeekCurrent) // of a SectionReader it never fails
			pos += read - int64(buffer.Buffered()) + int64(h.CompressedPageSize)
		}
	}
}
