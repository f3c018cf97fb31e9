package dataset

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// parquetMagic is how a parquet file begins, and ends.
const parquetMagic = "PAR1"

// parquetBatch is how many rows are taken at once: rows may hold pictures.
const parquetBatch = 4

// columnar is how the rows of one parquet file become cells.
type columnar struct {
	names  []string // of the cells
	leaves []leaf   // by the index of the file's column
	number bool     // the file has no index: a row's number is it
	twice  int      // the cell that question_id fills beside its own; -1: none
}

// leaf is what one column of the file is.
type leaf struct {
	cell    int // -1: nobody asks for it
	list    bool
	picture bool // bytes of one
	text    bool // by its type
}

// metaInfo is MMStar's struct of a row's origin; its fields are columns of
// the benchmark's TSV.
const metaInfo = "meta_info"

// parquet reads a parquet file row by row. What its module makes of a broken
// file is an error, never a crash.
func (s *source) parquet(f io.Reader, size int64, yield func(row, error) bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parquet file is broken: %v", p)
		}
	}()
	at, ok := f.(io.ReaderAt)
	if !ok { // no file: what a test holds in memory
		text, err := io.ReadAll(io.LimitReader(f, entryLimit))
		if err != nil {
			return err
		}
		at, size = bytes.NewReader(text), int64(len(text))
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("open parquet: %w", err)
	}
	cols := s.columns(file.Schema())
	head := newHeader(cols.names)
	line, total := 0, max(file.NumRows(), 1)
	for _, group := range file.RowGroups() {
		more, err := eachRow(group, func(values parquet.Row) bool {
			line++
			s.progress(size * min(int64(line), total) / total)
			return yield(row{line: line, head: head, cells: cols.cells(values, line)}, nil)
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func eachRow(group parquet.RowGroup, yield func(parquet.Row) bool) (more bool, err error) {
	rows := group.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	batch := make([]parquet.Row, parquetBatch)
	for {
		n, err := rows.ReadRows(batch)
		for _, r := range batch[:n] {
			if !yield(r) {
				return false, nil
			}
		}
		switch {
		case errors.Is(err, io.EOF) || err == nil && n == 0:
			return true, nil
		case err != nil:
			return false, fmt.Errorf("read rows: %w", err)
		}
	}
}

// columns finds out what the file's columns are.
func (s *source) columns(schema *parquet.Schema) columnar {
	c := columnar{twice: -1}
	paths := schema.Columns()
	for _, path := range paths {
		l := leaf{cell: -1}
		if at, ok := schema.Lookup(path...); ok {
			kind := at.Node.Type().Kind()
			l.text = slices.Contains([]string{"STRING", "JSON", "ENUM"}, at.Node.Type().String())
			l.list = at.MaxRepetitionLevel > 0
			name, ok := cellName(path, at.MaxRepetitionLevel)
			l.picture = name == "image" && !l.text && (kind == parquet.ByteArray || kind == parquet.FixedLenByteArray)
			if !s.asIs {
				name = benchName(name)
			}
			if ok && at.MaxRepetitionLevel <= 1 && !slices.Contains(c.names, name) {
				l.cell = len(c.names)
				c.names = append(c.names, name)
			}
		}
		c.leaves = append(c.leaves, l)
	}
	if !s.asIs && !slices.Contains(c.names, "index") && !slices.Contains(c.names, "id") {
		c.identify()
	}
	return c
}

// cellName is what a column is called as a cell: a plain column or a list of
// plain values by its name, a picture's struct by the name of the struct, and
// the fields of meta_info by their own.
func cellName(path []string, repeated int) (string, bool) {
	inner := path[1:]
	if repeated > 0 && len(inner) >= 2 { // list, element
		inner = inner[2:]
	}
	switch {
	case len(inner) == 0:
		return path[0], true
	case len(inner) == 1 && inner[0] == "bytes":
		return path[0], true
	case len(inner) == 1 && path[0] == metaInfo:
		return inner[0], true
	}
	return "", false
}

// benchName gives a column the name of VLMEvalKit's TSV.
func benchName(name string) string {
	if name == "L2-category" {
		return "l2-category"
	}
	return name
}

// identify numbers the rows of a file without an index. In MME's file a
// question's id is its picture's name, which two rows share.
func (c *columnar) identify() {
	question := slices.Index(c.names, "question_id")
	mme := question >= 0 && slices.Contains(c.names, "category") && !slices.Contains(c.names, "A") && !slices.Contains(c.names, "options")
	if question >= 0 && !mme {
		return
	}
	c.number = true
	c.names = append(c.names, "index")
	if mme && !slices.Contains(c.names, "image_path") {
		c.twice = len(c.names)
		c.names = append(c.names, "image_path")
	}
}

// cells makes cells of a row's values. A null is no cell, unlike an empty text.
func (c *columnar) cells(values parquet.Row, line int) [][]byte {
	out := make([][]byte, len(c.names))
	values.Range(func(column int, values []parquet.Value) bool {
		if column >= len(c.leaves) || c.leaves[column].cell < 0 {
			return true
		}
		l := c.leaves[column]
		var texts [][]byte
		for _, v := range values {
			if !v.IsNull() {
				texts = append(texts, l.value(v))
			}
		}
		switch {
		case len(texts) == 0:
		case l.list && (!l.picture || len(texts) > 1):
			out[l.cell] = listCell(texts)
		default:
			out[l.cell] = texts[0]
		}
		return true
	})
	if c.number {
		out[slices.Index(c.names, "index")] = strconv.AppendInt(nil, int64(line-1), 10)
	}
	if c.twice >= 0 {
		out[c.twice] = out[slices.Index(c.names, "question_id")]
	}
	return out
}

// value is a value as text; the bytes of a picture are base64, as in a TSV.
func (l *leaf) value(v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		b := v.ByteArray()
		if l.picture && !isBase64(b) {
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
		return strconv.AppendInt(nil, v.Int64(), 10)
	case parquet.Int96: // an old form of time, which no column here is
	}
	return []byte(v.String())
}

// isBase64 tells a picture's text from its bytes, in files that do not say
// that a column is text; no picture begins with so many letters.
func isBase64(b []byte) bool {
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

// listCell is texts as a JSON list.
func listCell(texts [][]byte) []byte {
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
