package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// listed is a row of a parquet file with a list.
type listed struct {
	Index    int64    `parquet:"index"`
	Question string   `parquet:"question,dict"`
	Choices  []string `parquet:"choices,dict"`
}

// TestParquetBombs imports parquet files of few bytes whose pages repeat one
// value millions of times, or whose description of itself is long: each is
// refused before it is read.
func TestParquetBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("the built program is measured without the race detector")
	}
	row := listed{1, "Why?", []string{"a"}}
	long := row
	long.Choices = make([]string, 5<<20)
	one := long
	one.Choices = make([]string, 1<<20)
	wide := row
	wide.Question = strings.Repeat("a", 9<<20)
	for _, c := range []struct {
		name  string
		row   listed
		times int
		want  string
	}{
		{"rows.parquet", row, 2 << 20, "row 1048577: the file: 2097152 rows, over the limit of 1048576 rows"},
		{"column.parquet", long, 1, `column "choices" of the rows from 1: the column is over the limit of 4194304 values`},
		{"list.parquet", one, 1, "list.parquet:1: a list: 1048576 values, over the limit of 16384 values"},
		{"footer.parquet", wide, 1, "the footer: 18 MB, over the limit of 16 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var file bytes.Buffer
			w := parquet.NewGenericWriter[listed](&file, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(1<<24))
			rows := make([]listed, min(c.times, 1<<14))
			for i := range rows {
				rows[i] = c.row
			}
			for range c.times / len(rows) {
				if _, err := w.Write(rows); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(t.TempDir(), c.name)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			out, resident, took, err := importMeasured(t, path)
			t.Logf("%d kB: %d MB, %.1f s: %s", file.Len()>>10, resident, took.Seconds(), bytes.TrimSpace(out))
			if err == nil || !strings.Contains(string(out), c.want) {
				t.Errorf("%v: %s\nwant %s", err, out, c.want)
			}
			if resident > mostResident {
				t.Errorf("%d MB, %d at most", resident, mostResident)
			}
		})
	}
}
