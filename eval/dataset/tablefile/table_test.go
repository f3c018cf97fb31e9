package tablefile

import (
	"bytes"
	"strings"
	"testing"
)

func TestTableBounds(t *testing.T) {
	long := strings.Repeat("ü", ExcelCell+1)
	for format, cut := range map[string]bool{XLSX: true, TSV: false, CSV: false, JSONL: false} {
		var out bytes.Buffer
		table, err := New(&out, format, []string{"index", "prediction"})
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Write([]any{1, long}); err != nil {
			t.Fatal(err)
		}
		if err := table.Write([]any{1}); err == nil {
			t.Error(format, "a short row is written")
		}
		warnings, err := table.Close()
		if err != nil || (len(warnings) == 1) != cut {
			t.Errorf("%s: %q, %v", format, warnings, err)
		}
	}
	if _, err := New(&bytes.Buffer{}, "ods", nil); err == nil {
		t.Error("an unknown format is taken")
	}
}
