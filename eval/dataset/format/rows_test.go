package format

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"concord/eval/bound"
)

// A file has a bounded number of rows, however short they are.
func TestTooManyRows(t *testing.T) {
	text := append([]byte("a\n"), bytes.Repeat([]byte("1\n"), bound.Rows+1)...)
	f := NewFromOpener("f.csv", CSV, func() (io.ReadCloser, int64, error) {
		return io.NopCloser(bytes.NewReader(text)), int64(len(text)), nil
	}, nil)
	rows := 0
	err := f.EachRow(Layout{}, func(Row, error) bool { rows++; return true })
	if rows != bound.Rows || err == nil || !strings.Contains(err.Error(), "line 1048578: the file is over the limit of 1048576 rows") {
		t.Errorf("%d rows, %v", rows, err)
	}
}
