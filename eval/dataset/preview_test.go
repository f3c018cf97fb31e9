package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/eval/dataset/tablefile"
)

func TestLook(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	check := func(path string, rows, problems int, answers, asks bool) Preview {
		t.Helper()
		p, err := PreviewFile(t.Context(), path, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Rows) != rows || len(p.Problems) != problems || p.HasAnswers() != answers || p.HasQuestions() != asks {
			t.Errorf("%s: %d rows, %d problems, answers %v, asks %v: %+v", path, len(p.Rows), len(p.Problems), p.HasAnswers(), p.HasQuestions(), p)
		}
		return p
	}
	p := check(file("bench.tsv", "index\tquestion\tA\tB\tanswer\timage\n1\tWhich?\tcat\tdog\tB\taGk=\n\tno index\tx\ty\tA\t\n3\tWhat?\tx\ty\tA\t\n4\tNot read\tx\ty\tA\t\n"), 2, 1, false, true)
	if r := p.Rows[0]; p.Format != tablefile.TSV || p.Dataset != "bench" || r.ID != "1" || r.Answer != "B" || r.Pictures != 1 || len(r.Options) != 2 {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(p.Problems[0].String(), "no index") {
		t.Errorf("problem %s", p.Problems[0])
	}
	p = check(file("out.jsonl", `{"id":"1","question":"Which?","options":{"A":"x","B":"y"},"answer":"A","prediction":""}`+"\n"), 1, 0, true, true)
	if p.Format != tablefile.JSONL || p.Rows[0].Prediction != "" {
		t.Errorf("%+v", p)
	}
	check(file("bare.csv", "index,prediction\n1,A\n"), 1, 0, true, false)
	if _, err := PreviewFile(t.Context(), file("other.csv", "who,what\na,b\n"), 3); err == nil || !strings.Contains(err.Error(), "no column index") {
		t.Errorf("a table without ids: %v", err)
	}
	if _, err := PreviewFile(t.Context(), file("noise.bin", "\x00\x01"), 3); err == nil {
		t.Error("noise has a format")
	}
}
