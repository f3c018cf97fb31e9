package tablefile

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"concord/eval"
)

// parquetGroup is how many bytes a row group holds: what is kept in memory until it is written.
const parquetGroup = 16 << 20

// Pictures says how a table holds pictures.
type Pictures uint8

// The ways in which a table holds pictures.
const (
	noPictures   Pictures = iota
	OnePicture            // a struct of bytes and path, as Hugging Face's datasets have it
	ManyPictures          // a list of those
)

// parquetWriter writes rows as parquet: an optional column for each of the
// header, of text unless its name is typed, and the pictures' bytes as they are.
type parquetWriter struct {
	out     *parquet.GenericWriter[any]
	types   []columnType // of the header
	untyped int          // cells that are none of their column's type
	picture int          // the column; -1: none
	several bool
	size    int
}

func newParquetWriter(w io.Writer, header []string, pictures Pictures) *parquetWriter {
	t := &parquetWriter{picture: -1, several: pictures == ManyPictures}
	root := orderedGroup{Group: parquet.Group{}, names: header}
	for i, name := range header {
		t.types = append(t.types, typed[name])
		root.Group[name] = parquet.Optional(typed[name].parquetNode())
		if name == "image" && pictures != noPictures {
			t.picture = i
			var one parquet.Node = orderedGroup{
				Group: parquet.Group{"bytes": parquet.Optional(parquet.Leaf(parquet.ByteArrayType)), "path": parquet.Optional(parquet.String())},
				names: []string{"bytes", "path"},
			}
			if t.several {
				one = parquet.List(one)
			}
			root.Group[name] = parquet.Optional(one)
		}
	}
	build := eval.ThisBuild()
	by := "concord version " + build.Version + eval.Either(build.Commit != "", " (build "+build.Commit+")", "") // as the format has it
	options := []parquet.WriterOption{
		&parquet.WriterConfig{CreatedBy: by}, parquet.SortingWriterConfig(parquet.SortingColumns(makeSortingColumns(header)...)),
		parquet.NewSchema("dataset", root), parquet.Compression(&parquet.Snappy), parquet.DataPageStatistics(false),
		parquet.SkipPageBounds("image", "bytes"), parquet.SkipPageBounds("image", "list", "element", "bytes"),
	}
	if t.picture >= 0 && !t.several {
		options = append(options, parquet.KeyValueMetadata("huggingface", huggingFaceFeatures(header, t.picture)))
	}
	t.out = parquet.NewGenericWriter[any](w, options...)
	return t
}

// makeSortingColumns are the columns by which rows ascend: of predictions, which come by run, sample and pass.
func makeSortingColumns(header []string) []parquet.SortingColumn {
	if !slices.Contains(header, "ordinal") {
		return nil
	}
	return eval.Map([]string{"run", "ordinal", "pass"}, func(name string) parquet.SortingColumn { return parquet.Ascending(name) })
}

// huggingFaceFeatures says to Hugging Face's datasets that a column is pictures, not a
// struct of bytes: it decodes them then, as in the benchmarks' own releases.
func huggingFaceFeatures(header []string, picture int) string {
	type feature struct {
		Type  string `json:"_type"`
		DType string `json:"dtype,omitempty"`
	}
	types := [...]string{"string", "int64", "float64", "timestamp[ms, tz=UTC]", "bool"} // as datasets names them
	columns := make(map[string]feature, len(header))
	for i, name := range header {
		columns[name] = feature{Type: "Value", DType: types[typed[name]]}
		if i == picture {
			columns[name] = feature{Type: "Image"}
		}
	}
	text, err := json.Marshal(map[string]any{"info": map[string]any{"features": columns}})
	if err != nil {
		return "{}" // texts always marshal
	}
	return string(text)
}

// orderedGroup is a group whose columns keep the order of their names.
type orderedGroup struct {
	parquet.Group
	names []string
}

// Fields are in the order of the names.
func (o orderedGroup) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(o.names, a.Name()) - slices.Index(o.names, b.Name())
	})
	return fields
}

func (t *parquetWriter) writeRow(cells []any) error {
	var out parquet.Row
	column := 0
	for i, c := range cells {
		if i == t.picture {
			pictures, _ := c.([][]byte) // nil for none
			out = t.appendPictures(out, pictures, column)
			column += 2
			continue
		}
		v, err := t.encodeCell(c, t.types[i])
		if err != nil {
			return err
		}
		defined := eval.Either(v.IsNull(), 0, 1)
		out = append(out, v.Level(0, defined, column))
		column++
	}
	if _, err := t.out.WriteRows([]parquet.Row{out}); err != nil {
		return err
	}
	if t.size > parquetGroup {
		t.size = 0
		return t.out.Flush()
	}
	return nil
}

// appendPictures appends the values of the two columns of pictures: bytes, and the
// path, which nobody knows. Definition levels count what is there: the struct
// and its field, and with a list the list and its element before them.
func (t *parquetWriter) appendPictures(out parquet.Row, pictures [][]byte, column int) parquet.Row {
	depth := eval.Either(t.several, 2, 1)
	if len(pictures) == 0 {
		return append(out, parquet.NullValue().Level(0, 0, column), parquet.NullValue().Level(0, 0, column+1))
	}
	paths := make(parquet.Row, 0, len(pictures))
	for i, p := range pictures {
		t.size += len(p)
		out = append(out, parquet.ByteArrayValue(p).Level(min(i, 1), depth+1, column))
		paths = append(paths, parquet.NullValue().Level(min(i, 1), depth, column+1))
	}
	return append(out, paths...)
}

// columnType is what a column of parquet holds. The zero value is text.
type columnType uint8

const (
	textColumn columnType = iota
	integerColumn
	floatColumn
	timeColumn // UTC, in milliseconds
	boolColumn
)

// typed are the columns that hold no text, by name: a name means the same in every table.
var typed = map[string]columnType{
	"ordinal": integerColumn, "pass": integerColumn, "run": integerColumn, "run_1": integerColumn, "run_2": integerColumn, "repeat": integerColumn, "order": integerColumn,
	"prompt_tokens": integerColumn, "completion_tokens": integerColumn, "reasoning_tokens": integerColumn, "cached_tokens": integerColumn, "latency_ms": integerColumn,
	"images": integerColumn, "images_lacking": integerColumn, "shots": integerColumn,
	"confidence": integerColumn, "guideline": integerColumn, "round": integerColumn, "n": integerColumn, "hit": integerColumn, "of": integerColumn, "votes": integerColumn,
	"seconds": floatColumn, "inclusion": floatColumn, "value": floatColumn,
	"at":      timeColumn,
	"correct": boolColumn, "flagged": boolColumn, "informed": boolColumn, "imported": boolColumn, "taken_back": boolColumn,
}

// parquetNode is the column's type in the schema.
func (c columnType) parquetNode() parquet.Node {
	return [...]parquet.Node{
		parquet.String(), parquet.Int(64), parquet.Leaf(parquet.DoubleType), parquet.Timestamp(parquet.Millisecond), parquet.Leaf(parquet.BooleanType),
	}[c]
}

// toParquetValue gives a cell of a column, or false if it is none of the column's type.
func (c columnType) toParquetValue(cell any) (parquet.Value, bool) {
	switch v := cell.(type) {
	case int:
		switch c {
		case integerColumn:
			return parquet.Int64Value(int64(v)), true
		case floatColumn:
			return parquet.DoubleValue(float64(v)), true
		case textColumn, timeColumn, boolColumn:
		}
	case int64:
		return parquet.Int64Value(v), c == integerColumn
	case float64:
		return parquet.DoubleValue(v), c == floatColumn
	case bool:
		return parquet.BooleanValue(v), c == boolColumn
	case string:
		at, err := time.Parse(time.RFC3339, v)
		return parquet.Int64Value(at.UnixMilli()), c == timeColumn && err == nil
	}
	return parquet.Value{}, false
}

// encodeCell gives a cell of a column with how much it takes. What is none of the
// column's type is counted, and left empty.
func (t *parquetWriter) encodeCell(cell any, column columnType) (parquet.Value, error) {
	switch {
	case cell == nil:
		return parquet.NullValue(), nil
	case column == textColumn:
		text, err := FormatCell(cell)
		t.size += len(text)
		return parquet.ByteArrayValue([]byte(text)), err
	}
	v, ok := column.toParquetValue(cell)
	if !ok && cell != "" {
		t.untyped++
	}
	if !ok {
		return parquet.NullValue(), nil
	}
	t.size += 8
	return v, nil
}

// listLostCells says which cells the types could not hold.
func (t *parquetWriter) listLostCells() []string {
	if t.untyped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d cells are no number, time or boolean as their columns have it, and are empty in parquet: JSON lines hold them", t.untyped)}
}
