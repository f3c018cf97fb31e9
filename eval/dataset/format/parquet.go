package format

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	pqformat "github.com/parquet-go/parquet-go/format"

	"concord/eval/bound"
)

// parquetBatch is how many rows are taken at once, while those before had fewer
// bytes than smallRow: rows may hold pictures.
const (
	parquetBatch = 4
	smallRow     = 1 << 20
)

// parquetColumns is how the rows of one parquet file become cells.
type parquetColumns struct {
	names  []string     // of the cells
	leaves []leafColumn // by the index of the file's column
}

type leafColumn struct {
	cell    int // -1: nobody asks for it
	list    bool
	picture bool          // bytes of one
	text    bool          // by its type
	unit    time.Duration // of a time; 0: it is none
}

// timeUnitOf is the unit of times of a column's type, 0 for other types.
func timeUnitOf(t *pqformat.LogicalType) time.Duration {
	if t == nil {
		return 0
	}
	stamp, _ := t.Value.(*pqformat.TimestampType)
	if stamp == nil {
		return 0
	}
	switch stamp.Unit.Value.(type) {
	case *pqformat.MilliSeconds:
		return time.Millisecond
	case *pqformat.MicroSeconds:
		return time.Microsecond
	}
	return time.Nanosecond
}

// readParquet reads a parquet file row by row. What its module makes of a broken file is an error, never a crash.
func (f *File) readParquet(in io.Reader, size int64, l Layout, yield func(Row, error) bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parquet file is broken: %v", p)
		}
	}()
	at, size, err := toReaderAt(in, size)
	if err != nil {
		return err
	}
	if err := checkFooterSize(at, size); err != nil {
		return err
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("open parquet: %w", err)
	}
	if err := checkUnpackedSize(file, size); err != nil {
		return err
	}
	if err := checkPageSizes(at, file); err != nil {
		return err
	}
	cols := l.planColumns(file.Schema())
	line, total := 0, max(file.NumRows(), 1)
	given, overfull := int64(0), error(nil)
	for _, group := range file.RowGroups() {
		more, err := eachRow(group, func(values parquet.Row) bool {
			line++
			f.reportProgress(size * min(int64(line), total) / total)
			cells, err := cols.makeRowCells(values)
			if err != nil {
				err = f.NewProblem(line, "%s", err)
			}
			for _, c := range cells {
				given += int64(len(c))
			}
			if over := bound.CheckSize("the text of the file up to here", given, bound.Unpacked); over != nil {
				overfull = fmt.Errorf("row %d: %w", line, over)
				return false
			}
			return yield(Row{Line: line, Names: cols.names, Cells: cells}, err)
		})
		if err := errors.Join(err, overfull); err != nil || !more {
			return err
		}
	}
	return nil
}

func eachRow(group parquet.RowGroup, yield func(parquet.Row) bool) (more bool, err error) {
	rows := group.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	batch, most := make([]parquet.Row, parquetBatch), 1
	for {
		n, err := rows.ReadRows(batch[:most])
		largest := 0
		for i, r := range batch[:n] {
			largest = max(largest, countRowBytes(r))
			if !yield(r) {
				return false, nil
			}
			if largest > smallRow {
				batch[i] = nil // not to stand beside the next one
			}
		}
		most = parquetBatch
		if largest > smallRow {
			most = 1
		}
		switch {
		case errors.Is(err, io.EOF) || err == nil && n == 0:
			return true, nil
		case err != nil:
			return false, fmt.Errorf("read rows: %w", err)
		}
	}
}

// countRowBytes counts how much text or binary data a row holds.
func countRowBytes(r parquet.Row) (bytes int) {
	for _, v := range r {
		if k := v.Kind(); k == parquet.ByteArray || k == parquet.FixedLenByteArray {
			bytes += len(v.ByteArray())
		}
	}
	return bytes
}

// planColumns finds out what the file's columns are.
func (l *Layout) planColumns(schema *parquet.Schema) parquetColumns {
	var c parquetColumns
	for _, path := range schema.Columns() {
		f := leafColumn{cell: -1}
		if at, ok := schema.Lookup(path...); ok {
			kind := at.Node.Type().Kind()
			f.text = slices.Contains([]string{"STRING", "JSON", "ENUM"}, at.Node.Type().String())
			f.list = at.MaxRepetitionLevel > 0
			f.unit = timeUnitOf(at.Node.Type().LogicalType())
			name, ok := l.cellName(path, at.MaxRepetitionLevel)
			f.picture = (name == "image" || path[len(path)-1] == "bytes") && !f.text && (kind == parquet.ByteArray || kind == parquet.FixedLenByteArray)
			if ok && at.MaxRepetitionLevel <= 1 && !slices.Contains(c.names, name) {
				f.cell = len(c.names)
				c.names = append(c.names, name)
			}
		}
		c.leaves = append(c.leaves, f)
	}
	return c
}

// cellName is what a column is called as a cell: a plain column or a list of plain values by its
// name, a picture's struct by the name of the struct, and others as the layout has them.
func (l *Layout) cellName(path []string, repeated int) (string, bool) {
	name, inner := path[:1], path[1:]
	if repeated > 0 && len(inner) >= 2 { // list, element
		inner = inner[2:]
	}
	if len(inner) == 1 && inner[0] == "bytes" {
		inner = nil
	}
	switch {
	case l.Column != nil:
		return l.Column(slices.Concat(name, inner))
	case len(inner) == 0:
		return name[0], true
	}
	return strings.Join(slices.Concat(name, inner), "."), true
}

// makeRowCells makes cells of a row's values. A null is no cell, unlike an empty text.
func (c *parquetColumns) makeRowCells(values parquet.Row) (out [][]byte, err error) {
	out = make([][]byte, len(c.names))
	row := int64(0)
	values.Range(func(column int, values []parquet.Value) bool {
		if column >= len(c.leaves) || c.leaves[column].cell < 0 {
			return true
		}
		l := c.leaves[column]
		if len(values) > bound.Columns {
			err = &bound.Error{What: "a list", Most: bound.Columns, Unit: "values", Found: int64(len(values))}
			return false
		}
		var texts [][]byte
		for _, v := range values {
			if v.IsNull() {
				continue
			}
			text := l.formatValue(v)
			if over := bound.CheckSize("a cell", int64(len(text)), bound.Cell); over != nil {
				err = over
				continue
			}
			if row += int64(len(text)); row > bound.RowBytes {
				err = &bound.Error{What: "the row", Most: bound.RowBytes}
				return false
			}
			texts = append(texts, text)
		}
		switch {
		case len(texts) == 0:
		case l.list && (!l.picture || len(texts) > 1):
			out[l.cell] = formatListCell(texts)
		default:
			out[l.cell] = texts[0]
		}
		return true
	})
	return out, err
}

// formatValue gives a value as text; the bytes of a picture are base64, as in a TSV.
func (l *leafColumn) formatValue(v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		b := v.ByteArray()
		if l.picture && !beginsAsBase64(b) {
			return base64.StdEncoding.AppendEncode(nil, b)
		}
		return append([]byte{}, b...)
	case parquet.Float:
		return strconv.AppendFloat(nil, float64(v.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.AppendFloat(nil, v.Double(), 'g', -1, 64)
	case parquet.Boolean:
		return strconv.AppendBool(nil, v.Boolean())
	case parquet.Int32:
		return strconv.AppendInt(nil, int64(v.Int32()), 10)
	case parquet.Int64:
		if l.unit > 0 {
			n, per := v.Int64(), int64(time.Second/l.unit)
			return time.Unix(n/per, n%per*int64(l.unit)).UTC().AppendFormat(nil, "2006-01-02T15:04:05.999999999Z07:00")
		}
		return strconv.AppendInt(nil, v.Int64(), 10)
	case parquet.Int96: // an old form of time, which no column here is
	}
	return []byte(v.String())
}

// beginsAsBase64 tells a picture's text from its bytes, in files that do not say
// that a column is text; no picture begins with so many letters.
func beginsAsBase64(b []byte) bool {
	const looked = 256
	for _, c := range b[:min(len(b), looked)] {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/', c == '=':
		default:
			return false
		}
	}
	return len(b) >= looked
}

func formatListCell(texts [][]byte) []byte {
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = string(t)
	}
	out, err := json.Marshal(list)
	if err != nil {
		return nil // texts always marshal
	}
	return out
}
