package tablefile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestTypedParquet looks at the schema that other tools find, and at the values.
func TestTypedParquet(t *testing.T) {
	header := []string{"sample", "pass", "seconds", "at", "correct", "run", "shots"}
	var out bytes.Buffer
	table, err := New(&out, Parquet, header)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]any{
		{"7", 1, 0.5, "2026-01-02T03:04:05.006Z", true, 3, int64(2)},
		{"8", 0, 2, nil, nil, "not known", nil},
	} {
		if err := table.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	warnings, err := table.Close()
	if err != nil || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "1 cells are no number") {
		t.Errorf("warnings %q, %v", warnings, err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"STRING", "INT(64,true)", "DOUBLE", "TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)", "BOOLEAN", "INT(64,true)", "INT(64,true)"}
	for i, f := range file.Schema().Fields() {
		if got := f.Type().String(); f.Name() != header[i] || got != want[i] || !f.Optional() {
			t.Errorf("column %d: %s %s, want %s %s", i, f.Name(), got, header[i], want[i])
		}
	}
	rows := make([]parquet.Row, 2)
	group := file.RowGroups()[0].Rows()
	if n, _ := group.ReadRows(rows); n != 2 {
		t.Fatalf("%d rows", n)
	}
	if r := rows[0]; r[1].Int64() != 1 || r[2].Double() != 0.5 || r[3].Int64() != 1767323045006 || !r[4].Boolean() || r[6].Int64() != 2 {
		t.Errorf("first row %v", r)
	}
	if r := rows[1]; r[2].Double() != 2 || !r[3].IsNull() || !r[4].IsNull() || !r[5].IsNull() {
		t.Errorf("second row %v", r)
	}
	if err := group.Close(); err != nil {
		t.Error(err)
	}
}

// Rows of predictions ascend by run, sample and pass, and the file says so, and who wrote it.
func TestSortedParquet(t *testing.T) {
	for _, c := range []struct {
		header []string
		sorted int
	}{{[]string{"sample", "pass", "run", "ordinal"}, 3}, {[]string{"sample", "pass", "run"}, 0}} {
		var out bytes.Buffer
		table, err := New(&out, Parquet, c.header)
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Write([]any{"7", 1, 2, 3}[:len(c.header)]); err != nil {
			t.Fatal(err)
		}
		if _, err := table.Close(); err != nil {
			t.Fatal(err)
		}
		file, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		by := file.Metadata().RowGroups[0].SortingColumns
		if len(by) != c.sorted {
			t.Fatalf("%v is sorted by %v", c.header, by)
		}
		for i, name := range []string{"run", "ordinal", "pass"}[:c.sorted] {
			if got := c.header[by[i].ColumnIdx]; got != name || by[i].Descending {
				t.Errorf("sorted by %v at %d, want %s, ascending", by[i], i, name)
			}
		}
		if by := file.Metadata().CreatedBy; !strings.HasPrefix(by, "concord version ") || strings.Contains(by, "build )") {
			t.Errorf("created by %q", by)
		}
	}
}
