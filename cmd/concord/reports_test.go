package main

import (
	"crypto/sha256"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/cli"
	"concord/eval/openai/openaitest"
)

var updateReports = flag.Bool("update-reports", false, "write the golden reports anew")

// Every row of REPORTS.md prints, by the command that stands there, what it
// printed before, on one small project that has something for each.
func TestReports(t *testing.T) {
	t.Parallel()
	r := newReportsRig(t, nil, nil)
	list, err := os.ReadFile("../../REPORTS.md")
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/reports.golden"
	got := printAll(t, r, string(list), "csv")
	if *updateReports {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	before, after := sections(string(want)), sections(got)
	if len(before) != len(after) {
		t.Errorf("%d reports, want %d", len(after), len(before))
	}
	for name, text := range before {
		compareReports(t, name, after[name], text)
	}
	if t.Failed() {
		t.Log("-update-reports writes what comes out")
	}
}

// newReportsRig gives a small project that has something for every report, made by
// the commands of its archive. change, where it is not nil, is what each file
// becomes, and rename what each command does.
func newReportsRig(t *testing.T, change func(name string, data []byte) string, rename func(command string) string) *rig {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/reports.txtar")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, openaitest.Options{})
	for _, f := range archive.Files {
		text := string(f.Data)
		if change != nil {
			text = change(f.Name, f.Data)
		}
		r.write(f.Name, text)
	}
	for line := range strings.Lines(string(archive.Comment)) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "concord ")
		if !ok {
			continue
		}
		if rename != nil {
			command = rename(command)
		}
		args := strings.Fields(command)
		for i := range args {
			if _, err := os.Stat(r.path(args[i])); err == nil {
				args[i] = r.path(args[i])
			}
		}
		r.done(args...)
	}
	return r
}

// All reports come out as before, byte by byte, in every format: as Markdown in
// the golden file, in the others by their hash.
func TestAllReports(t *testing.T) {
	t.Parallel()
	r := newReportsRig(t, nil, nil)
	var out strings.Builder
	for _, format := range []string{"markdown", "csv", "json", "latex", "html"} {
		dir := filepath.Join(t.TempDir(), format)
		r.done("report", "all", "--out", dir, "--format", format)
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(f)
			text := rounded(t, string(data))
			switch {
			case strings.HasPrefix(name, "index.") || strings.HasPrefix(name, "settings."): // they hold times
				continue
			case format != "markdown":
				text = fmt.Sprintf("%x\n", sha256.Sum256([]byte(text)))
			}
			fmt.Fprintf(&out, "== %s\n%s", name, text)
		}
	}
	const golden = "testdata/allreports.golden"
	if *updateReports {
		if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	before, after := sections(string(want)), sections(out.String())
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s: %s\nwant\n%s", name, after[name], text)
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d files, want %d", len(after), len(before))
	}
}

// sections are the reports by what stands before them.
func sections(text string) map[string]string {
	out := make(map[string]string)
	for part := range strings.SplitSeq(text, "== ") {
		if name, report, ok := strings.Cut(part, "\n"); ok {
			out[name] = report
		}
	}
	return out
}

// compareReports demands every line and every column that was there before, with
// its figures; further columns may stand beside them.
func compareReports(t *testing.T, name, got, want string) {
	t.Helper()
	after, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	before, err := csv.NewReader(strings.NewReader(want)).ReadAll()
	if err != nil || len(before) == 0 || len(after) != len(before) {
		t.Errorf("%s: %d lines, want %d, %v", name, len(after), len(before), err)
		return
	}
	for i, column := range before[0] {
		at := slices.Index(after[0], column)
		if at < 0 {
			t.Errorf("%s: there is no column %s", name, column)
			continue
		}
		for n := range before {
			if after[n][at] != before[n][i] {
				t.Errorf("%s: line %d, %s: %q, want %q", name, n+1, column, after[n][at], before[n][i])
			}
		}
	}
}

// printAll runs the commands of every row, each once, as CSV.
func printAll(t *testing.T, r *rig, list, format string) string {
	t.Helper()
	rows := regexp.MustCompile(`(?m)^\| (\d+) \|.*\| (.*) \|$`).FindAllStringSubmatch(list, -1)
	reports := regexp.MustCompile("`concord (report [^`]*)`")
	names := strings.NewReplacer("QUEUE", "q", "MODEL", "lm", "DATASET", "d")
	done := make(map[string]bool)
	var out strings.Builder
	for i, row := range rows {
		if row[1] != fmt.Sprint(i+1) {
			t.Fatalf("row %s stands where %d should", row[1], i+1)
		}
		commands := reports.FindAllStringSubmatch(row[2], -1)
		for _, c := range commands {
			if done[c[1]] || strings.HasPrefix(c[1], "report all") {
				continue
			}
			done[c[1]] = true
			fmt.Fprintf(&out, "== concord %s\n%s", c[1], r.done(append(strings.Fields(names.Replace(c[1])), "--format", format)...))
		}
	}
	return rounded(t, out.String())
}

// rounded is a text without the last digits of its figures, which differ between
// processors.
func rounded(t *testing.T, text string) string {
	t.Helper()
	return regexp.MustCompile(`\d+\.\d{7,}(e-\d+)?`).ReplaceAllStringFunc(text, func(s string) string {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Errorf("%s is no number: %v", s, err)
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	})
}

// Every way into a project that a report names is a command, with those flags.
func TestNeedsAreCommands(t *testing.T) {
	root := newRootCmd(newUnopenedProject(cli.Streams{}, nil))
	for _, k := range catalogue.CommandKinds() {
		for _, line := range k.Needs.Next {
			cmd, rest, err := root.Find(strings.Fields(line))
			if err != nil || cmd == root || cmd.HasSubCommands() && !strings.HasPrefix(rest[0], "--") {
				t.Errorf("report %s needs %q, which is no command: %v", k.Name, line, err)
				continue
			}
			for _, word := range rest {
				if name, ok := strings.CutPrefix(word, "--"); ok && cmd.Flags().Lookup(name) == nil {
					t.Errorf("report %s needs %q, which has no flag %s", k.Name, line, word)
				}
			}
		}
	}
}
