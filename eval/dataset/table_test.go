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
	"concord/eval/dataset/tablefile"
)

func exported() []PredictionRow {
	options := []eval.Option{{Letter: "A", Text: "None"}, {Letter: "C", Text: "1.0"}}
	row := PredictionRow{
		Dataset: "d", Run: 3, Model: "m", Modality: eval.WithImage, Strategy: eval.Circular, Sample: "7",
		Taxonomy: []string{"reasoning", "x, \"y\""}, Question: "q\n\t\"?\"", Options: options, Answer: "A",
		Prediction: "=1+1\r\n\"C\", \x1b[31m\t答案 <b>", Reading: eval.Extraction{Choice: "C", Status: eval.Found, Method: "letter"},
	}
	second := row
	second.Pass, second.Prediction = 1, ""
	second.Options, second.Answer = []eval.Option{{Letter: "A", Text: "1.0"}, {Letter: "C", Text: "None"}}, "C"
	return []PredictionRow{row, second}
}

// What is exported is imported again as it was.
func TestWritePredictions(t *testing.T) {
	for _, format := range tablefile.Formats() {
		var out bytes.Buffer
		warnings, err := WritePredictions(&out, format, []eval.Choice{"A", "B", "C", "D"}, func(yield func(PredictionRow, error) bool) {
			for _, r := range exported() {
				if !yield(r, nil) {
					return
				}
			}
		})
		if err != nil || len(warnings) > 0 != (format == FormatXLSX) { // which holds no escape, and says so
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
		if format == FormatXLSX {
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
	_, err := WritePredictions(&bytes.Buffer{}, FormatCSV, nil, func(yield func(PredictionRow, error) bool) { yield(PredictionRow{}, os.ErrClosed) })
	if !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

func TestReadLabels(t *testing.T) {
	const lines = `{"sample": 7, "pass": 1, "model": "m", "annotator": "ann", "choice": "b", "confidence": 0.5, "note": "n", "at": "2026-01-02T03:04:05Z"}
{"sample": "x", "annotator": "bob", "choice": "Refused"}
{"sample": "x", "annotator": "bob", "choice": "maybe"}
not json
{"sample": "x", "annotator": "bob", "choice": ""}
{"sample": "x", "choice": "A"}
{"sample": "x", "pass": 99, "annotator": "bob", "choice": "A"}
{"sample": "x", "annotator": "bob", "choice": "A", "confidence": 2}
{"sample": "y", "annotator": "bob", "choice": "ambiguous"}`
	const table = "sample,pass,model,annotator,choice,confidence,note,at\n7,1,m,ann,B,0.5,n,2026-01-02T03:04:05Z\nx,,,bob,refused,,,\nx,,,bob,maybe,,,\nx,,\nx,,,bob,,,,\nx,,,,A,,,\nx,99,,bob,A,,,\nx,0,,bob,A,2,,\ny,0,,bob,ambiguous,,,\n"
	for name, text := range map[string]string{"l.jsonl": lines, "l.csv": table} {
		var good []LabelRow
		bad := 0
		for r, err := range ReadLabels(write(t, name, text)) {
			var p *Problem
			switch {
			case err == nil:
				good = append(good, r)
			case errors.As(err, &p) && p.Line > 0:
				bad++
			default:
				t.Fatal(name, err)
			}
		}
		if len(good) != 3 || bad != 6 {
			t.Fatalf("%s: %d good, %d bad: %+v", name, len(good), bad, good)
		}
		if g := good[0]; g.Sample != "7" || g.Pass != 1 || g.Choice != "B" || g.Status != eval.Found || g.Confidence != 0.5 || g.At.Year() != 2026 || g.Note != "n" {
			t.Errorf("%s: %+v", name, g)
		}
		if good[1].Status != eval.Refused || good[1].Choice != "" || good[2].Status != eval.Ambiguous {
			t.Errorf("%s: %+v", name, good)
		}
	}
	for _, err := range ReadLabels(write(t, "l.csv", "sample,choice\n1,A\n")) {
		if err == nil || !strings.Contains(err.Error(), "annotator") {
			t.Error(err)
		}
	}
	for _, err := range ReadLabels("nowhere.csv") {
		if !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

func TestReadJudgments(t *testing.T) {
	var got []JudgmentRow
	for r, err := range ReadJudgments(write(t, "j.jsonl", `{"sample":"1","model":"m","judge":"j","choice":"A","raw":" A\n","prompt":"p@1"}
{"sample":"1","pass":2,"judge":"j","choice":"","raw":"who knows"}
{"sample":"1","judge":"j","choice":"none"}`)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	want := []JudgmentRow{
		{Line: 1, Sample: "1", Model: "m", Judge: "j", Status: eval.Found, Choice: "A", Raw: " A\n", Prompt: "p@1"},
		{Line: 2, Sample: "1", Pass: 2, Judge: "j", Status: eval.Missing, Raw: "who knows"},
		{Line: 3, Sample: "1", Judge: "j", Status: eval.None},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
