package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"concord/annotate/report"
	"concord/annotate/report/table"
	"concord/eval/text"
)

// A folder of reports is written anew over what was written before, and over
// nothing else.
func TestPutFiles(t *testing.T) {
	root := t.TempDir()
	folder, project := filepath.Join(root, "deep", "out"), filepath.Join(root, "p.db")
	reports := func(names ...string) []outputFile {
		p := &report.Page{Title: "t"}
		for _, n := range names {
			p.Sections = append(p.Sections, report.Section{Name: n, Title: n, Report: report.Report{Name: n}})
		}
		files, err := renderReportFiles(p, table.FormatMarkdown)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	holds := func(want ...string) {
		t.Helper()
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if want = append(want, "index.json", "index.md", "settings.md"); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	put := func(force bool, want string, names ...string) {
		t.Helper()
		err := writeFilesTogether(folder, project, reports(names...), force)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	put(false, "", "a", "b")
	holds("a.md", "b.md")
	put(false, "", "a", "c")
	holds("a.md", "c.md") // b was ours, and is written no more
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("c.md", "edited")
	write("d.md", "mine")
	put(false, "c.md, d.md: not written by this command, or changed since", "a", "c", "d")
	put(false, "", "a") // an edited file stays
	holds("a.md", "c.md", "d.md")
	put(true, "", "a", "d")
	holds("a.md", "c.md", "d.md")
	if err := os.Symlink("d.md", filepath.Join(folder, "e.md")); err != nil {
		t.Fatal(err)
	}
	put(true, "it is no file", "a", "e")
	write("f.md", "db")
	project = filepath.Join(folder, "f.md")
	put(true, "that is the project itself", "a", "f")
	write(indexFile, `{"report": "theirs"}`)
	put(false, "index.json", "a")
}

func TestPack(t *testing.T) {
	files := []outputFile{{"a", []byte{0, 1}}, {"b.md", nil}, {pageFile, bytes.Repeat([]byte("x"), 5000)}}
	var b bytes.Buffer
	if err := packFilesAsTar(&b, files); err != nil {
		t.Fatal(err)
	}
	got, err := unpackTar(bytes.NewReader(b.Bytes()))
	if err != nil || len(got) != 3 || got[2].name != pageFile || !bytes.Equal(got[2].data, files[2].data) {
		t.Errorf("%d files, %v", len(got), err)
	}
	if _, err := unpackTar(bytes.NewReader(b.Bytes()[:b.Len()/2])); err == nil {
		t.Error("a torn stream was taken")
	}
}

func TestFileWord(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := text.Outside(in).ForFileName(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	check("q-1_a", "q-1_a")
	check("../../etc/x y", "------etc-x-y")
	check("审查\x00\xff", "审查--")
	check(strings.Repeat("a", 100), strings.Repeat("a", 80))
}
