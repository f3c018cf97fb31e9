package rowfile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/eval"
	"concord/eval/dataset/problem"
)

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
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
		for r, err := range ReadLabels(write(t, name, text), "") {
			var p *problem.Problem
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
	for _, err := range ReadLabels(write(t, "l.csv", "sample,choice\n1,A\n"), "") {
		if err == nil || !strings.Contains(err.Error(), "annotator") {
			t.Error(err)
		}
	}
	for _, err := range ReadLabels("nowhere.csv", "") {
		if !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

// A file may begin with a line that is broken.
func TestReadLabelsBehindBrokenLine(t *testing.T) {
	for name, text := range map[string]string{
		"l.jsonl": `{"sample": tru}` + "\n" + `{"sample": 7, "annotator": "ann", "choice": "A"}`,
		"l.json":  `[{"sample": tru}, {"sample": 7, "annotator": "ann", "choice": "A"}]`,
		"l.csv":   "sample,annotator,choice\nx\n7,ann,A\n",
	} {
		good, bad := 0, 0
		for r, err := range ReadLabels(write(t, name, text), "") {
			switch {
			case err != nil:
				bad++
			case r.Sample == "7" && r.Choice == "A":
				good++
			}
		}
		if good != 1 || bad != 1 {
			t.Errorf("%s: %d rows, %d problems", name, good, bad)
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
