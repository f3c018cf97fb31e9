package export

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"concord/eval"
	"concord/eval/dataset/tablefile"
)

var pandasPage = regexp.MustCompile("(?s)## Exports in pandas and DuckDB\n.*?```python\n(.*?)```")

// asserted is what the program of the guide has read.
const asserted = `
for kind, t in frames.items():
    row, absent = t.iloc[0], t.iloc[1]
    assert row["sample"] == "007" and row["question"] == "NA" and absent["answer"] == "None", (kind, row, absent)
    assert row["pass"] == 1 and row["latency_ms"] == 1500 and bool(row["correct"]) and not bool(absent["correct"]), (kind, row)
    assert row["at"] == pd.Timestamp("2026-01-02T03:04:05Z") and pd.isna(absent["at"]), (kind, row["at"], absent["at"])
    assert row["prediction"] == "=1+1\n中 \"B\"" or kind in ("csv", "tsv") and row["prediction"] == "'=1+1\n中 \"B\"", (kind, row["prediction"])
    types = {c: str(t[c].dtype) for c in ("pass", "latency_ms", "correct", "at")}
    want = {"pass": "Int64", "latency_ms": "Int64", "correct": "boolean", "at": "datetime64[ns, UTC]"}
    assert types == want, (kind, types)
assert set(frames) >= {"csv", "tsv", "jsonl", "xlsx"}, frames.keys()
`

// TestPandasReadsEveryFormat runs the program of GUIDE.md over an export in each
// format, with Debian's python3-pandas and python3-openpyxl.
func TestPandasReadsEveryFormat(t *testing.T) {
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} { // the first may be another one than Debian's
		if exec.CommandContext(t.Context(), p, "-c", "import pandas, openpyxl").Run() == nil {
			python = p
		}
	}
	if python == "" {
		t.Skip("there is no pandas and openpyxl: apt install python3-pandas python3-openpyxl")
	}
	guide, err := os.ReadFile("../../../GUIDE.md")
	if err != nil {
		t.Fatal(err)
	}
	program := pandasPage.FindSubmatch(guide)
	if program == nil {
		t.Fatal("GUIDE.md has no program that reads exports")
	}
	options := []eval.Option{{Letter: "A", Text: "one"}, {Letter: "B", Text: "two"}}
	full := PredictionRow{
		Dataset: "d", Run: 1, Model: "m", Modality: eval.WithImage, Strategy: eval.Vanilla, Sample: "007", Pass: 1, Question: "NA",
		Options: options, Answer: "B", Prediction: "=1+1\n中 \"B\"", Latency: 1500 * time.Millisecond, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Reading: eval.Extraction{Status: eval.Found, Choice: "B"},
	}
	absent := PredictionRow{Dataset: "d", Run: 1, Sample: "8", Options: options, Answer: "None", Prediction: "A", Reading: eval.Extraction{Status: eval.Found, Choice: "A"}}
	dir := t.TempDir()
	for _, format := range tablefile.Formats() {
		var out bytes.Buffer
		_, err := WritePredictions(&out, format, []eval.Choice{"A", "B"}, func(yield func(PredictionRow, error) bool) {
			_ = yield(full, nil) && yield(absent, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "predictions."+format), out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", string(program[1])+asserted)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
