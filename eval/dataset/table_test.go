package dataset

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/export"
	"concord/eval/dataset/tablefile"
)

func exported() []export.PredictionRow {
	options := []eval.Option{{Letter: "A", Text: "None"}, {Letter: "C", Text: "1.0"}}
	row := export.PredictionRow{
		Dataset: "d", Run: 3, Model: "m", Modality: eval.WithImage, Strategy: eval.Circular, Sample: "7",
		Taxonomy: []string{"reasoning", "x, \"y\""}, Question: "q\n\t\"?\"", Options: options, Answer: "A",
		Prediction: "=1+1\r\n\"C\", \x1b[31m\t答案 <b>", Reading: eval.Extraction{Choice: "C", Status: eval.Found, Method: "letter"},
	}
	second := row
	second.Pass, second.Prediction = 1, ""
	second.Options, second.Answer = []eval.Option{{Letter: "A", Text: "1.0"}, {Letter: "C", Text: "None"}}, "C"
	return []export.PredictionRow{row, second}
}

// What is exported is imported again as it was.
func TestWritePredictions(t *testing.T) {
	for _, format := range tablefile.Formats() {
		var out bytes.Buffer
		warnings, err := export.WritePredictions(&out, format, []eval.Choice{"A", "B", "C", "D"}, func(yield func(export.PredictionRow, error) bool) {
			for _, r := range exported() {
				if !yield(r, nil) {
					return
				}
			}
		})
		// A workbook holds no escape, and a spreadsheet would compute a cell of the
		// others: both say so.
		lossy := format == tablefile.XLSX || format == tablefile.CSV || format == tablefile.TSV
		if err != nil || len(warnings) > 0 != lossy {
			t.Fatal(format, warnings, err)
		}
		path := filepath.Join(t.TempDir(), "x."+format)
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		m := newMemory(t)
		sum, err := record1(t, m, path)
		if err != nil || sum.Added != 2 || !sum.Circular || sum.Questions != 1 || sum.Warnings != 0 {
			t.Errorf("%s: %+v, %v", format, sum, err)
			continue
		}
		want, got := exported()[0], m.list("d")[0]
		text := m.facts[eval.Key{Run: 1}].Prediction.Text
		wantText := want.Prediction
		if format == tablefile.XLSX {
			wantText = strings.NewReplacer("\x1b", "\uFFFD").Replace(wantText) // XML holds no escape
		}
		if got.ID != "7" || got.Question != want.Question || !slices.Equal(got.Options, want.Options) || got.Answer != "A" ||
			!slices.Equal(got.Taxonomy, want.Taxonomy) || text != wantText {
			t.Errorf("%s: %+v %q", format, got, text)
		}
	}
}

// An error of the rows ends the export.
func TestWritePredictionsEnds(t *testing.T) {
	_, err := export.WritePredictions(&bytes.Buffer{}, tablefile.CSV, nil, func(yield func(export.PredictionRow, error) bool) { yield(export.PredictionRow{}, os.ErrClosed) })
	if !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}
