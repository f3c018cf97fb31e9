package concord_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestConventionsAreHeld by the tests that CONVENTIONS.md names: there is one
// for each row, and none has gone.
func TestConventionsAreHeld(t *testing.T) {
	doc, err := os.ReadFile("CONVENTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	have := testNames(t)
	name := regexp.MustCompile("`(Test\\w+)`")
	grammar, complaints, ok := strings.Cut(string(doc), "\n## What people complain of")
	if !ok {
		t.Fatal("CONVENTIONS.md has no second table")
	}
	for _, table := range []struct {
		text string
		rows int
	}{{grammar, 25}, {complaints, 23}} {
		rows := 0
		for line := range strings.SplitSeq(table.text, "\n") {
			if !strings.HasPrefix(line, "| ") || strings.HasSuffix(line, "| held by |") {
				continue
			}
			rows++
			cells := strings.Split(line, " | ")
			tests := name.FindAllStringSubmatch(cells[len(cells)-1], -1)
			if len(tests) == 0 {
				t.Errorf("nothing holds: %s", line)
			}
			for _, m := range tests {
				if !have[m[1]] {
					t.Errorf("there is no %s, which is to hold: %.60s", m[1], line)
				}
			}
		}
		if rows != table.rows {
			t.Errorf("%d rows, want %d", rows, table.rows)
		}
	}
}

// testNames are those of all tests of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	out := make(map[string]bool)
	decl := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range decl.FindAllSubmatch(src, -1) {
			out[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
