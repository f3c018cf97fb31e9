package tablefile

import (
	"fmt"
	"time"

	"github.com/parquet-go/parquet-go"
)

// columnType is what a column of parquet holds. The zero value is text.
type columnType uint8

const (
	textColumn columnType = iota
	integerColumn
	floatColumn
	timeColumn // UTC, in milliseconds
	boolColumn
)

// typed are the columns that hold no text, by name: a name means the same in
// every table.
var typed = map[string]columnType{
	"pass": integerColumn, "run": integerColumn, "run_1": integerColumn, "run_2": integerColumn, "repeat": integerColumn, "order": integerColumn,
	"prompt_tokens": integerColumn, "completion_tokens": integerColumn, "reasoning_tokens": integerColumn, "latency_ms": integerColumn,
	"images": integerColumn, "images_lacking": integerColumn, "shots": integerColumn,
	"confidence": integerColumn, "guideline": integerColumn, "round": integerColumn, "n": integerColumn, "hit": integerColumn, "of": integerColumn, "votes": integerColumn,
	"seconds": floatColumn, "inclusion": floatColumn, "value": floatColumn,
	"at":      timeColumn,
	"correct": boolColumn, "flagged": boolColumn, "informed": boolColumn, "imported": boolColumn, "taken_back": boolColumn,
}

// node is the column's type in the schema.
func (c columnType) node() parquet.Node {
	switch c {
	case integerColumn:
		return parquet.Int(64)
	case floatColumn:
		return parquet.Leaf(parquet.DoubleType)
	case timeColumn:
		return parquet.Timestamp(parquet.Millisecond)
	case boolColumn:
		return parquet.Leaf(parquet.BooleanType)
	case textColumn:
	}
	return parquet.String()
}

// dtype is the column's type as Hugging Face's datasets names it.
func (c columnType) dtype() string {
	return [...]string{"string", "int64", "float64", "timestamp[ms, tz=UTC]", "bool"}[c]
}

// value is a cell of a column, or false if it is none of the column's type.
func (c columnType) value(cell any) (parquet.Value, bool) {
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

// cell is a cell of a column with how much it takes. What is none of the
// column's type is counted, and left empty.
func (t *parquetTable) cell(cell any, column columnType) (parquet.Value, error) {
	switch {
	case cell == nil:
		return parquet.NullValue(), nil
	case column == textColumn:
		text, err := CellText(cell)
		t.size += len(text)
		return parquet.ByteArrayValue([]byte(text)), err
	}
	v, ok := column.value(cell)
	if !ok && cell != "" {
		t.untyped++
	}
	if !ok {
		return parquet.NullValue(), nil
	}
	t.size += 8
	return v, nil
}

// lost says which cells the types could not hold.
func (t *parquetTable) lost() []string {
	if t.untyped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d cells are no number, time or boolean as their columns have it, and are empty in parquet: JSON lines hold them", t.untyped)}
}
