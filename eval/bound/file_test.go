package bound

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody writes to is refused at once, and so is what is no file.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{pipe: ErrNotRegular, dir: ErrNotRegular, os.DevNull: ErrNotRegular, file: nil, file + "x": os.ErrNotExist} {
		f, err := OpenRegular(path)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if err == nil {
			_ = f.Close()
		}
	}
	for most, want := range map[int64]string{3: "over the limit of 3 bytes", 4: ""} {
		text, err := ReadFile(file, most)
		if want == "" && (err != nil || string(text) != "text") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %q, %v", most, text, err)
		}
	}
}

// Nothing outside a folder is opened, whatever the name or a link says.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(folder, "sub"), 0o700), os.WriteFile(filepath.Join(dir, "secret"), []byte("s"), 0o600),
		os.WriteFile(filepath.Join(folder, "sub", "own"), []byte("o"), 0o600), os.Symlink("../secret", filepath.Join(folder, "out")),
		os.Symlink(dir, filepath.Join(folder, "up")), os.Symlink("sub/own", filepath.Join(folder, "in")), syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d, err := OpenFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	for name, want := range map[string]error{
		"in": nil, "sub/own": nil, "sub/../sub/own": nil, "../secret": ErrOutside, "out": ErrOutside, "up/secret": ErrOutside,
		filepath.Join(dir, "secret"): ErrOutside, "pipe": ErrNotRegular, "sub": ErrNotRegular, "none": os.ErrNotExist,
	} {
		f, err := d.Open(name)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err == nil {
			if text, err := io.ReadAll(f); err != nil || string(text) != "o" {
				t.Errorf("%s: %q, %v", name, text, err)
			}
			_ = f.Close()
		}
	}
	if entries, err := d.ReadDir("."); err != nil || len(entries) != 5 || entries[0].Name() != "in" {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := d.ReadDir("up"); !errors.Is(err, ErrOutside) {
		t.Errorf("a folder outside is listed: %v", err)
	}
}

func TestReader(t *testing.T) {
	for most, want := range map[int64]string{0: "", 3: "abc", 4: "abcd", 9: "abcd"} {
		text, err := io.ReadAll(FailAboveLimit(strings.NewReader("abcd"), "the text", most))
		var over *Error
		if string(text) != want || errors.As(err, &over) != (most < 4) {
			t.Errorf("%d: %q, %v", most, text, err)
		}
	}
}
