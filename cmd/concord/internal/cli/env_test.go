package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Another process may answer, from a folder of its own: the files that a
// command names are handed on by their whole paths, and nothing else is.
func TestFilesAreHandedOnWhole(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("q.csv", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	whole, err := filepath.Abs("q.csv")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"report", "criteria", "--quota", "q.csv", "--quota=q.csv", "--quota", "level=3"}
	a := &Env{Args: args}
	a.MakeFilesAbsolute("quota", []string{"q.csv", "level=3"})
	if want := []string{"report", "criteria", "--quota", whole, "--quota=" + whole, "--quota", "level=3"}; !slices.Equal(a.Args, want) {
		t.Errorf("got %q, want %q", a.Args, want)
	}
	if args[3] != "q.csv" {
		t.Error("the arguments themselves were changed")
	}
}
