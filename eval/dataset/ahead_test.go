package dataset

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/eval/dataset/profile"
	"concord/eval/dataset/tablefile"
)

// What is read ahead is what the file holds, rows of any size and broken ones
// included, and wherever the reading is given up.
func TestAheadIsTheFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("index\tquestion\tprediction\n")
	for i := range 1500 {
		text := "short"
		switch {
		case i%500 == 7:
			text = strings.Repeat("long ", aheadBytes/5+1)
		case i%100 == 3:
			text = "too\tmany"
		}
		fmt.Fprintf(&b, "%d\tq%d\t%s\n", i, i, text)
	}
	path := filepath.Join(t.TempDir(), "a.tsv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := profile.OpenDetectingFormat(path, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for r, err := range src.Rows(t.Context()) {
		want = append(want, fmt.Sprintf("%d %q %v", r.Line, r.Cells, err))
	}
	im := newImporter(nil, src, Options{}, checkHasPrediction)
	for _, stop := range []int{0, 8, 600} {
		var got []string
		for a := range im.readInBackground(t.Context()) {
			if got = append(got, fmt.Sprintf("%d %q %v", a.row.Line, a.row.Cells, a.broken)); len(got) == stop {
				break
			}
		}
		if stop == 0 {
			stop = len(want)
		}
		if !slices.Equal(got, want[:stop]) {
			t.Errorf("%d rows differ, want %d", len(got), stop)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for a := range im.readInBackground(ctx) {
		if n++; n == 5 {
			cancel()
		}
		err = a.broken
	}
	if n >= len(want) || err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("%d rows of a reading that was given up, then %v", n, err)
	}
}

// A panic of the reader comes to whoever waits for the rows.
func TestAheadPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v", p)
		}
	}()
	src := profile.NewFromOpener("a.tsv", tablefile.TSV, func() (io.ReadCloser, int64, error) { panic("broken") }, nil)
	for range newImporter(nil, src, Options{}, checkHasPrediction).readInBackground(t.Context()) {
		t.Error("a row")
	}
}
