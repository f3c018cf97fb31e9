package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"concord/cmd/concord/internal/cli"
)

// What goes out in public tells no answer, no reference answer and nothing of
// the criteria, whatever the format; the full file tells all that stands.
func TestPublicDatasetTellsNoAnswer(t *testing.T) {
	dir := t.TempDir()
	command := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := runProgram(t.Context(), append([]string{"-p", filepath.Join(dir, "p.db")}, args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != cli.ExitDone {
			t.Fatalf("%v: status %d, %s", args, code, &errs)
		}
		return out.String()
	}
	write := func(name string, lines ...string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const n = 40
	var questions, criteria, changed, choices []string
	var standing, gone []string
	for i := range n {
		word := func(what string) string { return fmt.Sprintf("%s%dzq", what, i) }
		questions = append(questions, fmt.Sprintf(`{"index":%d,"question":"ask%dzq","answer":%q,"taxonomy":["l","c%d"]}`, i, i, word("truth"), i%4))
		criteria = append(criteria, fmt.Sprintf(`{"sample":%d,"criteria":[{"type":"soft_reference","text":%q}],"author":"ann","state":"changes_requested","reviewer":"bob","request":%q}`,
			i, word("first"), word("request")))
		changed = append(changed, fmt.Sprintf(`{"sample":%d,"criteria":[{"type":"range","text":%q},%q],"author":"ann","reason":%q,"question_type":"compound"}`,
			i, word("second"), word("third"), word("reason")))
		choices = append(choices, fmt.Sprintf(`{"index":%d,"question":"pick%dzq","A":"one","B":"two","answer":"%s"}`, i, i, "AB"[i%2:i%2+1]))
		standing = append(standing, word("truth"), word("second"), word("third"))
		gone = append(gone, word("first"), word("request"), word("reason"))
	}
	command("import", "dataset", write("q.jsonl", questions...), "--name", "d")
	command("import", "criteria", write("c.jsonl", criteria...), "--dataset", "d")
	command("import", "criteria", write("r.jsonl", changed...), "--dataset", "d")
	command("import", "criteria", write("x.jsonl", `{"sample":3,"criteria":null,"discarded":"blurred"}`), "--dataset", "d")
	command("import", "dataset", write("m.jsonl", choices...), "--name", "m")

	for _, format := range []string{"tsv", "jsonl", "csv", "xlsx"} {
		full := unpacked(t, command("export", "dataset", "d", "--format", format))
		public := unpacked(t, command("export", "dataset", "d", "--format", format, "--public"))
		for _, secret := range standing {
			if !strings.Contains(full, secret) {
				t.Errorf("%s: the full file lacks %s", format, secret)
			}
			if strings.Contains(public, secret) {
				t.Errorf("%s: the public file has %s", format, secret)
			}
		}
		for _, secret := range append(gone, "answer", "criteria", "ask3zq") {
			if strings.Contains(public, secret) {
				t.Errorf("%s: the public file has %s", format, secret)
			}
		}
		for i := range n {
			if ask := fmt.Sprintf("ask%dzq", i); i != 3 && !strings.Contains(public, ask) {
				t.Errorf("%s: the public file lacks %s", format, ask)
			}
		}
	}
	table := command("export", "dataset", "m", "--public")
	for line := range strings.Lines(table) {
		for _, cell := range strings.Split(strings.TrimSpace(line), "\t")[3:] {
			if cell == "answer" || !strings.HasPrefix(line, "index\t") && (cell == "A" || cell == "B") {
				t.Errorf("the public file tells the letter: %s", line)
			}
		}
	}
}

// unpacked is the text of a file, also of the files within a workbook.
func unpacked(t *testing.T, file string) string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(file), int64(len(file)))
	if err != nil {
		return file
	}
	var out strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&out, r); err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
	}
	return out.String()
}
