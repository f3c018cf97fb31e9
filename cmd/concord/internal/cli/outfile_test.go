//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOutFileHonoursTheUmask: the umask is the process's own, so this test runs
// beside no other.
func TestOutFileHonoursTheUmask(t *testing.T) {
	dir := t.TempDir()
	check := func(umask int, name string, want os.FileMode) {
		t.Helper()
		was := syscall.Umask(umask)
		defer syscall.Umask(was)
		path := filepath.Join(dir, name)
		f, err := CreateOutFile(path, filepath.Join(dir, "p.db"))
		if err != nil {
			t.Fatal(err)
		}
		if info, err := f.Stat(); err != nil || info.Mode().Perm() != want {
			t.Errorf("umask %03o: %s is %v before it is finished, want %v", umask, name, info.Mode().Perm(), want)
		}
		if err := f.CommitOrRemove(nil); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("umask %03o: %s is %v, want %v", umask, name, info.Mode().Perm(), want)
		}
	}
	check(0o022, "a", 0o644)
	check(0o077, "b", 0o600)
	check(0o002, "c", 0o664)
	check(0o002, "b", 0o600) // as it was made
	check(0o077, "c", 0o664)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
}

// A pipe that nobody reads is refused, not waited for; one with a reader is
// written.
func TestOutFileIntoAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateOutFile(path, ""); err == nil {
		t.Error("a pipe without a reader is opened")
	}
	in, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close() //nolint:errcheck // it is only read
	out, err := CreateOutFile(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	if err := out.CommitOrRemove(nil); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(in); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}
